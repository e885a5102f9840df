import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startThread } from "./start-thread.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "offers-thread-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Starts a thread that does this with each message. */
const start = (onMessage: string) => {
  const script = join(directory, "thread.mjs");
  writeFileSync(
    script,
    `import { parentPort } from "node:worker_threads"; parentPort.on("message", (message) => { ${onMessage} });`,
  );
  const deaths: Error[] = [];
  const death = Promise.withResolvers<Error>();
  const heard: unknown[] = [];
  const thread = startThread<string, unknown>(pathToFileURL(script), {
    workerData: null,
    onMessage: (message) => heard.push(message),
    onDeath: (error) => {
      deaths.push(error);
      death.resolve(error);
    },
  });
  return { thread, deaths, death: death.promise, heard };
};

test.each([
  { name: "throws", onMessage: "throw new Error('out of luck')", message: /out of luck/ },
  { name: "throws what is no error", onMessage: "throw 'a word'", message: /a word/ },
  { name: "rejects", onMessage: "Promise.reject(new Error('unheard'))", message: /unheard/ },
  { name: "ends without a word", onMessage: "process.exit(0)", message: /ended by itself with code 0/ },
])("a thread that $name is reported once", async ({ onMessage, message }) => {
  const { thread, death, deaths } = start(onMessage);
  thread.post("go");
  expect((await death).message).toMatch(message);
  await thread.ended;
  expect(deaths).toHaveLength(1);
});

test("a thread that ends as expected, or is killed, is no accident", async () => {
  const { thread, deaths, heard } = start("parentPort.postMessage('bye'); parentPort.close();");
  thread.expectEnd();
  thread.post("go");
  await thread.ended;
  expect(heard).toEqual(["bye"]);
  const other = start("for (;;);");
  other.thread.post("go");
  await other.thread.kill();
  expect([...deaths, ...other.deaths]).toEqual([]);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { getHeapStatistics } from "node:v8";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StorageRefusal, startThread, ThreadEnded } from "./start-thread.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "offers-thread-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

type Asks = { say: { asked: string; answer: string }; close: { asked: null; answer: null } };

/** Starts a thread that does this with each question. */
const start = (onQuestion: string) => {
  const script = join(directory, "thread.mjs");
  writeFileSync(
    script,
    `import { parentPort } from "node:worker_threads";
     const post = (reply) => parentPort.postMessage(reply);
     parentPort.on("message", ({ id, kind, asked }) => {
       if (kind === "close") { post({ id, answer: null }); return parentPort.close(); }
       ${onQuestion}
     });`,
  );
  const deaths: Error[] = [];
  const death = Promise.withResolvers<Error>();
  const told: unknown[] = [];
  const thread = startThread<Asks, unknown>(pathToFileURL(script), {
    workerData: null,
    onTold: (word) => told.push(word),
    onDeath: (error) => {
      deaths.push(error);
      death.resolve(error);
    },
  });
  return { thread, deaths, death: death.promise, told };
};

test("each question gets its own answer, in whatever order the answers come", async () => {
  const { thread, told } = start(
    `post({ told: asked });
     const before = globalThis.answerLater;
     globalThis.answerLater = () => post({ id, answer: asked + '!' });
     if (before) { globalThis.answerLater(); before(); }`,
  );
  const order: string[] = [];
  const asked = ["slow", "fast"].map((word) => thread.ask("say", word).then((answer) => order.push(answer)));
  await Promise.all(asked);
  expect(order).toEqual(["fast!", "slow!"]);
  expect(told).toEqual(["slow", "fast"]);
  await thread.close();
});

test("a thread may hold half of what V8 would let it hold, so that its garbage does not pile up", async () => {
  const { thread } = start(
    "import('node:worker_threads').then(({ resourceLimits }) => post({ id, answer: JSON.stringify(resourceLimits) }));",
  );
  const limits = JSON.parse(await thread.ask("say", ""));
  expect(limits).toMatchObject({ maxYoungGenerationSizeMb: 16 });
  const half = getHeapStatistics().heap_size_limit / 2 ** 21;
  expect(limits.maxOldGenerationSizeMb).toBeCloseTo(Math.max(512, half), -1);
  await thread.close();
});

test("a question that the storage refuses rejects with its code, and the next one is answered", async () => {
  const { thread } = start(
    "post(asked === 'bad' ? { id, trouble: { code: 'SQLITE_BUSY', retryAfterSeconds: 1 } } : { id, answer: asked });",
  );
  const refusal = await thread.ask("say", "bad").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StorageRefusal);
  expect(refusal).toMatchObject({ code: "SQLITE_BUSY", retryAfterSeconds: 1 });
  expect(await thread.ask("say", "good")).toBe("good");
  await thread.close();
});

test.each([
  { name: "throws", onQuestion: "throw new Error('out of luck')", message: /out of luck/ },
  { name: "throws what is no error", onQuestion: "throw 'a word'", message: /a word/ },
  { name: "rejects", onQuestion: "Promise.reject(new Error('unheard'))", message: /unheard/ },
  { name: "ends without a word", onQuestion: "process.exit(0)", message: /ended by itself with code 0/ },
])(
  "a thread that $name is reported once, and whoever waits or asks later is told",
  async ({ onQuestion, message }) => {
    const { thread, death, deaths } = start(onQuestion);
    const waiting = expect(thread.ask("say", "go")).rejects.toThrow(message);
    expect((await death).message).toMatch(message);
    await waiting;
    await expect(thread.ask("say", "late")).rejects.toThrow(message);
    await thread.close();
    expect(deaths).toHaveLength(1);
  },
);

test("a thread that ends as it was asked to, or is killed, is no accident", async () => {
  const { thread, deaths } = start("/* It never answers. */");
  const waiting = expect(thread.ask("say", "anything")).rejects.toBeInstanceOf(ThreadEnded);
  await thread.close();
  await waiting;
  const other = start("for (;;);");
  const ended = expect(other.thread.ask("say", "go")).rejects.toBeInstanceOf(ThreadEnded);
  await other.thread.kill();
  await ended;
  expect([...deaths, ...other.deaths]).toEqual([]);
});

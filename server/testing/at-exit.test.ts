import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const atExit = JSON.stringify(pathToFileURL(`${import.meta.dirname}/at-exit.ts`).href);

/** What a program says that has three things to undo, one of them called off, and how it ends. */
const run = (ending: string) => {
  const program = `
    import { atExit } from ${atExit};
    const tell = (what) => () => require("fs").writeSync(1, what + " ");
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    atExit(tell("first"));
    atExit(() => { throw new Error("cannot be undone"); });
    const callOff = atExit(tell("done already"));
    atExit(tell("last"));
    callOff();
    const stay = setTimeout(() => undefined, 5000);
    ${ending}`;
  const { stdout, status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  return { stdout: stdout.trim(), status, signal };
};

test.each([
  ["it ends by itself", "clearTimeout(stay);", { status: 0, signal: null }],
  ["it ends with an error", "process.exit(3);", { status: 3, signal: null }],
  ["SIGTERM", `process.kill(process.pid, "SIGTERM");`, { status: null, signal: "SIGTERM" }],
  ["SIGINT", `process.kill(process.pid, "SIGINT");`, { status: null, signal: "SIGINT" }],
])("is undone in reverse: %s", (_, ending, end) => {
  expect(run(ending)).toEqual({ stdout: "last first", ...end });
});

test("who heeds a signal goes on, and nothing is undone before the end", () => {
  const ending = `
    process.on("SIGTERM", () => { tell("heard")(); process.exit(0); });
    process.kill(process.pid, "SIGTERM");`;
  expect(run(ending)).toEqual({ stdout: "heard last first", status: 0, signal: null });
});

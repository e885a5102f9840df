import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

/** Makes some 60 MB of objects that nobody needs any more, and writes how large the heap is then and after three looks at it. */
const program = `
  import { getHeapStatistics } from "node:v8";
  const say = () => console.log(getHeapStatistics().total_heap_size / 2 ** 20);
  let lists = Array.from({ length: 60 }, () => Array.from({ length: 130_000 }, () => 1.5));
  lists = null;
  say();
  globalThis.afterThreeLooks = () => { say(); process.exit(); };
  // A look alone keeps no thread alive.
  setTimeout(() => {}, 60_000);
`;
const inThread = `
  import { Worker } from "node:worker_threads";
  new Worker(new URL("data:text/javascript,${encodeURIComponent(program)}"));
`;
/** Works for half of the time, which is a tenth yet where the machine stands still for seconds beside a whole look. */
const busy = `${program}
  const work = () => { const end = performance.now() + 50; while (performance.now() < end); setTimeout(work, 50); };
  work();
`;
/**
 * Preloaded before it, into each thread: half a minute takes a second, and the third of them is told. One in which the machine
 * stood still is left out, for in a whole half minute that would not make a thread seem to be at rest.
 */
const inHaste = `
  const { setInterval: every } = globalThis;
  globalThis.setInterval = (run, ms) => {
    let [before, runs] = [performance.now(), 0];
    return every(() => {
      const passedMs = performance.now() - before;
      before += passedMs;
      if (passedMs > 1.4 * (ms / 30)) return;
      run();
      runs += 1;
      if (runs === 3) globalThis.afterThreeLooks?.();
    }, ms / 30);
  };
`;

/** Resolves to the megabytes of heap that a program writes. */
const run = async (source: string): Promise<number[]> => {
  const preloaded = [
    "--import",
    `data:text/javascript,${encodeURIComponent(inHaste)}`,
    "--import",
    "./server/collect-at-rest.ts",
  ];
  const words = [...preloaded, "--expose-gc", "--input-type=module", "--eval"];
  const { stdout } = await promisify(execFile)(process.execPath, [...words, source]);
  return stdout.trim().split("\n").map(Number);
};

describe("a thread at rest", () => {
  it.concurrent.each([
    ["the main one", program],
    ["another", inThread],
  ])("gives back what nobody needs any more: %s", async (_, source) => {
    const [before = 0, after = 0] = await run(source);
    expect(before).toBeGreaterThan(60);
    expect(after).toBeLessThan(20);
  });

  it.concurrent("is not one that works for half of its time", async () => {
    const [, after = 0] = await run(busy);
    expect(after).toBeGreaterThan(60);
  });
});

/**
 * Loaded before the service (`NODE_OPTIONS=--import`): on SIGWINCH, which nobody else heeds, it collects garbage and writes what the process holds, and by
 * how much its event loop was late since it was last asked, into INSIDE_FIGURES. The service itself knows nothing of it.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

const file = process.env.INSIDE_FIGURES;
if (isMainThread && file !== undefined) {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on("SIGWINCH", () => {
    const lateMs = delay.percentile(99) / 1e6;
    if (typeof collect === "function") for (let turn = 0; turn < 3; turn += 1) collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    // Whoever waits for the file reads all of it or nothing.
    writeFileSync(`${file}.partial`, JSON.stringify({ rss, heapUsed, external, lateMs }));
    renameSync(`${file}.partial`, file);
    delay.reset();
  });
}

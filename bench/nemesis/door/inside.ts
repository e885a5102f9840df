/**
 * Loaded before the service (`NODE_OPTIONS=--import`): on SIGWINCH, which nobody else heeds, it collects garbage and writes what the process holds, and by
 * how much its event loop was late since it was last asked, into INSIDE_FIGURES. The service itself knows nothing of it.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.INSIDE_FIGURES;
/** Between the threads of the process: each has a heap of its own. */
const channel = new BroadcastChannel("collect");
channel.unref();

// As if memory had run out: pages that are empty by then go back to the system.
const collect = (): void => {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
};

if (!isMainThread) channel.onmessage = collect;
else if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on("SIGWINCH", () => {
    const lateMs = delay.percentile(99) / 1e6;
    channel.postMessage("collect");
    collect();
    // By then the other threads have done it as well.
    setTimeout(() => {
      const { rss, heapUsed, external } = process.memoryUsage();
      // Whoever waits for the file reads all of it or nothing.
      writeFileSync(`${file}.partial`, JSON.stringify({ rss, heapUsed, external, lateMs }));
      renameSync(`${file}.partial`, file);
      delay.reset();
    }, 500).unref();
  });
}

/**
 * Loaded before each thread of the service (`NODE_OPTIONS=--import`): on SIGWINCH, which nobody else heeds, each collects its garbage,
 * and the main one writes what all of them hold together, and by how much its event loop was late since it was last asked, into
 * INSIDE_FIGURES. The service itself knows nothing of it.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const file = process.env.INSIDE_FIGURES;
type Held = Record<"heapUsed" | "external", number>;
/** Between the threads of the process: each has a heap of its own. */
const channel = new BroadcastChannel("collect");
channel.unref();

// As if memory had run out: pages that are empty by then go back to the system.
const collect = (): void => {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
};

/** Objects, and bytes beside them, of this thread alone: `memoryUsage` has neither of another thread. */
const heldHere = (): Held => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external };
};

if (!isMainThread) {
  channel.onmessage = ({ data }) => {
    // What the others answer comes here as well.
    if (data === "collect") channel.postMessage(heldHere());
  };
} else if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let threads = 1;
  process.on("SIGWINCH", () => {
    const lateMs = delay.percentile(99) / 1e6;
    const held: Held[] = [];
    channel.onmessage = ({ data }) => held.push(data);
    channel.postMessage("collect");
    held.push(heldHere());
    const tell = (): void => {
      // A sum without one of those that were in an earlier one could not be compared.
      if (held.length < threads) {
        setTimeout(tell, 50).unref();
        return;
      }
      threads = held.length;
      const sumOf = (name: keyof Held): number => held.reduce((sum, one) => sum + one[name], 0);
      const { rss } = process.memoryUsage();
      const figures = { rss, heapUsed: sumOf("heapUsed"), external: sumOf("external"), lateMs };
      // Whoever waits for the file reads all of it or nothing.
      writeFileSync(`${file}.partial`, JSON.stringify(figures));
      renameSync(`${file}.partial`, file);
      delay.reset();
    };
    // By then the other threads have answered.
    setTimeout(tell, 500).unref();
  });
}

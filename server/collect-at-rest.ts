import { getHeapStatistics } from "node:v8";

/**
 * How often a thread looks at itself. A lull of seconds is no rest: the heap that is given back in it is grown anew when it ends, which
 * costs more than the memory was worth meanwhile.
 */
const lookMs = 30_000;
/** A thread that had something to do for less than this share of that time is at rest. */
const restingShare = 0.05;
/** The heap must have grown by so many bytes: less is the place in which new objects come and go. */
const worthwhile = 16 * 2 ** 20;

/**
 * Preloaded into each thread of the service, which needs `--expose-gc` for it. A thread at rest whose heap has grown gives back what
 * nobody needs; V8 alone would keep what a start or an hour of many visitors has left, since it sees no cause to look for it.
 */
const keepLooking = (): void => {
  let before = performance.eventLoopUtilization();
  let kept = 0;
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > restingShare || getHeapStatistics().total_heap_size < kept + worthwhile) return;
    // A collection of any other flavor keeps the pages that it has emptied.
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    kept = getHeapStatistics().total_heap_size;
  };
  setInterval(look, lookMs).unref();
};

keepLooking();

import { type HashSeed, hash64 } from "./hash64.ts";
import { neighbours, slotsFor } from "./hashed-slots.ts";
import type { KnownCalls } from "./shared-limit.ts";

export type WindowTable = {
  /** What is known of a key's calls in a window; of an unknown one: none. */
  find(key: string, window: number): KnownCalls;
  /** Keeps it, in place of what was known; windows only grow, but for late news of one that has ended. */
  keep(key: string, window: number, known: KnownCalls): void;
};

/**
 * Keeps what is known of callers in windows that all of them share, 20 bytes a slot in typed arrays that are made once.
 * A slot is free again a window after its own has ended, for who waited for an answer beyond the end is judged after
 * it; nothing is swept. Where a key finds no free slot, one of the window that has just ended makes room, and where there
 * is none the one with the fewest calls: its caller may be let through too often, and nobody is refused for the calls of
 * another.
 *
 * A key is known by 64 bits, as in the table of calls of one process.
 * @param capacity how many keys are known at a time: a whole number, at least 1. 131,072 take 5 MB.
 * @param seed known to this process alone, as there.
 */
export function createWindowTable(capacity: number, seed: HashSeed): WindowTable {
  const slots = slotsFor(capacity);
  const highs = new Uint32Array(slots);
  const lows = new Uint32Array(slots);
  /** 0 where there never was a window. */
  const windows = new Uint32Array(slots);
  const shared = new Uint32Array(slots);
  const untold = new Uint32Array(slots);

  const slotOf = (high: number, low: number, window: number): number => {
    for (let step = 0; step < neighbours; step += 1) {
      const slot = (low + step) & (slots - 1);
      if (windows[slot] === window && highs[slot] === high && lows[slot] === low) return slot;
      if (windows[slot] === 0) return -1;
    }
    return -1;
  };
  const roomFor = (low: number, window: number): number => {
    let quietest = low & (slots - 1);
    let fewest = Number.POSITIVE_INFINITY;
    for (let step = 0; step < neighbours; step += 1) {
      const slot = (low + step) & (slots - 1);
      const kept = windows[slot] ?? 0;
      if (kept < window - 1) return slot;
      const calls = kept < window ? -1 : (shared[slot] ?? 0) + (untold[slot] ?? 0);
      if (calls < fewest) {
        fewest = calls;
        quietest = slot;
      }
    }
    return quietest;
  };

  return {
    find(key, window) {
      const [high, low] = hash64(key, seed);
      const slot = slotOf(high, low, window);
      return { shared: shared[slot] ?? 0, untold: untold[slot] ?? 0 };
    },
    keep(key, window, known) {
      const [high, low] = hash64(key, seed);
      const found = slotOf(high, low, window);
      const slot = found === -1 ? roomFor(low, window) : found;
      highs[slot] = high;
      lows[slot] = low;
      windows[slot] = window;
      shared[slot] = known.shared;
      untold[slot] = known.untold;
    },
  };
}

import { type HashSeed, hash64 } from "./hash64.ts";
import { neighbours, slotsFor } from "./hashed-slots.ts";

/** Where one key stands in its window. */
export type CallWindow = {
  /** Calls so far, this one included. */
  calls: number;
  /** Whole seconds until the window ends, from 1 to the window's length. */
  resetSeconds: number;
};

export type CallTable = {
  /** Counts a call of `key` at `now`, in milliseconds of a clock that never goes back, and says where the key stands. */
  count(key: string, now: number): CallWindow;
};

/**
 * Counts calls in fixed windows that begin with a key's first call. Windows lie in typed arrays that are made once,
 * 20 bytes a slot, so that many callers cost no more memory than few and the garbage collector sees none of them.
 * A slot is free again when its window has ended; nothing is swept.
 *
 * When all slots that a key may lie in hold running windows, the one of them that ends first makes room. Its caller
 * begins a new window at its next call, and so may be let through too often; nobody is ever refused for the calls
 * of another.
 *
 * A key is known by a hash of 64 bits. Among 131,072 callers two share a window with a chance of one in two
 * thousand million, and nobody who does not know the seed can write a key that shares another's.
 * @param args.windowSeconds the length of every window.
 * @param args.capacity how many keys are counted at a time: a whole number, at least 1. 131,072 take 5 MB.
 * @param args.seed known to this process alone: keys have parts that callers choose.
 */
export function createCallTable(args: {
  windowSeconds: number;
  capacity: number;
  seed: HashSeed;
}): CallTable {
  const windowMs = args.windowSeconds * 1000;
  const slots = slotsFor(args.capacity);
  const highs = new Uint32Array(slots);
  const lows = new Uint32Array(slots);
  const calls = new Uint32Array(slots);
  /** 0 where there never was a window. */
  const ends = new Float64Array(slots);

  /** The slot of the key's running window, or else the one that its next window is to have. */
  const slotOf = (high: number, low: number, now: number): number => {
    let free = -1;
    let oldest = low & (slots - 1);
    for (let step = 0; step < neighbours; step += 1) {
      const slot = (low + step) & (slots - 1);
      const endsAt = ends[slot] ?? 0;
      if (endsAt > now) {
        if (highs[slot] === high && lows[slot] === low) return slot;
        if (endsAt < (ends[oldest] ?? 0)) oldest = slot;
      } else {
        if (free === -1) free = slot;
        if (endsAt === 0) break;
      }
    }
    return free === -1 ? oldest : free;
  };

  return {
    count(key, now) {
      const [high, low] = hash64(key, args.seed);
      const slot = slotOf(high, low, now);
      const isRunning = (ends[slot] ?? 0) > now && highs[slot] === high && lows[slot] === low;
      if (!isRunning) {
        highs[slot] = high;
        lows[slot] = low;
        calls[slot] = 0;
        ends[slot] = now + windowMs;
      }
      const counted = (calls[slot] ?? 0) + 1;
      calls[slot] = counted;
      const left = Math.ceil(((ends[slot] ?? 0) - now) / 1000);
      return { calls: counted, resetSeconds: Math.min(args.windowSeconds, Math.max(1, left)) };
    },
  };
}

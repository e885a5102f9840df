import { type RateLimitName, rateLimits } from "@offers/contract/endpoints";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** How one call stands against its limit. */
export type Turn = {
  name: RateLimitName;
  admitted: boolean;
  /** Calls a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
};

export type RateLimits = {
  /** Counts one call of `key`. A call above the limit is counted too, and never lengthens the window. */
  take(name: RateLimitName, key: string): Promise<Turn>;
};

/** All limits of the contract are per minute. */
export const windowSeconds = 60;
/** About 30 MB of counters at the most, however many addresses call. */
const mostKeys = 100_000;

/** @param factor multiplies every limit of the contract; no limit falls below one call. */
export const createRateLimits = (factor: number, keys = mostKeys): RateLimits => {
  const limiters = new Map<RateLimitName, RateLimiterMemory>();
  for (const [name, perMinute] of Object.entries(rateLimits)) {
    const points = Math.max(1, Math.round(perMinute * factor));
    limiters.set(
      name as RateLimitName,
      new RateLimiterMemory({ points, duration: windowSeconds, keyPrefix: "" }),
    );
  }
  const forgetOldest = createForgetter(keys);
  return {
    take: async (name, key) => {
      const limiter = limiters.get(name) as RateLimiterMemory;
      const { admitted, state } = await consume(limiter, key);
      if (state.isFirstInDuration) forgetOldest(limiter, key);
      return {
        name,
        admitted,
        limit: limiter.points,
        remaining: state.remainingPoints,
        // The clock may have been set back; the window itself runs on a timer and is never longer.
        resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(state.msBeforeNext / 1000))),
      };
    },
  };
};

/** The library rejects with the state, not with an error, when the limit is used up. */
const consume = async (limiter: RateLimiterMemory, key: string) => {
  try {
    return { admitted: true, state: await limiter.consume(key) };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { admitted: false, state: refusal };
    throw refusal;
  }
};

type OpenWindow = { limiter: RateLimiterMemory; key: string; openedAt: number };

/**
 * The library keeps every key for its window, however many there are. Windows are equally long, so a ring of the
 * last ones opened knows which is the first to end. (A Map in order of insertion would be searched for its first
 * entry ever more slowly.)
 */
const createForgetter = (most: number) => {
  const ring: OpenWindow[] = [];
  let next = 0;
  return (limiter: RateLimiterMemory, key: string): void => {
    const openedAt = performance.now();
    const oldest = ring[next];
    // A window that has ended is forgotten already, and its key may have opened another one since.
    if (oldest && openedAt - oldest.openedAt < windowSeconds * 1000) void oldest.limiter.delete(oldest.key);
    ring[next] = { limiter, key, openedAt };
    next = (next + 1) % most;
  };
};

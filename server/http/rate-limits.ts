import { type RateLimitName, rateLimits } from "@offers/contract/endpoints";

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
  /**
   * Counts one call of `key`. A call above the limit is counted too, and never lengthens the window.
   * Asynchronous, so that several processes can count in one place.
   */
  take(name: RateLimitName, key: string): Promise<Turn>;
};

/** All limits of the contract are per minute. */
export const windowSeconds = 60;
/** Some 25 MB of windows at the most, however many addresses call. */
const mostWindows = 100_000;

type Window = { calls: number; endsAt: number };

/**
 * Counts calls in fixed windows, in memory. Windows lie in two generations: a new one opens among the young, and
 * once a minute, or when the young have become too many, the old ones are dropped whole and the young are the old.
 * So nothing is ever searched for, no key has a timer, and what is dropped early is what opened first.
 * Time is monotonic: a clock that is set changes nothing.
 * @param factor multiplies every limit of the contract; no limit falls below one call.
 * @param most how many windows are kept at the most.
 */
export const createRateLimits = (factor: number, most = mostWindows): RateLimits => {
  const windowMs = windowSeconds * 1000;
  let young = new Map<string, Window>();
  let old = new Map<string, Window>();
  let agesAt = 0;

  const age = (now: number): void => {
    if (now < agesAt && young.size < most / 2) return;
    [old, young] = [young, new Map()];
    agesAt = now + windowMs;
  };

  const windowOf = (id: string, now: number): Window => {
    const known = young.get(id) ?? old.get(id);
    if (known && known.endsAt > now) return known;
    age(now);
    const opened = { calls: 0, endsAt: now + windowMs };
    young.set(id, opened);
    return opened;
  };

  return {
    take: async (name, key) => {
      const now = performance.now();
      const window = windowOf(`${name} ${key}`, now);
      window.calls += 1;
      const limit = Math.max(1, Math.round(rateLimits[name] * factor));
      return {
        name,
        admitted: window.calls <= limit,
        limit,
        remaining: Math.max(0, limit - window.calls),
        resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
      };
    },
  };
};

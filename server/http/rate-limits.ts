import { type RateLimitName, rateLimits } from "@offers/contract/endpoints";
import { createCallWindows } from "./call-windows.ts";

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

/**
 * Counts calls against the limits of the contract.
 * @param factor multiplies every limit; no limit falls below one call.
 * @param most how many windows are kept at the most.
 */
export function createRateLimits(factor: number, most = mostWindows): RateLimits {
  const count = createCallWindows({ seconds: windowSeconds, most });
  return {
    take: async (name, key) => {
      const { calls, resetSeconds } = count(`${name} ${key}`);
      const limit = Math.max(1, Math.round(rateLimits[name] * factor));
      return { name, admitted: calls <= limit, limit, remaining: Math.max(0, limit - calls), resetSeconds };
    },
  };
}

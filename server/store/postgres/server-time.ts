import { clockOffsetOf, type RoundTrip, tripsRemembered } from "../../core/server-clock.ts";
import type { Ask } from "./asking.ts";

export type ServerTime = {
  /** Asks the server for its time once more, or, the first time, as often as is remembered. */
  look(): Promise<void>;
  /** How many milliseconds its clock is ahead of this machine's, by the last round trips. */
  offsetMs(): number;
  /** What was seen was another server's. */
  forget(): void;
};

/** Prepares the comparison of the server's clock with `clock` (milliseconds since the epoch). */
export function prepareServerTime(ask: Ask, clock: () => number = Date.now): ServerTime {
  let trips: RoundTrip[] = [];
  const trip = async (): Promise<RoundTrip> => {
    const sentAt = clock();
    const [row] = await ask<{ at: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as at",
    );
    const receivedAt = clock();
    return { sentAt, serverAt: row?.at ?? receivedAt, receivedAt };
  };
  return {
    look: async () => {
      do trips = [...trips, await trip()].slice(-tripsRemembered);
      while (trips.length < tripsRemembered);
    },
    offsetMs: () => clockOffsetOf(trips),
    forget: () => {
      trips = [];
    },
  };
}

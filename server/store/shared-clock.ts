import type { Log } from "../core/log-events.ts";
import { clockVerdict, createServerClock } from "../core/server-clock.ts";

/** The clock of all who share a database, as this machine has it. */
export type SharedClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Takes over how far the database's clock is ahead; `at` in milliseconds of any clock that never goes back. */
  setOffset(offsetMs: number, at: number): void;
  /** False while this machine's own clock is so far off that it is not to serve. */
  isBearable(): boolean;
};

const noteEveryMs = 60_000;

/**
 * Has `clock` (this machine's, in milliseconds since the epoch) go by the database's, and notes once a minute in the log when
 * it should be put right.
 */
export function createSharedClock(clock: () => number, log: Log): SharedClock {
  const { now, setOffset } = createServerClock(clock);
  let verdict = clockVerdict(0);
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    now,
    setOffset: (offsetMs, at) => {
      setOffset(offsetMs);
      verdict = clockVerdict(offsetMs);
      if (verdict === "right" || at - notedAt < noteEveryMs) return;
      notedAt = at;
      log({ event: "clock_off", offsetMs });
    },
    isBearable: () => verdict !== "unbearable",
  };
}

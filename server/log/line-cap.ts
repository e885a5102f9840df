import { describedEvent, type LogEventName } from "../core/log-events.ts";
import { createTally, type Tally } from "./tally.ts";

/**
 * How many lines of one event are written in a row, and how many a second from then on. A hundred show whoever looks what
 * goes wrong and how it differs; one a second of the longest lines is some 200 MB a day.
 */
const burst = 100;
const usualPerSecond = 1;
/** How often it is told at the most how many were left out, in milliseconds. */
const tellEveryMs = 10_000;

export type LineCap = {
  /** Whether one more line of this event is written now; else it is counted. */
  takes(event: LogEventName): boolean;
  /** Tells at once what was left out and not told; to be called at the end. */
  tell(): void;
};

/**
 * Keeps a flood from filling the disk: each event has an allowance of its own, so that none hides another. `say` hears
 * how many lines of an event were left out since it last heard of it, at most once in ten seconds an event.
 * @param clock milliseconds, from any beginning.
 */
export function createLineCap(clock: () => number, say: (of: LogEventName, lines: number) => void): LineCap {
  const allowances = new Map<LogEventName, { left: number; at: number }>();
  const tallies = new Map<LogEventName, Tally>();
  const tallyOf = (event: LogEventName): Tally => {
    const tally = tallies.get(event) ?? createTally(tellEveryMs, (lines) => say(event, lines));
    tallies.set(event, tally);
    return tally;
  };
  return {
    takes: (event) => {
      const { level, perSecond = usualPerSecond } = describedEvent(event);
      // Why the process ends, or records nothing any more, is said whatever was said before.
      if (level === "fatal") return true;
      const now = clock();
      const most = Math.max(burst, perSecond);
      const { left, at } = allowances.get(event) ?? { left: most, at: now };
      const filled = Math.min(most, left + ((now - at) * perSecond) / 1000);
      const isTaken = filled >= 1;
      allowances.set(event, { left: isTaken ? filled - 1 : filled, at: now });
      if (!isTaken) tallyOf(event).count();
      return isTaken;
    },
    tell: () => {
      for (const tally of tallies.values()) tally.tell();
    },
  };
}

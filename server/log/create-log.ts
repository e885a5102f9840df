import { pino } from "pino";
import { describedEvent, type Log, type LogEventName, type LogLevel } from "../core/log-events.ts";
import { traceIdOf } from "../core/traceparent.ts";
import { createCleaning } from "./clean.ts";
import { createLineCap } from "./line-cap.ts";

export type LogOptions = {
  /** The least grave level that is written. */
  level: LogLevel | "trace" | "silent";
  /** What the service was started with and nobody may read in a log: passwords, secrets. */
  secrets: readonly string[];
  /** Takes each line, with its end. */
  write: (line: string) => void;
  /** Hears of each event, whether its line is written or not. */
  told?: (event: LogEventName) => void;
  /** Milliseconds, from any beginning; left out: the process's own. */
  clock?: () => number;
};

/**
 * The one way into the log: JSON lines, each with its event's name, sentence and level, cleaned of what may never stand
 * there, and of each event only so many. `tell` says what was left out and not told yet; to be called at the end.
 */
export function createLog({
  level,
  secrets,
  write,
  told,
  clock = performance.now.bind(performance),
}: LogOptions): {
  log: Log;
  tell: () => void;
} {
  const lines = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Cleaned before: pino's own would take whatever a driver has hung onto an error.
      serializers: { err: (cleaned: unknown) => cleaned },
    },
    { write },
  );
  const clean = createCleaning(secrets);
  const cap = createLineCap(clock, (of, left) => {
    told?.("log_lines_left_out");
    const { level, says } = describedEvent("log_lines_left_out");
    lines[level]({ event: "log_lines_left_out", of, lines: left }, says);
  });
  const log: Log = ({ event, ...details }, of) => {
    told?.(event);
    const { level, says } = describedEvent(event);
    if (!lines.isLevelEnabled(level) || !cap.takes(event)) return;
    const trace = of === undefined ? null : traceIdOf(of.headers.traceparent);
    lines[level](
      {
        event,
        ...(of !== undefined && { request: of.id }),
        ...(trace !== null && { trace }),
        ...(clean(details) as object),
      },
      says,
    );
  };
  return { log, tell: cap.tell };
}

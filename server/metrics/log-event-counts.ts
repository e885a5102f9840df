import { describedEvent, type LogEventName, logEvents } from "../core/log-events.ts";

/** How often each event was told to the log. */
export type LogEventCounts = {
  told(event: LogEventName): void;
  /** All that may be told, those that were not told included. */
  read(): { event: string; level: string; events: number }[];
};

export function countLogEvents(): LogEventCounts {
  const counts = new Map((Object.keys(logEvents) as LogEventName[]).map((name) => [name, 0]));
  return {
    told: (event) => void counts.set(event, (counts.get(event) ?? 0) + 1),
    read: () => [...counts].map(([event, events]) => ({ event, level: describedEvent(event).level, events })),
  };
}

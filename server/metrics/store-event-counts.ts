import { eventLevel, storeEvents } from "../store/event-level.ts";

/** How often the store has told each of its events. */
export type StoreEventCounts = {
  told(event: object): void;
  /** All that it may tell, those that it has not told included. */
  read(): { event: string; level: string; events: number }[];
};

/** What has a name that nobody has listed is counted as `other`: a name may not become a series by itself. */
export function countStoreEvents(): StoreEventCounts {
  const counts = new Map<string, number>([...storeEvents, other].map((name) => [name, 0]));
  return {
    told: (event) => {
      const name = "event" in event && counts.has(String(event.event)) ? String(event.event) : other;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    read: () => [...counts].map(([event, events]) => ({ event, level: eventLevel({ event }), events })),
  };
}

const other = "other";

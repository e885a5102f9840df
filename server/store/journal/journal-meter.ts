import type { RefusalReason } from "@offers/contract/words";
import { firstRefusal } from "../../core/event-verdict.ts";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import type { CommittedEvents, JournalReading } from "./journal.ts";

export type JournalMeter = {
  /** A batch is on the disk after so many milliseconds. */
  committed(ms: number): void;
  /** One of its entries, with what became of it; null: nobody waited to hear. */
  noted(entry: JournalEntry, outcome: JournalOutcome | null): void;
  read(): JournalReading;
  /** Since the beginning. */
  committedEvents(): CommittedEvents[];
};

const seconds = 60;
/** Enough for the median of a minute: at full load there are some hundred commits a second. */
const commitsKept = 512;

type Second = {
  at: number;
  events: Map<string, number>;
  refused: Map<string, number>;
  reasons: Map<string, number>;
};

/**
 * Counts what one process commits, by the second. It costs each entry one look into a map, and remembers a minute.
 * @param clock seconds of a clock that is never set back.
 */
export function createJournalMeter(clock: () => number): JournalMeter {
  const ring: (Second | undefined)[] = new Array(seconds);
  const commits: { at: number; ms: number }[] = [];
  /** By kind, and there by what became of them. */
  const all = new Map<string, Map<string, number>>();
  let next = 0;
  const current = (): Second => {
    const at = Math.floor(clock());
    const known = ring[at % seconds];
    if (known?.at === at) return known;
    const fresh: Second = { at, events: new Map(), refused: new Map(), reasons: new Map() };
    ring[at % seconds] = fresh;
    return fresh;
  };
  const count = (type: string, reason: RefusalReason | null, events: number): void => {
    const second = current();
    add(second.events, type, events);
    add(ofType(all, type), reason ?? "counted", events);
    if (reason === null) return;
    add(second.refused, type, events);
    add(second.reasons, reason, events);
  };
  return {
    committed: (ms) => {
      commits[next] = { at: clock(), ms };
      next = (next + 1) % commitsKept;
    },
    noted: (entry, outcome) => {
      if (outcome?.impliesImpression) count("impression", null, 1);
      const type = typeOf(entry);
      if (type === null || outcome?.addsNothing) return;
      const events = entry.kind === "clicks_refused" ? entry.clicks : 1;
      count(type, outcome?.refusal ?? seenAtOnce(entry), events);
    },
    read: () => {
      const since = clock() - seconds;
      const lately = ring.filter((one): one is Second => one !== undefined && one.at > since);
      const [events, refused, reasons] = [
        sum(lately, "events"),
        sum(lately, "refused"),
        sum(lately, "reasons"),
      ];
      const times = commits.filter(({ at }) => at > since).map(({ ms }) => ms);
      times.sort((one, other) => one - other);
      return {
        events: [...events].map(([type, count]) => ({
          type,
          events: count,
          refused: refused.get(type) ?? 0,
        })),
        reasons: [...reasons].map(([reason, count]) => ({ reason, events: count })),
        commit:
          times.length === 0
            ? null
            : {
                commits: times.length,
                medianMs: times[Math.floor(times.length / 2)] ?? 0,
                worstMs: times.at(-1) ?? 0,
              },
      };
    },
    committedEvents: () =>
      [...all].flatMap(([type, outcomes]) =>
        [...outcomes].map(([outcome, events]) => ({ type, outcome, events })),
      ),
  };
}

const ofType = (all: Map<string, Map<string, number>>, type: string): Map<string, number> => {
  const known = all.get(type);
  if (known !== undefined) return known;
  const fresh = new Map<string, number>();
  all.set(type, fresh);
  return fresh;
};

/** What speaks against an entry before the store has judged it: of a visit nothing else ever does. */
const seenAtOnce = (entry: JournalEntry): RefusalReason | null => {
  if (entry.kind === "clicks_refused") return "rate";
  return entry.kind === "blocked" || entry.kind === "served" ? firstRefusal(entry.observed ?? []) : null;
};

/** As reports call it; null: no event of a visit. */
const typeOf = (entry: JournalEntry): string | null => {
  switch (entry.kind) {
    case "blocked":
    case "served":
    case "drawn":
    case "impression":
      return entry.kind;
    case "click_hop":
    case "clicks_refused":
      return "click";
    case "server_event":
      return entry.type;
    case "decline_triggered":
      return "blocked";
    case "snippet_ping":
      return "ping";
    default:
      return null;
  }
};

const add = (counts: Map<string, number>, name: string, events: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + events);
};

const sum = (lately: readonly Second[], what: "events" | "refused" | "reasons"): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const second of lately) for (const [name, events] of second[what]) add(sums, name, events);
  return sums;
};

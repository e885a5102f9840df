import type { UnkeptEvents } from "../../core/counter-fold.ts";
import type { KeptAnswer } from "../../core/idempotency.ts";
import type { SnippetPingEntry } from "../../core/journal-entry.ts";
import { otherRefusals, refusedDetailsKept } from "../../core/refused-call.ts";
import { otherPages, pingedPagesKept } from "../../core/snippet-ping.ts";
import { dayMs } from "../../core/utc-day.ts";
import type { KeptAnswers, Notes } from "../journal/recording.ts";
import { readOf } from "./not-read-ahead.ts";
import { answerKey, pageKey, pingedKey, refusedKey } from "./reach.ts";
import type { ReadAhead } from "./read-rows.ts";

type Ping = Omit<SnippetPingEntry, "kind"> & { hour: number; loads: number };
type Refused = { subject: string; hour: number; code: string; detail: string; times: number; at: number };

/** What a batch adds to what is worth knowing and is no fact. */
export type NoteChanges = {
  pings: Ping[];
  /** When keys, and when grants, were used last. */
  keyUses: Map<string, number>;
  grantUses: Map<string, number>;
  dismissals: { day: number; visitor: string }[];
  refused: Refused[];
  unkept: UnkeptEvents[];
};

/** Gathers notes. */
export function overlayNotes(read: Pick<ReadAhead, "pinged" | "refused">): {
  notes: Notes;
  changes(): NoteChanges;
} {
  const pings = new Map<string, Ping>();
  const keyUses = new Map<string, number>();
  const grantUses = new Map<string, number>();
  const dismissals = new Map<string, { day: number; visitor: string }>();
  const unkept = new Map<string, UnkeptEvents>();
  const refused = new Map<string, Refused>();
  /** The pages of a website's hour that have rows, as far as they were asked for, and how many there are. */
  const pinged = new Map<string, { pages: Set<string>; kept: number }>();
  /** Codes and details of a subject's hour that have rows. */
  const details = new Map<string, Set<string>>();

  const detailsOf = (subject: string, hour: number): Set<string> => {
    const key = refusedKey(subject, hour);
    const stored = readOf(read.refused, key, "refused calls of");
    const known = details.get(key) ?? new Set(stored.map(({ code, detail }) => `${code}\n${detail}`));
    details.set(key, known);
    return known;
  };
  const pingedOf = (websiteId: number, hour: number) => {
    const key = pingedKey(websiteId, hour);
    const { pages, kept } = readOf(read.pinged, key, "pages of");
    // Where none was counted there is no new one either.
    const known = pinged.get(key) ?? { pages: new Set(pages), kept: kept ?? 0 };
    pinged.set(key, known);
    return known;
  };
  const noteUse = (uses: Map<string, number>, id: string, at: number) =>
    void uses.set(id, Math.max(at, uses.get(id) ?? 0));
  const notes: Notes = {
    ping: ({ kind: _, ...told }, hour) => {
      const known = pingedOf(told.websiteId, hour);
      const isNew = !known.pages.has(pageKey(told));
      const ping = isNew && known.kept >= pingedPagesKept ? { ...told, ...otherPages } : told;
      if (isNew && ping === told) {
        known.pages.add(pageKey(told));
        known.kept += 1;
      }
      const key = `${ping.websiteId}\n${pageKey(ping)}\n${hour}`;
      pings.set(key, { ...ping, hour, loads: (pings.get(key)?.loads ?? 0) + 1 });
    },
    keyUse: ({ keyId, at }) => noteUse(keyUses, keyId, at),
    grantUse: ({ grantId, at }) => noteUse(grantUses, grantId, at),
    dismissal: ({ visitor, at }) => {
      const day = at - (at % dayMs);
      dismissals.set(`${day} ${visitor}`, { day, visitor });
    },
    refusedCalls: ({ subject, code, detail, calls, at }, hour) => {
      const known = detailsOf(subject, hour);
      const named = [...known].filter((one) => !one.startsWith(`${otherRefusals}\n`)).length;
      const isNamed = known.has(`${code}\n${detail}`) || code === otherRefusals || named < refusedDetailsKept;
      const told = isNamed ? { code, detail } : { code: otherRefusals, detail: "" };
      known.add(`${told.code}\n${told.detail}`);
      const key = `${hour}\n${subject}\n${told.code}\n${told.detail}`;
      const before = refused.get(key) ?? { subject, hour, ...told, times: 0, at };
      refused.set(key, { ...before, times: before.times + calls, at: Math.max(at, before.at) });
    },
    unkept: (added) => {
      const { cell, hour, offer, placement } = added;
      const key = `${cell} ${hour} ${offer} ${placement}`;
      unkept.set(key, { ...added, events: added.events + (unkept.get(key)?.events ?? 0) });
    },
  };
  return {
    notes,
    changes: () => ({
      pings: [...pings.values()],
      keyUses,
      grantUses,
      dismissals: [...dismissals.values()],
      refused: [...refused.values()],
      unkept: [...unkept.values()],
    }),
  };
}

/** What a batch does to answers that are kept under idempotency keys. */
export type AnswerChanges = {
  /** `version`: of the row that was read; null: there was none. */
  kept: { scope: string; key: string; answer: KeptAnswer; version: string | null }[];
  /** Some of those that were kept then or earlier may go; null: nothing was asked for. */
  forgotten: { before: number; most: number } | null;
};

/** Kept answers as they were read, with those that the batch keeps. */
export function overlayAnswers(stored: ReadAhead["answers"]): {
  answers: KeptAnswers;
  changes(): AnswerChanges;
} {
  const own = new Map<string, AnswerChanges["kept"][number]>();
  let forgotten: AnswerChanges["forgotten"] = null;
  return {
    answers: {
      find: (scope, key) => {
        const name = answerKey(scope, key);
        return own.get(name)?.answer ?? readOf(stored, name, "the answer of")?.answer;
      },
      keep: (scope, key, answer) => {
        const name = answerKey(scope, key);
        const version = readOf(stored, name, "the answer of")?.version ?? null;
        own.set(name, { scope, key, answer, version });
      },
      forget: (before, most) => {
        forgotten = {
          before: Math.min(before, forgotten?.before ?? before),
          most: most + (forgotten?.most ?? 0),
        };
      },
    },
    changes: () => ({ kept: [...own.values()], forgotten }),
  };
}

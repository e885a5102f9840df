import { type FactKey, factTypes } from "../../core/fact.ts";
import type { AnswerFact, Fact, FactRows, FirstEvents } from "../journal/recording.ts";
import { NotReadAhead } from "./not-read-ahead.ts";
import { partKey, type RequestParts } from "./read-parts.ts";
import type { ReadAhead, StoredFact } from "./read-rows.ts";

/** What a batch does to the rows of facts. */
export type FactChanges = {
  inserted: Fact[];
  replaced: StoredFact[];
  removed: { key: FactKey; version: string }[];
};

/** The rows of facts as they were read, with what the batch does to them. */
export function overlayFacts(
  facts: ReadAhead["facts"],
  parts: ReadonlyMap<string, RequestParts>,
): { rows: FactRows; changes(): FactChanges } {
  const known = new Map<string, KnownRequest>();
  const changes = new Map<string, Change>();

  const knownOf = (request: string): KnownRequest => {
    const before = known.get(request);
    if (before !== undefined) return before;
    const stored = facts.get(request);
    if (stored === undefined) throw new NotReadAhead(`the facts of ${request}`);
    const part = parts.get(request);
    if (stored === null && part === undefined) throw new NotReadAhead(`parts of ${request}`);
    const read = stored === null && part !== undefined ? knownOfParts(part) : knownOfAll(stored ?? []);
    known.set(request, read);
    return read;
  };
  const rows: FactRows = {
    insert: (fact) => {
      const request = knownOf(fact.request);
      const key = keyIn(fact);
      if (request.versions.has(key)) return false;
      requireRead(request, fact);
      request.versions.set(key, null);
      note(request, fact);
      const name = `${fact.request} ${key}`;
      changes.set(name, { version: changes.get(name)?.version ?? null, after: fact, key: fact });
      return true;
    },
    replace: (fact) => {
      const request = knownOf(fact.request);
      const key = keyIn(fact);
      const version = request.versions.get(key);
      if (version === undefined) throw new NotReadAhead(`the fact ${fact.request} ${key}`);
      note(request, fact);
      changes.set(`${fact.request} ${key}`, { version, after: fact, key: fact });
    },
    remove: ({ request: name, offer, type, seq }) => {
      const request = knownOf(name);
      const key = keyIn({ offer, type, seq });
      const version = request.versions.get(key);
      if (version === undefined) return;
      request.versions.delete(key);
      const events = request.events.get(offer);
      if (events !== undefined && seq === 0) {
        if (type === factTypes.impression) request.events.set(offer, { ...events, impression: null });
        if (type === factTypes.click) request.events.set(offer, { ...events, click: null });
      }
      changes.set(`${name} ${key}`, { version, after: null, key: { request: name, offer, type, seq } });
    },
    answersOf: (request) => knownOf(request).answers,
    firstOf: (request, offer) => {
      const { isWhole, events } = knownOf(request);
      const first = events.get(offer);
      if (first === undefined && !isWhole) throw new NotReadAhead(`the events of ${request} ${offer}`);
      return first === undefined ? noEvents : { ...first };
    },
    nextSeq: ({ request, offer, type }) => {
      const { isWhole, lastSeqs } = knownOf(request);
      const last = lastSeqs.get(partKey(offer, type));
      if (last === undefined && !isWhole) throw new NotReadAhead(`numbers of ${request} ${offer} ${type}`);
      return (last ?? 0) + 1;
    },
  };
  return { rows, changes: () => changesOf(changes.values()) };
}

/** `version`: of the row that was read; null: it was not there. */
type Change = { version: string | null; after: Fact | null; key: FactKey };

type KnownRequest = {
  /** All of its facts were read; else what the entries of the batch may ask for. */
  isWhole: boolean;
  answers: AnswerFact[];
  /** By the offer's number. */
  events: Map<number, FirstEvents>;
  /** Of each fact that is known, by `keyIn`; null: this batch has written it. */
  versions: Map<string, string | null>;
  lastSeqs: Map<string, number>;
};

const noEvents: FirstEvents = { impression: null, click: null };

const keyIn = ({ offer, type, seq }: Omit<FactKey, "request">): string => `${offer} ${type} ${seq}`;

const newKnown = (isWhole: boolean): KnownRequest => ({
  ...{ isWhole, answers: [], events: new Map(), versions: new Map(), lastSeqs: new Map() },
});

const knownOfAll = (stored: readonly StoredFact[]): KnownRequest => {
  const known = newKnown(true);
  for (const { fact, version } of stored) {
    known.versions.set(keyIn(fact), version);
    note(known, fact);
  }
  // Decisions before answers, each in the order in which they came, as their keys are ordered.
  if (known.answers.length > 1)
    known.answers.sort((one, other) => one.type - other.type || one.seq - other.seq);
  return known;
};

const knownOfParts = ({ answers, firsts, lastSeqs }: RequestParts): KnownRequest => {
  const known = { ...newKnown(false), answers: [...answers], lastSeqs: new Map(lastSeqs) };
  for (const { type, seq } of answers) known.versions.set(keyIn({ offer: 0, type, seq }), "");
  for (const [offer, stored] of firsts) {
    known.events.set(offer, noEvents);
    for (const { fact, version } of stored) {
      known.versions.set(keyIn(fact), version);
      note(known, fact);
    }
  }
  return known;
};

/** Of a request that was read by parts it is known of some keys alone whether there is a fact. */
const requireRead = (
  { isWhole, events, lastSeqs }: KnownRequest,
  { request, offer, type, seq }: Fact,
): void => {
  const isAnswer = answerTypes.has(type);
  if (isWhole || isAnswer) return;
  const isRead = seq === 0 ? events.has(offer) : seq > (lastSeqs.get(partKey(offer, type)) ?? Infinity);
  if (!isRead) throw new NotReadAhead(`whether there is ${request} ${offer} ${type} ${seq}`);
};

const answerTypes: ReadonlySet<number> = new Set([
  factTypes.blocked,
  factTypes.served,
  factTypes.drawn,
  factTypes.noted,
]);

const note = ({ answers, events, lastSeqs }: KnownRequest, fact: Fact): void => {
  const part = partKey(fact.offer, fact.type);
  const last = lastSeqs.get(part);
  if (last === undefined || fact.seq > last) lastSeqs.set(part, fact.seq);
  if (answerTypes.has(fact.type)) answers.push(fact);
  else if (fact.seq === 0 && fact.type !== factTypes.repeatedAnswer) {
    const kind = fact.type === factTypes.click ? "click" : "impression";
    events.set(fact.offer, { ...(events.get(fact.offer) ?? noEvents), [kind]: fact });
  }
};

/** In the one order in which everybody locks facts. */
const changesOf = (changes: Iterable<Change>): FactChanges => {
  const ordered = [...changes].sort((one, other) => compareKeys(one.key, other.key));
  const found: FactChanges = { inserted: [], replaced: [], removed: [] };
  for (const { version, after, key } of ordered) {
    if (after !== null && version === null) found.inserted.push(after);
    else if (after !== null && version !== null) found.replaced.push({ fact: after, version });
    else if (version !== null) found.removed.push({ key, version });
  }
  return found;
};

const compareKeys = (one: FactKey, other: FactKey): number => {
  if (one.request !== other.request) return one.request < other.request ? -1 : 1;
  return one.offer - other.offer || one.type - other.type || one.seq - other.seq;
};

import { factTypes } from "../../core/fact.ts";
import { createRecent } from "../../core/recent.ts";
import type { Fact, FactRows, FirstEvents } from "../journal/recording.ts";

/** Some seconds of visits: an impression follows its answer after a second or two. */
const remembered = 5000;
/** A request that has more facts than this is one that somebody plays with, and is read by parts each time. */
const mostFacts = 200;

export type RecentRequests = FactRows & {
  /** Forgets everything: another connection has written, or a transaction was undone. */
  forget(): void;
};

/**
 * Remembers the facts of the requests that were asked for lately, so that what follows an answer reads nothing. It is
 * as good as the rows for as long as no other connection writes: the caller looks, inside the write transaction.
 * @param readAll the first so many facts of a request.
 */
export function rememberRequests(
  rows: FactRows,
  readAll: (request: string, most: number) => Fact[],
): RecentRequests {
  const recent = createRecent<string, KnownRequest>(remembered);
  const known = (request: string): KnownRequest => {
    const before = recent.get(request);
    if (before !== undefined) return before;
    const facts = readAll(request, mostFacts);
    const read: KnownRequest = { isWhole: facts.length < mostFacts, answers: [], events: new Map() };
    for (const fact of facts) note(read, fact);
    recent.set(request, read);
    return read;
  };
  return {
    ...rows,
    insert: (fact) => {
      const isNew = rows.insert(fact);
      const request = isNew ? recent.get(fact.request) : undefined;
      if (request !== undefined) note(request, fact);
      return isNew;
    },
    replace: (fact) => {
      rows.replace(fact);
      const request = recent.get(fact.request);
      if (request !== undefined) note(request, fact);
    },
    remove: (key) => {
      rows.remove(key);
      const events = recent.get(key.request)?.events.get(key.offer);
      if (events === undefined || key.seq !== 0) return;
      if (key.type === factTypes.impression) events.impression = null;
      if (key.type === factTypes.click) events.click = null;
    },
    answersOf: (request) => {
      const { isWhole, answers } = known(request);
      return isWhole ? answers : rows.answersOf(request);
    },
    firstOf: (request, offer) => {
      const { isWhole, events } = known(request);
      return isWhole ? { ...(events.get(offer) ?? none) } : rows.firstOf(request, offer);
    },
    forget: recent.clear,
  };
}

type KnownRequest = {
  /** All of its facts are here that may be asked for. */
  isWhole: boolean;
  answers: Fact[];
  /** By the offer's number. */
  events: Map<number, FirstEvents>;
};

const none: FirstEvents = { impression: null, click: null };

const note = ({ answers, events }: KnownRequest, fact: Fact): void => {
  switch (fact.type) {
    case factTypes.blocked:
    case factTypes.served:
    case factTypes.drawn:
    case factTypes.noted:
      answers.push(fact);
      return;
    case factTypes.impression:
    case factTypes.click: {
      if (fact.seq !== 0) return;
      const kind = fact.type === factTypes.click ? "click" : "impression";
      events.set(fact.offer, { ...(events.get(fact.offer) ?? none), [kind]: fact });
      return;
    }
    case factTypes.repeatedAnswer:
      return;
    default:
      fact.type satisfies never;
  }
};

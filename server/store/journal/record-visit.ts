import { firstRefusal } from "../../core/event-verdict.ts";
import { factTypes } from "../../core/fact.ts";
import type {
  BlockedEntry,
  DrawnEntry,
  JournalOutcome,
  NotedEntry,
  ServedEntry,
} from "../../core/journal-entry.ts";
import { drawnAt, firstTerms, handedBy } from "./handed.ts";
import { saveRepetition } from "./record-repetition.ts";
import {
  cellOf,
  type Fact,
  factOf,
  handedOffer,
  noEvent,
  outcomeOf,
  passedOver,
  type Recording,
  saveFact,
} from "./recording.ts";

/**
 * Records that a visitor was blocked: once a request, to the website's own vertical. The offer that came with the
 * decision is noted with its price, for the events that follow; it counts as served when the server says so. A visit
 * that the journal itself comes with again is no repetition (decisions.md#again-by-the-journal).
 */
export function recordBlocked(entry: BlockedEntry, recording: Recording): JournalOutcome {
  const { visit, vertical, offer, rates, decidedBy, observed = [] } = entry;
  const fact = factOf(visit, {
    offer: 0,
    type: factTypes.blocked,
    cell: recording.cells.numberOf(cellOf(visit, vertical, "")),
    reason: firstRefusal(observed),
    offers: offer === undefined ? null : [handedOffer(recording.cells, visit, offer, "noted")],
    rates,
    catalogue: decidedBy?.catalogue ?? null,
    geoSource: decidedBy?.geoSource ?? null,
  });
  const written = entry.isAgain ? insertUnlessThere(recording, fact) : insertOnce(recording, fact);
  return outcomeOf(written, null);
}

/**
 * Records the offers of one answer, each with the price that its events will cost. An offer that the request was
 * handed before, by an answer, its decision or as a link, keeps its first price. The outcome is a refusal when none of
 * them was new.
 */
export function recordServed(entry: ServedEntry, recording: Recording): JournalOutcome {
  const { visit, mark, observed = [] } = entry;
  if (entry.offers.length === 0) return noEvent;
  const { cells, rows } = recording;
  const before = rows.answersOf(visit.request);
  const offers = entry.offers.map((handed) => {
    const own = handedOffer(cells, visit, handed, "new");
    const first = handedBy(before, handed.offer);
    return first === null ? own : { ...own, ...firstTerms(first) };
  });
  const isNew = offers.some(({ role }) => role === "new");
  const type = isNew ? factTypes.served : factTypes.repeatedAnswer;
  const fact = factOf(visit, {
    offer: 0,
    type,
    seq: isNew
      ? before.filter((answer) => answer.type === type).length
      : rows.nextSeq({ request: visit.request, offer: 0, type }),
    cell: offers[0]?.cell ?? 0,
    reason: firstRefusal(isNew ? observed : [...observed, "duplicate"]),
    mark,
    offers,
    rates: entry.rates,
    catalogue: entry.catalogue ?? null,
    geoSource: entry.decidedBy?.geoSource ?? null,
  });
  if (isNew) saveFact(recording, null, fact);
  else saveRepetition(recording, fact);
  return { ...noEvent, refusal: fact.reason };
}

/**
 * Notes offers that a server got links of, each with the price that its events will cost. It is no event: one that the
 * request was handed before keeps its first price, and is passed over.
 */
export function recordNoted(entry: NotedEntry, recording: Recording): JournalOutcome {
  const { visit, observed = [] } = entry;
  const before = recording.rows.answersOf(visit.request);
  const offers = entry.offers
    .filter(({ offer }) => handedBy(before, offer) === null)
    .map((handed) => handedOffer(recording.cells, visit, handed, "noted"));
  const [first] = offers;
  if (first === undefined) return noEvent;
  const type = factTypes.noted;
  const fact = factOf(visit, {
    offer: 0,
    type,
    seq: before.filter((answer) => answer.type === type).length,
    cell: first.cell,
    reason: firstRefusal(observed),
    offers,
    rates: entry.rates,
    catalogue: entry.catalogue ?? null,
    geoSource: entry.decidedBy?.geoSource ?? null,
  });
  saveFact(recording, null, fact);
  return noEvent;
}

/**
 * Marks offers of a request as drawn. The mark is no event: one that was not handed out, or that is marked already, is
 * passed over, and nothing is counted as filtered.
 */
export function recordDrawn({ visit, offers }: DrawnEntry, recording: Recording): JournalOutcome {
  const answers = recording.rows.answersOf(visit.request);
  const drawn = [...new Set(offers)].flatMap((offer) => {
    const handed = handedBy(answers, offer);
    return handed?.counts && drawnAt(answers, offer) === null
      ? [{ ...handed.offer, role: "new" as const }]
      : [];
  });
  const [first] = drawn;
  if (first === undefined) return passedOver;
  const type = factTypes.drawn;
  const seq = answers.filter((answer) => answer.type === type).length;
  saveFact(recording, null, factOf(visit, { offer: 0, type, seq, cell: first.cell, offers: drawn }));
  return noEvent;
}

/** Writes the fact as the first of its kind, or else as a repetition of it; returns it as it was written. */
export function insertOnce(recording: Recording, fact: Fact): Fact {
  if (insertFirst(recording, fact)) return fact;
  const reason = firstRefusal(fact.reason === null ? ["duplicate"] : [fact.reason, "duplicate"]);
  const repetition = { ...fact, seq: recording.rows.nextSeq(fact), reason };
  saveFact(recording, null, repetition);
  return repetition;
}

const insertUnlessThere = (recording: Recording, fact: Fact): Fact => {
  insertFirst(recording, fact);
  return fact;
};

const insertFirst = ({ rows, fold }: Recording, fact: Fact): boolean => {
  const isNew = rows.insert(fact);
  if (isNew) fold.add(fact, 1);
  return isNew;
};

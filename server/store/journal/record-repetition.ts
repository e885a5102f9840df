import { sumOfUnkept, type UnkeptEvents } from "../../core/counter-fold.ts";
import { firstRefusal } from "../../core/event-verdict.ts";
import { countFact, mostRepetitions } from "../../core/fact.ts";
import type { JournalOutcome } from "../../core/journal-entry.ts";
import type { Handed } from "./handed.ts";
import {
  type Fact,
  factOfSeen,
  noEvent,
  outcomeOf,
  type Recording,
  type SeenEntry,
  saveFact,
} from "./recording.ts";

/**
 * Stores an event of which its offer already has the first one: it is kept, filtered, and moves nothing else. After
 * twenty of them they are counted alone.
 */
export function recordRepetition(
  entry: SeenEntry,
  handed: Handed | null,
  recording: Recording,
): JournalOutcome {
  const fact = factOfSeen(entry, handed, recording);
  fact.seq = recording.rows.nextSeq(fact);
  // All offers that the catalogue does not know share one number, so a second one need not be the first again.
  fact.reason = firstRefusal([...entry.observed, entry.offer === 0 ? "not_served" : "duplicate"]);
  saveRepetition(recording, fact);
  return outcomeOf(fact, null);
}

/**
 * Stores a fact that has the next number of its kind and of which no event counts; above twenty each of its events is counted
 * alone, and nothing has its id (decisions.md#twenty-repetitions).
 */
export function saveRepetition(recording: Recording, fact: Fact): void {
  if (fact.seq <= mostRepetitions) saveFact(recording, null, fact);
  else countFact(fact, (place) => recordUnkept(recording, { ...place, events: 1 }));
}

/** Counts events that were refused and are kept nowhere else: they are filtered in reports. */
export function recordUnkept({ notes, fold }: Recording, unkept: UnkeptEvents): JournalOutcome {
  notes.unkept(unkept);
  fold.addSum(sumOfUnkept(unkept));
  return noEvent;
}

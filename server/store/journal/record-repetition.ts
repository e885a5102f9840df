import { sumOfUnkept, type UnkeptEvents } from "../../core/counter-fold.ts";
import { firstRefusal } from "../../core/event-verdict.ts";
import { placementNumber } from "../../core/handed-offers.ts";
import type { JournalOutcome } from "../../core/journal-entry.ts";
import { hourNumber } from "../../core/utc-day.ts";
import type { Handed } from "./handed.ts";
import { factOfSeen, noEvent, outcomeOf, type Recording, type SeenEntry, saveFact } from "./recording.ts";

/** So many repetitions of one event are worth a row each; who sends more tells nothing new. */
const mostKept = 20;

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
  if (fact.seq <= mostKept) saveFact(recording, null, fact);
  else {
    const { cell, offer } = fact;
    const placement = placementNumber(fact.placement);
    recordUnkept(recording, { cell, hour: hourNumber(fact.at), offer, placement, events: 1 });
  }
  return outcomeOf(fact, null);
}

/** Counts events that were refused and are kept nowhere else: they are filtered in reports. */
export function recordUnkept({ notes, fold }: Recording, unkept: UnkeptEvents): JournalOutcome {
  notes.unkept(unkept);
  fold.addSum(sumOfUnkept(unkept));
  return noEvent;
}

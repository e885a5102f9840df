import { firstRefusal } from "../../core/event-verdict.ts";
import type { JournalOutcome } from "../../core/journal-entry.ts";
import { factOfSeen, type Handed, outcomeOf, type Recording, type SeenEntry, saveFact } from "./recording.ts";

/** Stores an event of which its offer already has the first one: it is kept, filtered, and moves nothing else. */
export function recordRepetition(
  entry: SeenEntry,
  handed: Handed | null,
  recording: Recording,
): JournalOutcome {
  const fact = factOfSeen(entry, handed, recording);
  fact.seq = recording.rows.nextSeq(fact);
  // All offers that the catalogue does not know share one number, so a second one need not be the first again.
  fact.reason = firstRefusal([...entry.observed, entry.offer === 0 ? "not_served" : "duplicate"]);
  saveFact(recording, null, fact);
  return outcomeOf(fact, null);
}

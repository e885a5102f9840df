import { impressionVerdict } from "../../core/event-verdict.ts";
import type { ImpressionEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { overrule } from "./implied-impression.ts";
import { recordRepetition } from "./record-repetition.ts";
import { outcomeOf, type Recording, rowOfEntry, saveRow, termsOf } from "./recording.ts";
import { settleVerdict } from "./settle-verdict.ts";

/**
 * Records a reported impression. The first report of an offer decides whether it counts, unless a counted click
 * has already made it count: then the report only completes it.
 */
export function recordImpression(entry: ImpressionEntry, recording: Recording): JournalOutcome {
  const { served, impression: implied } = recording.rows.firstOf(entry.visit.request, entry.offerId);
  if (implied !== null && implied.beacon_at !== null) return recordRepetition(entry, served, recording);
  const row = rowOfEntry(entry, implied?.id ?? recording.newEventId(), served);
  const { observed, visit } = entry;
  const verdict = impressionVerdict({ observed, test: visit.test, served: termsOf(served) });
  const billedBefore = implied?.billed_micros ?? null;
  if (implied === null || billedBefore === null) {
    settleVerdict(row, verdict, recording);
  } else {
    row.reason = verdict.outcome === "refuse" ? verdict.reason : null;
    row.billed_micros = billedBefore;
    // The book has its line on that day, and the row has to stay with it.
    row.at = implied.at;
    row.day = implied.day;
  }
  saveRow(recording, implied, implied === null ? row : overrule(row));
  return outcomeOf(row, billedBefore === null ? row.billed_micros : null);
}

import { impressionVerdict } from "../../core/event-verdict.ts";
import type { ImpressionEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { hasSeenEnough, noteView } from "./billed-views.ts";
import { handedBy, termsOf } from "./handed.ts";
import { overrule } from "./implied-impression.ts";
import { recordRepetition } from "./record-repetition.ts";
import { factOfSeen, outcomeOf, type Recording, saveFact } from "./recording.ts";
import { settleVerdict } from "./settle-verdict.ts";

/**
 * Records a reported impression. The first report of an offer decides whether it counts, unless a counted click
 * has already made it count: then the report only completes it.
 */
export function recordImpression(entry: ImpressionEntry, recording: Recording): JournalOutcome {
  const { observed, visit, viewer } = entry;
  const { impression: implied } = recording.rows.firstOf(visit.request, entry.offer);
  const handed = handedBy(recording.rows.answersOf(visit.request), entry.offer);
  if (implied !== null && implied.beaconAt !== null) return recordRepetition(entry, handed, recording);
  const fact = factOfSeen(entry, handed, recording);
  const { test } = visit;
  const served = termsOf(handed);
  const billedBefore = implied?.billedMicros ?? null;
  const mayBill = billedBefore === null && !test && served?.payoutModel === "CPM";
  const isAboveLimit = mayBill && hasSeenEnough(viewer, fact, recording);
  const verdict = impressionVerdict({ observed, test, served, isAboveLimit });
  if (implied === null || billedBefore === null) {
    settleVerdict(fact, verdict, recording);
    noteView(viewer, fact, recording);
  } else {
    fact.reason = verdict.outcome === "refuse" ? verdict.reason : null;
    fact.billedMicros = billedBefore;
    fact.earnedMicros = implied.earnedMicros;
  }
  // The ledger has its line on that day, and the fact has to stay with it; nor does a report that comes too late take a view that
  // counts to a day of its own.
  if (implied !== null && (billedBefore !== null || observed.includes("expired"))) fact.at = implied.at;
  const saved = implied === null ? fact : overrule(fact);
  saveFact(recording, implied, saved);
  // What its click has overruled is told to nobody as a refusal: it counts.
  const outcome = outcomeOf(saved, billedBefore === null ? saved.billedMicros : null);
  return implied === null ? outcome : { ...outcome, addsNothing: true };
}

import { clickVerdict } from "../../core/event-verdict.ts";
import type { ClickBeaconEntry, ClickHopEntry, JournalOutcome } from "../../core/journal-entry.ts";
import type { EventRow } from "../sqlite/event-rows.ts";
import { fitImpression } from "./implied-impression.ts";
import { recordRepetition } from "./record-repetition.ts";
import { outcomeOf, type Recording, rowOfEntry, saveRow, termsOf } from "./recording.ts";
import { settleVerdict } from "./settle-verdict.ts";

/** One billed click for each visitor and offer in this time. */
const billedOnceMs = 24 * 60 * 60 * 1000;

/**
 * Records one half of a click. The beacon is the attempt, the hop is the click itself: what the hop says stands,
 * whichever comes first, and a beacon that comes after it is only noted. A second one of either is a repetition.
 */
export function recordClick(entry: ClickBeaconEntry | ClickHopEntry, recording: Recording): JournalOutcome {
  const first = recording.rows.firstOf(entry.visit.request, entry.offerId);
  const { served, click } = first;
  const isHop = entry.kind === "click_hop";
  if (click !== null && (isHop ? click.hop_at : click.beacon_at) !== null) {
    return recordRepetition(entry, served, recording);
  }
  if (click !== null && !isHop) return noteBeacon(entry, click, recording);
  const row = rowOfEntry(entry, click?.id ?? recording.newEventId(), served);
  row.beacon_at ??= click?.beacon_at ?? null;
  settleVerdict(row, judge(entry, served, recording), recording);
  saveRow(recording, click, row);
  // Nothing to take back where there was no click before.
  if (row.reason === null || click !== null) fitImpression(row, first, recording);
  return outcomeOf(row, row.billed_micros);
}

const noteBeacon = (entry: ClickBeaconEntry, click: EventRow, recording: Recording): JournalOutcome => {
  recording.rows.replace({ ...click, beacon_at: entry.visit.at });
  return outcomeOf(click, null);
};

const judge = (entry: ClickBeaconEntry | ClickHopEntry, served: EventRow | null, recording: Recording) => {
  const { visitor, test, at } = entry.visit;
  const terms = termsOf(served);
  const source = entry.kind === "click_hop" ? "hop" : "beacon";
  const mayBill = source === "hop" && !test && terms?.payoutModel === "CPC";
  const visitorWasBilled =
    mayBill &&
    visitor !== null &&
    recording.rows.hasBilledClick([visitor.today, visitor.yesterday], entry.offerId, at - billedOnceMs);
  return clickVerdict({ observed: entry.observed, source, test, served: terms, visitorWasBilled });
};

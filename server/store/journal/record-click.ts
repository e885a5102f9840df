import { clickVerdict } from "../../core/event-verdict.ts";
import type { ClickBeaconEntry, ClickHopEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { fitImpression } from "./implied-impression.ts";
import { recordRepetition } from "./record-repetition.ts";
import {
  type Fact,
  factOfSeen,
  type Handed,
  handedBy,
  outcomeOf,
  type Recording,
  saveFact,
  termsOf,
} from "./recording.ts";
import { settleVerdict } from "./settle-verdict.ts";

/** One billed click for each visitor and offer in this time. */
const billedOnceMs = 24 * 60 * 60 * 1000;

/**
 * Records one half of a click. The beacon is the attempt, the hop is the click itself: what the hop says stands,
 * whichever comes first, and a beacon that comes after it is only noted (decisions.md#two-halves-of-a-click). A second one of either is a repetition.
 */
export function recordClick(entry: ClickBeaconEntry | ClickHopEntry, recording: Recording): JournalOutcome {
  const { rows } = recording;
  const { request } = entry.visit;
  const first = rows.firstOf(request, entry.offer);
  const handed = handedBy(rows.answersOf(request), entry.offer);
  const { click } = first;
  const isHop = entry.kind === "click_hop";
  if (click !== null && (isHop ? click.hopAt : click.beaconAt) !== null) {
    return recordRepetition(entry, handed, recording);
  }
  if (click !== null && !isHop) return noteBeacon(entry, click, recording);
  const fact = factOfSeen(entry, handed, recording);
  fact.beaconAt ??= click?.beaconAt ?? null;
  settleVerdict(fact, judge(entry, handed, recording), recording);
  saveFact(recording, click, fact);
  if (isHop && fact.billedMicros !== null && entry.visitors !== null) {
    rows.noteBilledClick(entry.visitors.today, entry.offer, fact.at);
  }
  // Nothing to take back where there was no click before.
  if (fact.reason === null || click !== null) fitImpression(fact, { handed, ...first }, recording);
  return outcomeOf(fact, fact.billedMicros);
}

const noteBeacon = (entry: ClickBeaconEntry, click: Fact, recording: Recording): JournalOutcome => {
  recording.rows.replace({ ...click, beaconAt: entry.visit.at });
  return outcomeOf(click, null);
};

const judge = (entry: ClickBeaconEntry | ClickHopEntry, handed: Handed | null, { rows }: Recording) => {
  const { test, at } = entry.visit;
  const served = termsOf(handed);
  const visitors = entry.kind === "click_hop" ? entry.visitors : null;
  const mayBill = visitors !== null && !test && served?.payoutModel === "CPC";
  const visitorWasBilled =
    mayBill && rows.hasBilledClick([visitors.today, visitors.yesterday], entry.offer, at - billedOnceMs);
  const source = entry.kind === "click_hop" ? "hop" : "beacon";
  return clickVerdict({ observed: entry.observed, source, test, served, visitorWasBilled });
};

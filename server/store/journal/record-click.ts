import { clickLimit, clicksSince } from "../../core/billing-limits.ts";
import { clickVerdict, isNobodys } from "../../core/event-verdict.ts";
import type { ClickBeaconEntry, ClickHopEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { drawnAt, type Handed, handedBy, termsOf } from "./handed.ts";
import { fitImpression } from "./implied-impression.ts";
import { recordRepetition } from "./record-repetition.ts";
import {
  type AnswerFact,
  type BilledLately,
  type Fact,
  factOfSeen,
  outcomeOf,
  type Recording,
  saveFact,
} from "./recording.ts";
import { settleVerdict } from "./settle-verdict.ts";

/**
 * Records one half of a click. The beacon is the attempt, the hop is the click itself: what the hop says stands,
 * whichever comes first, and a beacon that comes after it is only noted (decisions.md#two-halves-of-a-click). A second one of either is a repetition,
 * and so is a hop that nobody's click made, the first one too (decisions.md#links-are-not-used-up).
 */
export function recordClick(entry: ClickBeaconEntry | ClickHopEntry, recording: Recording): JournalOutcome {
  const { rows, billed } = recording;
  const { request } = entry.visit;
  const first = rows.firstOf(request, entry.offer);
  const answers = rows.answersOf(request);
  const handed = handedBy(answers, entry.offer);
  const { click } = first;
  const isHop = entry.kind === "click_hop";
  if (isHop && isNobodys(entry.observed)) return recordRepetition(entry, handed, recording);
  // A tab that is opened again days later takes no click back that its page has told in time.
  if (isHop && click !== null && entry.observed.includes("expired")) {
    return recordRepetition(entry, handed, recording);
  }
  if (click !== null && (isHop ? click.hopAt : click.beaconAt) !== null) {
    return recordRepetition(entry, handed, recording);
  }
  if (click !== null && !isHop) return noteBeacon(entry, click, recording);
  const fact = factOfSeen(entry, handed, recording);
  fact.beaconAt ??= click?.beaconAt ?? null;
  settleVerdict(fact, judge(entry, { answers, handed }, recording), recording);
  saveFact(recording, click, fact);
  if (isHop && fact.billedMicros !== null) billed.noteClick(entry.payer, entry.offer, fact.at);
  const viewer = isHop ? entry.viewer : null;
  // Nothing to take back where there was no click before.
  const isImplied =
    (fact.reason === null || click !== null) && fitImpression(fact, { handed, viewer, ...first }, recording);
  const outcome = outcomeOf(fact, fact.billedMicros);
  return isImplied ? { ...outcome, impliesImpression: true } : outcome;
}

const noteBeacon = (entry: ClickBeaconEntry, click: Fact, recording: Recording): JournalOutcome => {
  recording.rows.replace({ ...click, beaconAt: entry.visit.at });
  return { ...outcomeOf(click, null), addsNothing: true };
};

const judge = (
  entry: ClickBeaconEntry | ClickHopEntry,
  { answers, handed }: { answers: readonly AnswerFact[]; handed: Handed | null },
  { billed }: Recording,
) => {
  const { observed, visit } = entry;
  const { test } = visit;
  const served = termsOf(handed);
  const isHop = entry.kind === "click_hop";
  const mayBill = isHop && !test && served?.payoutModel === "CPC";
  const isTimed = handed !== null && (isHop || !entry.isReported);
  return clickVerdict({
    observed,
    sight: {
      readableMs: isTimed ? visit.at - (drawnAt(answers, entry.offer) ?? handed.at) : null,
      decidedIn: answers.find(({ browser }) => browser !== null)?.browser ?? null,
      clickedIn: visit.browser,
    },
    source: isHop ? "hop" : "beacon",
    test,
    served,
    limit: mayBill ? limitOf(entry, billed) : null,
  });
};

const limitOf = ({ payer, offer, visit: { at } }: ClickHopEntry, billed: BilledLately) => {
  const since = clicksSince(at);
  const visitor = payer.visitors && billed.clicksOf(payer.visitors, since);
  return clickLimit({ at, offer, visitor, network: billed.clicksOfNetwork(payer.networks, since) });
};

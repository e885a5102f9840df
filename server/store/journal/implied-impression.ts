import { factTypes } from "../../core/fact.ts";
import type { Viewer } from "../../core/journal-entry.ts";
import { hasSeenEnough, noteView } from "./billed-views.ts";
import { type Handed, termsOf } from "./handed.ts";
import { billFact, type Fact, type FirstEvents, type Recording, saveFact } from "./recording.ts";

/**
 * Makes the impression of an offer fit its click, after every change of the click: a counted click has a counted
 * impression, reported or not, and a click that stopped counting takes that back. So clicks never exceed
 * impressions, in whatever order the reports arrive. Returns whether that made an impression that was not there.
 */
export function fitImpression(
  click: Fact,
  first: Pick<FirstEvents, "impression"> & { handed: Handed | null; viewer: Viewer | null },
  recording: Recording,
): boolean {
  if (click.reason === null) return implyImpression(click, first, recording);
  if (first.impression !== null) takeBack(first.impression, recording);
  return false;
}

/** The same impression, counted: its own reason is remembered, for the click may yet be refused. */
export function overrule(impression: Fact): Fact {
  return impression.reason === null
    ? impression
    : { ...impression, reason: null, overruled: impression.reason };
}

const implyImpression = (
  click: Fact,
  {
    handed,
    impression,
    viewer,
  }: Pick<FirstEvents, "impression"> & { handed: Handed | null; viewer: Viewer | null },
  recording: Recording,
): boolean => {
  const isReported = impression !== null && impression.beaconAt !== null;
  const terms = termsOf(handed);
  // A beacon alone moves no money: its click may yet be refused, and the ledger takes nothing back.
  const bills =
    click.hopAt !== null && !recording.cells.cellOf(click.cell).test && terms?.payoutModel === "CPM";
  const mayBill = bills && (impression?.billedMicros ?? null) === null;
  if (isReported && impression.reason === null && !mayBill) return false;
  // One that was reported before the offer was handed out stood nowhere, and in no currency.
  const counted = isReported
    ? { ...overrule(impression), cell: click.cell, placement: click.placement }
    : impliedBy(click);
  const isPaid = mayBill && !hasSeenEnough(viewer, click, recording);
  const billed = isPaid ? billFact(recording, counted, terms.priceMicros) : null;
  noteView(viewer, { ...click, billedMicros: billed?.billedMicros ?? null }, recording);
  saveFact(recording, impression, { ...counted, ...billed });
  return impression === null;
};

const takeBack = (impression: Fact, recording: Recording): void => {
  if (impression.beaconAt === null) {
    recording.rows.remove(impression);
    recording.fold.add(impression, -1);
  } else if (impression.overruled !== null) {
    saveFact(recording, impression, { ...impression, reason: impression.overruled, overruled: null });
  }
};

const impliedBy = (click: Fact): Fact => ({
  ...click,
  type: factTypes.impression,
  mark: null,
  clickId: null,
  billedMicros: null,
  earnedMicros: null,
  beaconAt: null,
  hopAt: null,
});

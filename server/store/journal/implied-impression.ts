import type { EventRow, FirstEvents } from "../sqlite/event-rows.ts";
import { billRow, type Recording, saveRow, termsOf } from "./recording.ts";

/**
 * Makes the impression of an offer fit its click, after every change of the click: a counted click has a counted
 * impression, reported or not, and a click that stopped counting takes that back. So clicks never exceed
 * impressions, in whatever order the reports arrive.
 */
export function fitImpression(click: EventRow, first: FirstEvents, recording: Recording): void {
  if (click.reason === null) implyImpression(click, first, recording);
  else if (first.impression !== null) takeBack(first.impression, recording);
}

/** The same impression, counted: its own reason is remembered, for the click may yet be refused. */
export function overrule(impression: EventRow): EventRow {
  return impression.reason === null
    ? impression
    : { ...impression, reason: null, overruled: impression.reason };
}

const implyImpression = (
  click: EventRow,
  { served, impression }: FirstEvents,
  recording: Recording,
): void => {
  const isReported = impression !== null && impression.beacon_at !== null;
  const terms = termsOf(served);
  // A beacon alone moves no money: its click may yet be refused, and the book takes nothing back.
  const bills = click.hop_at !== null && click.test === 0 && terms?.payoutModel === "CPM";
  const mayBill = bills && (impression?.billed_micros ?? null) === null;
  if (isReported && impression.reason === null && !mayBill) return;
  const counted = isReported
    ? overrule(impression)
    : impliedBy(click, impression?.id ?? recording.newEventId());
  const billed = mayBill ? billRow(recording, counted, terms.priceMicros) : null;
  saveRow(recording, impression, { ...counted, billed_micros: billed ?? counted.billed_micros });
};

const takeBack = (impression: EventRow, recording: Recording): void => {
  if (impression.beacon_at === null) {
    recording.rows.remove(impression);
    recording.fold.add(impression, -1);
  } else if (impression.overruled !== null) {
    saveRow(recording, impression, { ...impression, reason: impression.overruled, overruled: null });
  }
};

const impliedBy = (click: EventRow, id: EventRow["id"]): EventRow => ({
  ...click,
  id,
  type: "impression",
  mark: null,
  click_id: null,
  billed_micros: null,
  beacon_at: null,
  hop_at: null,
});

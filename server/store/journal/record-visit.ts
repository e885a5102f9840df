import { firstRefusal } from "../../core/event-verdict.ts";
import type { BlockedEntry, HandedOut, JournalOutcome, ServedEntry } from "../../core/journal-entry.ts";
import type { EventRow } from "../sqlite/event-rows.ts";
import { outcomeOf, type Recording, rowOfVisit } from "./recording.ts";

/**
 * Records that a visitor was blocked: once a request, to the website's own vertical. The offer that came with the
 * decision is noted with its price, for the events that follow; it counts as served when the server says so.
 */
export function recordBlocked(entry: BlockedEntry, recording: Recording): JournalOutcome {
  const row = rowOfVisit(entry.visit, {
    id: recording.newEventId(),
    type: "blocked",
    offer_id: entry.offer?.offerId ?? "",
    vertical: entry.vertical,
  });
  if (entry.offer) noteOffer(row, entry.offer);
  insertOnce(recording, row);
  return outcomeOf(row, null);
}

/**
 * Records the offers of one answer, each with the price that its events will cost. An offer that the request was
 * handed before keeps its first price. The outcome is a refusal when none of them was new.
 */
export function recordServed(entry: ServedEntry, recording: Recording): JournalOutcome {
  let isNew = entry.offers.length === 0;
  for (const offer of entry.offers) {
    const row = rowOfVisit(entry.visit, {
      id: recording.newEventId(),
      type: "served",
      offer_id: offer.offerId,
      vertical: offer.vertical,
    });
    noteOffer(row, offer);
    row.mark = entry.mark;
    isNew = insertOnce(recording, row) || isNew;
  }
  return { eventId: null, refusal: isNew ? null : "duplicate", billedMicros: null };
}

/** The price is fixed as the offer is handed out. */
const noteOffer = (row: EventRow, offer: HandedOut): void => {
  row.placement = offer.placement;
  row.position = offer.position;
  row.price_micros = offer.priceMicros;
  row.payout_model = offer.payoutModel;
};

/** Writes the row as the first of its kind, or else as a repetition of it; says which. */
export function insertOnce({ rows, fold }: Recording, row: EventRow): boolean {
  const isFirst = rows.insert(row);
  if (!isFirst) {
    row.first = null;
    row.reason = firstRefusal(row.reason === null ? ["duplicate"] : [row.reason, "duplicate"]);
    rows.insert(row);
  }
  fold.add(row, 1);
  return isFirst;
}

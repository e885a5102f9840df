import type { EventId } from "@offers/contract/ids";
import type { PayoutModel } from "@offers/contract/words";
import type {
  ClickBeaconEntry,
  ClickHopEntry,
  ImpressionEntry,
  JournalOutcome,
  Visit,
} from "../../core/journal-entry.ts";
import { utcDay } from "../../core/utc-day.ts";
import type { Charge } from "../sqlite/charge.ts";
import type { EventRow, EventRows } from "../sqlite/event-rows.ts";
import type { CounterFold } from "./counter-fold.ts";

/** What recording one entry may touch, all of it in one transaction. */
export type Recording = {
  rows: EventRows;
  fold: CounterFold;
  charge: Charge;
  newEventId(): EventId;
};

/** What an offer's event is written from. */
type SeenEntry = ImpressionEntry | ClickBeaconEntry | ClickHopEntry;

/** A row that counts and bills nothing yet, with everything that a visit says about it. */
export function rowOfVisit(
  visit: Visit,
  own: Pick<EventRow, "id" | "type" | "offer_id" | "vertical">,
): EventRow {
  return {
    ...own,
    request: visit.request,
    first: 1,
    website_id: visit.websiteId,
    country: visit.country,
    region: visit.region,
    surface: visit.surface,
    placement: null,
    position: null,
    day: utcDay(visit.at),
    at: visit.at,
    reason: null,
    overruled: null,
    mark: null,
    test: visit.test ? 1 : 0,
    visitor: visit.visitor?.today ?? null,
    price_micros: null,
    payout_model: null,
    billed_micros: null,
    click_id: null,
    beacon_at: null,
    hop_at: null,
    hints_json: null,
  };
}

/** The row that an impression, beacon or hop writes. A served offer keeps the vertical it was served under. */
export function rowOfEntry(entry: SeenEntry, id: EventId, served: EventRow | null): EventRow {
  const isHop = entry.kind === "click_hop";
  const row = rowOfVisit(entry.visit, {
    id,
    type: entry.kind === "impression" ? "impression" : "click",
    offer_id: entry.offerId,
    vertical: served?.type === "served" ? served.vertical : entry.vertical,
  });
  row.placement = entry.placement;
  row.position = entry.position;
  row.click_id = isHop ? entry.clickId : null;
  row.mark = isHop ? entry.mark : null;
  row.hop_at = isHop ? entry.visit.at : null;
  row.beacon_at = isHop ? null : entry.visit.at;
  row.hints_json =
    entry.kind === "impression" && entry.clientHints ? JSON.stringify(entry.clientHints) : null;
  return row;
}

/** Writes a row in place of another of the same id, or as a new one, and moves the counters with it. */
export function saveRow(recording: Recording, before: EventRow | null, after: EventRow): void {
  if (before === null) {
    if (!recording.rows.insert(after)) throw new Error(`event ${after.id} is not the first of its kind`);
  } else {
    recording.rows.replace(after);
    recording.fold.add(before, -1);
  }
  recording.fold.add(after, 1);
}

/** What a served row promised about its price; null when there is none. */
export function termsOf(served: EventRow | null): { priceMicros: number; payoutModel: PayoutModel } | null {
  return served?.reason === null && served.price_micros !== null && served.payout_model !== null
    ? { priceMicros: served.price_micros, payoutModel: served.payout_model }
    : null;
}

/** Bills `micros` for a row; null when nothing was billed because some cap has too little left. */
export function billRow(recording: Recording, row: EventRow, micros: number): number | null {
  const { id: eventId, offer_id: offerId, at, day } = row;
  const kind = row.type === "click" ? "click" : "impression";
  return recording.charge({ kind, eventId, offerId, micros, at, day }) ? micros : null;
}

/** The outcome of an entry that ended in this row. */
export function outcomeOf(row: EventRow, billedMicros: number | null): JournalOutcome {
  return {
    eventId: row.id,
    refusal: row.reason,
    billedMicros,
  };
}

import type { ServerEventAnswer } from "@offers/contract/server-events";
import type { Database as Sqlite } from "better-sqlite3";
import { firstRefusal } from "../../core/event-verdict.ts";
import { idempotencyMs, idempotencyVerdict, type KeptAnswer } from "../../core/idempotency.ts";
import type { JournalOutcome, ServerEventEntry } from "../../core/journal-entry.ts";
import { serverEventAnswer } from "../../core/server-event-answer.ts";
import { recordClick } from "./record-click.ts";
import { recordImpression } from "./record-impression.ts";
import { insertOnce } from "./record-visit.ts";
import { outcomeOf, type Recording, rowOfVisit } from "./recording.ts";

/** How many answers that nobody may ask for any more go with each new one: the table cannot outgrow a day. */
const forgottenAtOnce = 20;

/**
 * Prepares what records an event that a server reports. Its idempotency key is looked up and kept in the caller's
 * transaction, the one that writes the event: of any number of repetitions, at once or after a crash, one executes.
 */
export function prepareRecordServerEvent(
  sqlite: Sqlite,
): (entry: ServerEventEntry, recording: Recording) => JournalOutcome {
  const kept = sqlite.prepare<[string, string], KeptAnswer>(
    `select fingerprint, answer_json as answerJson, at from idempotency where scope = ? and key = ?`,
  );
  const keep = sqlite.prepare(
    `insert into idempotency (scope, key, fingerprint, answer_json, at) values (?, ?, ?, ?, ?)
     on conflict (scope, key) do update
     set fingerprint = excluded.fingerprint, answer_json = excluded.answer_json, at = excluded.at`,
  );
  const forget = sqlite.prepare(
    `delete from idempotency where (scope, key) in
       (select scope, key from idempotency where at <= ? order by at limit ${forgottenAtOnce})`,
  );
  return (entry, recording) => {
    const { idempotency, receivedAt } = entry;
    if (idempotency === null) return record(entry, recording);
    const { scope, key, fingerprint } = idempotency;
    const before = kept.get(scope, key);
    switch (idempotencyVerdict(before, fingerprint, receivedAt)) {
      case "mismatch":
        return { eventId: null, refusal: null, billedMicros: null, idempotency: "mismatch" };
      case "repeat":
        return { ...outcomeOfAnswer(before?.answerJson ?? ""), idempotency: "repeated" };
      case "execute":
        break;
    }
    const outcome = record(entry, recording);
    keep.run(scope, key, fingerprint, JSON.stringify(serverEventAnswer(outcome)), receivedAt);
    forget.run(receivedAt - idempotencyMs);
    return outcome;
  };
}

const outcomeOfAnswer = (answerJson: string): JournalOutcome => {
  const { id, reason }: ServerEventAnswer = JSON.parse(answerJson);
  return { eventId: id, refusal: reason ?? null, billedMicros: null };
};

const record = (entry: ServerEventEntry, recording: Recording): JournalOutcome => {
  const { type, visit, offer, observed } = entry;
  if (type === "served" || entry.standsAlone) return recordReported(entry, recording);
  const { offerId, vertical } = offer;
  const seen = { visit, offerId, vertical, placement: null, position: null, observed };
  switch (type) {
    case "impression":
      return recordImpression({ kind: "impression", ...seen, clientHints: null }, recording);
    case "click":
      return recordClick({ kind: "click_beacon", ...seen }, recording);
    default:
      return type satisfies never;
  }
};

/**
 * A served event, which fixes the offer's price unless the request's decision has; or any event that names no
 * decision: with nothing that fixes its price or dedupes it, it counts and never bills.
 */
const recordReported = (
  { type, visit, offer, observed, standsAlone }: ServerEventEntry,
  recording: Recording,
): JournalOutcome => {
  const row = rowOfVisit(visit, {
    id: recording.newEventId(),
    type,
    offer_id: offer.offerId,
    vertical: offer.vertical,
  });
  row.reason = firstRefusal(observed);
  row.beacon_at = type === "served" ? null : visit.at;
  if (!standsAlone) {
    const { served: before } = recording.rows.firstOf(visit.request, offer.offerId);
    row.price_micros = before?.price_micros ?? offer.priceMicros;
    row.payout_model = before?.payout_model ?? offer.payoutModel;
  }
  insertOnce(recording, row);
  return outcomeOf(row, null);
};

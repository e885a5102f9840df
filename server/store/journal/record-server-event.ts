import type { ServerEventAnswer } from "@offers/contract/server-events";
import { firstRefusal } from "../../core/event-verdict.ts";
import { factTypes } from "../../core/fact.ts";
import type { HandedOffer } from "../../core/handed-offers.ts";
import { idempotencyMs, idempotencyVerdict } from "../../core/idempotency.ts";
import type { JournalOutcome, ServerEventEntry } from "../../core/journal-entry.ts";
import { billedEvent } from "../../core/price.ts";
import { serverEventAnswer } from "../../core/server-event-answer.ts";
import { firstTerms, type Handed, handedBy } from "./handed.ts";
import { recordClick } from "./record-click.ts";
import { recordImpression } from "./record-impression.ts";
import { saveRepetition } from "./record-repetition.ts";
import { insertOnce } from "./record-visit.ts";
import { cellOf, factOf, outcomeOf, passedOver, type Recording, saveFact } from "./recording.ts";

/** How many answers that nobody may ask for any more go with each new one: the table cannot outgrow a day. */
const forgottenAtOnce = 20;

/**
 * Records an event that a server reports. Its idempotency key is looked up and kept in the transaction that writes
 * the event: of any number of repetitions, at once or after a crash, one executes.
 */
export function recordServerEvent(entry: ServerEventEntry, recording: Recording): JournalOutcome {
  const { idempotency, receivedAt } = entry;
  if (idempotency === null) return record(entry, recording);
  const { answers } = recording;
  const { scope, key, fingerprint } = idempotency;
  const before = answers.find(scope, key);
  switch (idempotencyVerdict(before, fingerprint, receivedAt)) {
    case "mismatch":
      return { ...passedOver, idempotency: "mismatch" };
    case "repeat":
      return { ...outcomeOfAnswer(before?.answerJson ?? ""), addsNothing: true, idempotency: "repeated" };
    case "execute":
      if (idempotency.isTooOld) return { ...passedOver, idempotency: "too_old" };
      break;
  }
  const outcome = record(entry, recording);
  const answerJson = JSON.stringify(serverEventAnswer(outcome));
  answers.keep(scope, key, { fingerprint, answerJson, at: receivedAt });
  answers.forget(receivedAt - idempotencyMs, forgottenAtOnce);
  return outcome;
}

const outcomeOfAnswer = (answerJson: string): JournalOutcome => {
  const { id, reason }: ServerEventAnswer = JSON.parse(answerJson);
  return { eventId: id, refusal: reason ?? null, billedMicros: null };
};

const record = (entry: ServerEventEntry, recording: Recording): JournalOutcome => {
  if (entry.type === "served") return recordServed(entry, recording);
  if (entry.standsAlone) return recordAlone(entry, entry.type, recording);
  const { visit, offer, observed } = entry;
  const place = { placement: null, position: null };
  const seen = { visit, offer: offer.offer, vertical: offer.vertical, ...place, observed };
  switch (entry.type) {
    case "impression":
      return recordImpression(
        {
          ...{ kind: "impression", ...seen, clientHints: null, viewer: entry.viewer },
          isBilledByViews: billedEvent(offer.payoutModel) === "impression",
        },
        recording,
      );
    case "click":
      return recordClick({ kind: "click_beacon", ...seen, isReported: true }, recording);
    default:
      return entry.type satisfies never;
  }
};

/** An event that names no decision: with nothing that fixes its price or dedupes it, it counts and never bills. */
const recordAlone = (
  { visit, offer, observed }: ServerEventEntry,
  type: "impression" | "click",
  recording: Recording,
): JournalOutcome => {
  const fact = factOf(visit, {
    offer: offer.offer,
    type: factTypes[type],
    cell: recording.cells.numberOf(cellOf(visit, offer.vertical, offer.currency)),
    reason: firstRefusal(observed),
    beaconAt: visit.at,
  });
  return outcomeOf(insertOnce(recording, fact), null);
};

/**
 * An answer of one offer. A server confirms what the request was handed by its decision or an answer, whose price
 * stands: an offer that it was not handed, and any for a visitor who was let through, counts for nothing. Such a report
 * hands nothing out, so it is kept among the answers that fix no price, however often it comes.
 */
const recordServed = (entry: ServerEventEntry, recording: Recording): JournalOutcome => {
  const { visit } = entry;
  const { rows } = recording;
  const answers = rows.answersOf(visit.request);
  const handed = handedBy(answers, entry.offer.offer);
  const offer = servedOffer(entry, handed, recording);
  const isNew = offer.role !== "repeated";
  const against = handed === null ? "not_served" : "duplicate";
  const type = isNew ? factTypes.served : factTypes.repeatedAnswer;
  const fact = factOf(visit, {
    offer: 0,
    type,
    seq: isNew
      ? answers.filter((answer) => answer.type === factTypes.served).length
      : rows.nextSeq({ request: visit.request, offer: 0, type }),
    cell: offer.cell,
    reason: firstRefusal(isNew ? entry.observed : [...entry.observed, against]),
    offers: [offer],
  });
  if (isNew) saveFact(recording, null, fact);
  else saveRepetition(recording, fact);
  return outcomeOf(fact, null);
};

const servedOffer = (
  { visit, offer: reported, standsAlone }: ServerEventEntry,
  handed: Handed | null,
  { cells }: Recording,
): HandedOffer => {
  const { offer, vertical, payoutModel, priceMicros, currency } = reported;
  const own: HandedOffer = {
    offer,
    cell: cells.numberOf(cellOf(visit, vertical, currency)),
    placement: null,
    position: 0,
    payoutModel,
    priceMicros,
    role: "new",
  };
  if (standsAlone) return { ...own, role: "unpriced" };
  // Whatever it is refused for, it hands nothing out.
  if (handed === null) return { ...own, role: "repeated" };
  const { cell, placement } = handed.offer;
  return { ...own, cell, placement, ...firstTerms(handed) };
};

import { factTypes } from "../../core/fact.ts";
import { type HandedOffer, isReported } from "../../core/handed-offers.ts";
import type { AnswerFact } from "./recording.ts";

/** How a request was handed an offer. */
export type Handed = {
  offer: HandedOffer;
  /** False: what handed it out was refused, so nothing that refers to it counts. */
  counts: boolean;
  /** Milliseconds since the epoch. */
  at: number;
};

/**
 * How the request was first handed the offer: by an answer, else by its decision or as a link, and by what was refused only
 * where nothing else did. Null: not at all. A server's report of an offer that nobody had handed out hands nothing out
 * (decisions.md#refused-report), and one of an offer that was handed out says nothing of when that was.
 */
export function handedBy(answers: readonly AnswerFact[], offer: number): Handed | null {
  let served: Handed | null = null;
  let noted: Handed | null = null;
  let refused: Handed | null = null;
  for (const { type, reason, offers, at } of answers) {
    if (type === factTypes.drawn || reason === "not_served") continue;
    const found = offers?.find((handed) => handed.offer === offer && handed.role !== "repeated");
    if (found === undefined) continue;
    const handed = { offer: found, counts: reason === null, at };
    if (!handed.counts) refused ??= handed;
    else if (type === factTypes.served) served ??= handed;
    else noted ??= handed;
  }
  if (served === null) return noted ?? refused;
  return noted !== null && isReported(served.offer) ? { ...served, at: noted.at } : served;
}

/** What an answer keeps of how its request was handed the offer before. What was only noted counts as served by the answer. */
export function firstTerms({ offer }: Handed): Pick<HandedOffer, "payoutModel" | "priceMicros" | "role"> {
  const { payoutModel, priceMicros, role } = offer;
  return { payoutModel, priceMicros, role: role === "noted" ? "new" : "repeated" };
}

/** When the page first said that it has drawn the offer, in milliseconds since the epoch; null: it has not. */
export function drawnAt(answers: readonly AnswerFact[], offer: number): number | null {
  const mark = answers.find(
    ({ type, offers }) => type === factTypes.drawn && offers?.some((drawn) => drawn.offer === offer),
  );
  return mark?.at ?? null;
}

/** What the offer's billable event costs and under which model; null when nothing fixed that. */
export function termsOf(handed: Handed | null): Pick<HandedOffer, "priceMicros" | "payoutModel"> | null {
  return handed?.counts && handed.offer.role !== "unpriced" ? handed.offer : null;
}

import { describe, expect, test } from "vitest";
import { factTypes } from "../../core/fact.ts";
import type { HandedOffer } from "../../core/handed-offers.ts";
import { drawnAt, firstTerms, handedBy, termsOf } from "./handed.ts";
import type { AnswerFact } from "./recording.ts";

const offer: HandedOffer = {
  ...{ offer: 7, cell: 1, placement: "standard", position: 2, payoutModel: "CPC", priceMicros: 100 },
  role: "new",
};
const answer = (
  at: number,
  over: Partial<AnswerFact> = {},
  handed: Partial<HandedOffer> = {},
): AnswerFact => ({
  ...{ type: factTypes.served, seq: 0, at, reason: null, browser: null },
  offers: [
    { ...offer, offer: 9 },
    { ...offer, ...handed },
  ],
  ...over,
});
const link = (at: number) => answer(at, { type: factTypes.noted }, { role: "noted" });
const refused = (at: number) => answer(at, { reason: "paused" });

describe("a request was handed an offer", () => {
  test.each<[string, AnswerFact[], { at: number; counts: boolean } | null]>([
    ["by no answer", [], null],
    ["by no answer with others", [answer(1, {}, { offer: 8 })], null],
    ["by the first of two answers", [answer(1), answer(2)], { at: 1, counts: true }],
    ["by an answer, though a link came before", [link(1), answer(2)], { at: 2, counts: true }],
    ["by a link alone", [link(1), link(2)], { at: 1, counts: true }],
    ["by what was refused, where nothing else did", [refused(1), refused(2)], { at: 1, counts: false }],
    ["by an answer, though one was refused before", [refused(1), answer(2)], { at: 2, counts: true }],
    ["by a link, though an answer was refused", [refused(1), link(2)], { at: 2, counts: true }],
    ["by no repetition", [answer(1, {}, { role: "repeated" })], null],
    ["by no mark that it was drawn", [answer(1, { type: factTypes.drawn })], null],
    ["by no report of what nobody had handed out", [answer(1, { reason: "not_served" })], null],
    [
      "when its link came, where a server reports it later",
      [link(1), answer(2, {}, { position: 0 })],
      { at: 1, counts: true },
    ],
    ["when a server says, where no link came", [answer(2, {}, { position: 0 })], { at: 2, counts: true }],
  ])("%s", (_, answers, handed) => {
    const found = handedBy(answers, 7);
    expect(found && { at: found.at, counts: found.counts }).toEqual(handed);
    if (found) expect(found.offer.offer).toBe(7);
  });
});

test.each([
  ["as it was handed out", { counts: true }, {}, 100],
  ["not where that was refused", { counts: false }, {}, undefined],
  ["not where a server says so without a decision", { counts: true }, { role: "unpriced" }, undefined],
] as const)("what its event costs stands %s", (_, how, over, price) => {
  expect(termsOf({ offer: { ...offer, ...over }, at: 1, ...how })?.priceMicros).toBe(price);
});

test("what was never handed out has no price", () => {
  expect(termsOf(null)).toBeNull();
});

test.each([
  ["noted", "new"],
  ["new", "repeated"],
  ["unpriced", "repeated"],
] as const)("an answer keeps of one that was %s before that it is %s, at its price", (before, role) => {
  const handed = { offer: { ...offer, role: before }, counts: true, at: 1 };
  expect(firstTerms(handed)).toEqual({ payoutModel: "CPC", priceMicros: 100, role });
});

test("an offer was drawn when the first mark with it came", () => {
  const mark = (at: number, drawn: number) => answer(at, { type: factTypes.drawn }, { offer: drawn });
  expect(drawnAt([answer(1), mark(2, 8), mark(3, 7), mark(4, 7)], 7)).toBe(3);
  expect(drawnAt([answer(1), mark(2, 8)], 7)).toBeNull();
});

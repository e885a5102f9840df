import { expect, test } from "vitest";
import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { blocked, hop, visitOf } from "../conformance/journal-for-tests.ts";
import { KnownOutcomes } from "./known-outcomes.ts";

const kept = (name: string) => blocked(visitOf(name));
const click = (name: string) => hop(visitOf(name), 1);
const cost = (billedMicros: number): JournalOutcome => ({ eventId: null, refusal: null, billedMicros });
const nameOf = (entry: JournalEntry) => ("visit" in entry ? entry.visit.request.replace(/_+$/, "") : "");

/** Two kept entries and three clicks, of which the second click could not be recorded. */
const decided = {
  entries: [kept("k1"), kept("k2"), click("c1"), click("c2"), click("c3")],
  kept: 2,
  written: { outcomes: [cost(1), null, cost(3)], failures: [{ at: 3, message: "no such cell" }] },
};

const newKnown = () => {
  const known = new KnownOutcomes();
  known.add(decided);
  return known;
};
const nothing = { outcomes: [], failures: [] };

test("the same batch again has nothing left to write, and the outcomes that were decided", () => {
  const known = newKnown();
  const rest = known.without(decided.entries, 2);
  expect([rest.entries, rest.kept]).toEqual([[], 0]);
  expect(rest.complete(nothing)).toEqual(decided.written);
});

test("another batch is written without what is known, and each outcome stands in its own place", () => {
  const known = newKnown();
  const batch = [kept("k2"), kept("k3"), click("c3"), click("c4"), click("c2"), click("c5")];
  const rest = known.without(batch, 2);
  expect(rest.entries.map(nameOf)).toEqual(["k3", "c4", "c5"]);
  expect(rest.kept).toBe(1);
  const written = { outcomes: [null, cost(5)], failures: [{ at: 1, message: "too long" }] };
  expect(rest.complete(written)).toEqual({
    outcomes: [cost(3), null, null, cost(5)],
    failures: [
      { at: 3, message: "too long" },
      { at: 4, message: "no such cell" },
    ],
  });
});

test("a failure of a kept entry stays in its place", () => {
  const known = newKnown();
  const rest = known.without([kept("k1"), kept("k3"), click("c1")], 2);
  expect(rest.complete({ outcomes: [], failures: [{ at: 0, message: "too long" }] })).toEqual({
    outcomes: [cost(1)],
    failures: [{ at: 1, message: "too long" }],
  });
});

test("an entry is known until it is answered: one that is refused once more comes a third time", () => {
  const known = newKnown();
  const batch = [kept("k1"), click("c1")];
  known.without(batch, 1);
  known.without(batch, 1).complete(nothing);
  expect(known.without(batch, 1).entries.map(nameOf)).toEqual(["k1", "c1"]);
});

test("what several batches ended in is known side by side, until nobody comes again", () => {
  const known = newKnown();
  known.add({ entries: [click("d1")], kept: 0, written: { outcomes: [cost(9)], failures: [] } });
  const batch = [click("d1"), click("c1"), click("e1")];
  expect(known.without(batch, 0).entries.map(nameOf)).toEqual(["e1"]);
  known.clear();
  expect(known.without(batch, 0).entries).toEqual(batch);
});

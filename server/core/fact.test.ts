import { eventId } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import {
  type CountedFact,
  countFact,
  type EventPlace,
  eventIdOf,
  factKeyOf,
  factTypes,
  momentAfter,
  msAfter,
} from "./fact.ts";
import type { CountableEvent } from "./figures.ts";
import type { HandedOffer, HandedRole } from "./handed-offers.ts";

const offer = (cell: number, role: HandedRole): HandedOffer => ({
  offer: 1,
  cell,
  placement: "standard",
  position: 1,
  payoutModel: "CPC",
  priceMicros: 7,
  role,
});

const factOf = (over: Partial<CountedFact>): CountedFact => ({
  type: factTypes.blocked,
  cell: 9,
  offer: 0,
  placement: null,
  at: Date.UTC(1970, 0, 3, 23, 59),
  reason: null,
  billedMicros: null,
  earnedMicros: null,
  hopAt: null,
  offers: null,
  ...over,
});

const counted = (fact: CountedFact) => {
  const events: [EventPlace, CountableEvent][] = [];
  countFact(fact, (place, event) => void events.push([place, event]));
  return events;
};

describe("what a fact stands for", () => {
  it.each([
    ["a blocked visit", factOf({}), [[9, "blocked", false]]],
    [
      "a blocked visit that came with an offer",
      factOf({ offers: [offer(4, "noted")] }),
      [[9, "blocked", false]],
    ],
    ["a refused click", factOf({ type: factTypes.click, reason: "bot" }), [[9, "click", true]]],
    ["an impression", factOf({ type: factTypes.impression }), [[9, "impression", false]]],
    [
      "an answer",
      factOf({
        type: factTypes.served,
        offers: [offer(4, "new"), offer(5, "repeated"), offer(6, "unpriced")],
      }),
      [
        [4, "served", false],
        [5, "served", true],
        [6, "served", false],
      ],
    ],
    [
      "an answer that was refused",
      factOf({ type: factTypes.served, reason: "paused", offers: [offer(4, "new")] }),
      [[4, "served", true]],
    ],
    [
      "an answer with nothing new",
      factOf({ type: factTypes.repeatedAnswer, reason: "duplicate", offers: [offer(4, "repeated")] }),
      [[4, "served", true]],
    ],
    [
      "the mark that offers of an answer were drawn",
      factOf({ type: factTypes.drawn, offers: [offer(4, "new"), offer(5, "repeated")] }),
      [
        [4, "drawn", false],
        [5, "drawn", false],
      ],
    ],
    [
      "offers that a server only got links of",
      factOf({ type: factTypes.noted, offers: [offer(4, "noted")] }),
      [],
    ],
  ] as const)("%s", (_, fact, events) => {
    expect(counted(fact)).toEqual(
      events.map(([cell, type, isFiltered]) => [
        // A visit has no offer, and an answer several, each in its place.
        {
          cell,
          hour: 2 * 24 + 23,
          ...(cell === 9 ? { offer: 0, placement: 0 } : { offer: 1, placement: 2 }),
        },
        { type, isFiltered, billedMicros: null, earnedMicros: null },
      ]),
    );
  });

  it.each(["click", "impression"] as const)("a billed %s is counted with what it cost and earned", (type) => {
    const money = { billedMicros: 70, earnedMicros: 23 };
    const billed = factOf({ type: factTypes[type], ...money, offer: 3, placement: "premium" });
    const [[place, event] = []] = counted(billed);
    expect(place).toMatchObject({ offer: 3, placement: 1 });
    expect(event).toEqual({ type, isFiltered: false, ...money });
  });
});

it("a fact's type has a number that is stored, and so never another", () => {
  const first = { blocked: 1, served: 2, impression: 3, click: 4 };
  expect(factTypes).toEqual({ ...first, repeatedAnswer: 5, drawn: 6, noted: 7 });
});

describe("an event's id", () => {
  const key = { request: "A".repeat(16), offer: 7, type: factTypes.click, seq: 0 };
  it("is one of the contract's, and another one for each part of the key", () => {
    const keys = [
      key,
      { ...key, request: "B_-23456789abcde" },
      { ...key, offer: 0xffffffff },
      { ...key, type: factTypes.impression },
      { ...key, seq: 0xffffff },
    ];
    const ids = keys.map(eventIdOf);
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(eventId.parse(id)).toHaveLength(31);
    expect(ids.map(factKeyOf)).toEqual(keys);
  });

  it.each([
    ["another prefix", (id: string) => `req${id.slice(3)}`],
    ["a character less", (id: string) => id.slice(0, -1)],
    ["a character more", (id: string) => `${id}A`],
    ["another spelling of the same bytes", (id: string) => `${id.slice(0, -1)}B`],
    ["a type that is none", (id: string) => `${id.slice(0, 25)}Hw${id.slice(27)}`],
  ])("is none with %s", (_, change) => {
    expect(factKeyOf(change(eventIdOf(key)))).toBeNull();
  });

  it("cannot be made of more repetitions than it has room for", () => {
    expect(() => eventIdOf({ ...key, seq: 2 ** 24 })).toThrow(RangeError);
  });
});

it.each([
  ["at the same moment", 1000, 0],
  ["later", 1250, 250],
  ["earlier", 990, -10],
  ["never", null, null],
])("keeps what happened %s by the time after its fact", (_, moment, ms) => {
  expect(msAfter(1000, moment)).toBe(ms);
  expect(momentAfter(1000, ms)).toBe(moment);
});

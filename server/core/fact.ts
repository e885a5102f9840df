import type { EventId } from "@offers/contract/ids";
import type { Placement, RefusalReason } from "@offers/contract/words";
import type { CountableEvent } from "./figures.ts";
import { type HandedOffer, placementNumber } from "./handed-offers.ts";
import { hourNumber } from "./utc-day.ts";

/**
 * What a stored fact is. Offers that were handed out together are one fact; an answer that handed out nothing new has
 * a type of its own, so that however often a page asks again, looking a price up reads the few answers that fixed one.
 */
export const factTypes = {
  blocked: 1,
  served: 2,
  impression: 3,
  click: 4,
  repeatedAnswer: 5,
  /** The mark that offers of an answer stood in the page. */
  drawn: 6,
  /** Offers that a server got links of: their prices stand, and nothing is counted until it says what it served. */
  noted: 7,
} as const;
export type FactType = (typeof factTypes)[keyof typeof factTypes];

/** So many repetitions of one event, and answers of one request that handed out nothing new, are worth a row each. */
export const mostRepetitions = 20;

/** What names a fact. */
export type FactKey = {
  /** The request's key, 16 characters of base64url. */
  request: string;
  /** The offer's number; 0 for what has no one offer, and for an offer that the catalogue does not know. */
  offer: number;
  type: FactType;
  /** 0: the one of its request, offer and type that can count; from 1 on its repetitions. Answers and marks are numbered from 0 as they come. */
  seq: number;
};

/** What the counters need of a fact. */
export type CountedFact = {
  type: FactType;
  /** The number of its cell. */
  cell: number;
  /** As in its key. */
  offer: number;
  /** The placement in which its offer stood; null: it is about no offer or several, or the placement was not told. */
  placement: Placement | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** Null: it counts. */
  reason: RefusalReason | null;
  billedMicros: number | null;
  /** What the website's publisher earned of that, by its share at that moment; null like it. */
  earnedMicros: number | null;
  /** Of a click: when its hop was followed; null: it was reported only. */
  hopAt: number | null;
  /** Of an answer, of a decision that came with an offer, and of the mark that some were drawn. */
  offers: readonly HandedOffer[] | null;
};

/** How long after a fact something of it happened, in ms; null where it did not. Mostly it is the same moment, so a row keeps this. */
export function msAfter(at: number, moment: number | null): number | null {
  return moment === null ? null : moment - at;
}

/** The moment of which `msAfter` tells. */
export function momentAfter(at: number, ms: number | null): number | null {
  return ms === null ? null : at + ms;
}

/** Where and when an event counts: nothing that a report tells apart is finer. */
export type EventPlace = {
  /** The number of its cell. */
  cell: number;
  /** As `hourNumber`. */
  hour: number;
  /** The offer's number; 0: it has none. */
  offer: number;
  /** A `placementNumber`. */
  placement: number;
};

/** Takes one event. */
export type CountEvent = (place: EventPlace, event: CountableEvent) => void;

/**
 * Names every event that a fact stands for, which is one but for an answer: that is an event for each of its offers, and
 * none for offers that a server only got links of.
 * The writer's counters and their recount both count by it.
 */
export function countFact(fact: CountedFact, count: CountEvent): void {
  const { cell, offer } = fact;
  const hour = hourNumber(fact.at);
  const own = { cell, hour, offer, placement: placementNumber(fact.placement) };
  const isFiltered = fact.reason !== null;
  const { billedMicros, earnedMicros } = fact;
  switch (fact.type) {
    case factTypes.blocked:
      count(own, { type: "blocked", isFiltered, ...unbilled });
      return;
    case factTypes.impression:
      count(own, { type: "impression", isFiltered, billedMicros, earnedMicros });
      return;
    case factTypes.click:
      count(own, { type: "click", isFiltered, billedMicros, earnedMicros });
      return;
    case factTypes.served:
    case factTypes.repeatedAnswer:
      for (const handed of fact.offers ?? []) {
        const refusal = handedRefusal(fact.reason, handed);
        count(placeOf(handed, hour), { type: "served", isFiltered: refusal !== null, ...unbilled });
      }
      return;
    case factTypes.drawn:
      for (const handed of fact.offers ?? []) {
        count(placeOf(handed, hour), { type: "drawn", isFiltered, ...unbilled });
      }
      return;
    case factTypes.noted:
      return;
    default:
      fact.type satisfies never;
  }
}

/** Why the event of one of an answer's offers does not count, by the answer's own reason; null: it does. */
export function handedRefusal(
  reason: RefusalReason | null,
  { role }: Pick<HandedOffer, "role">,
): RefusalReason | null {
  return role === "repeated" ? (reason ?? "duplicate") : reason;
}

const unbilled = { billedMicros: null, earnedMicros: null };
const placeOf = ({ cell, offer, placement }: HandedOffer, hour: number): EventPlace => ({
  cell,
  hour,
  offer,
  placement: placementNumber(placement),
});

const tailBytes = 8;
const idShape = /^evt_([A-Za-z0-9_-]{16})([A-Za-z0-9_-]{11})$/;

/**
 * The id under which a fact is known outside: `evt_` and 27 characters. It is made of the fact's key, so no table
 * keeps it.
 * @throws RangeError when a repetition has a number above 2^24 - 1.
 */
export function eventIdOf({ request, offer, type, seq }: FactKey): EventId {
  // Each of its bytes is written, so it may come unfilled, which costs a third.
  const tail = Buffer.allocUnsafe(tailBytes);
  tail.writeUInt32BE(offer, 0);
  tail.writeUInt8(type, 4);
  tail.writeUIntBE(seq, 5, 3);
  return `evt_${request}${tail.toString("base64url")}` as EventId;
}

/** The key that an event's id is made of; null when `eventIdOf` makes no such id. */
export function factKeyOf(id: string): FactKey | null {
  const [, request = "", tail = ""] = idShape.exec(id) ?? [];
  const bytes = Buffer.from(tail, "base64url");
  if (bytes.length !== tailBytes || bytes.toString("base64url") !== tail) return null;
  const type = Object.values(factTypes).find((known) => known === bytes.readUInt8(4));
  return type === undefined
    ? null
    : { request, offer: bytes.readUInt32BE(0), type, seq: bytes.readUIntBE(5, 3) };
}

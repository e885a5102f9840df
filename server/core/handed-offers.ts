import type { PayoutModel, Placement } from "@offers/contract/words";
import { packedBytes, pushByte, pushNumber, readByte, readNumber, startPacking } from "./packed-numbers.ts";

/** One offer of an answer, as the answer's fact keeps it. */
export type HandedOffer = {
  /** The offer's number in the catalogue. */
  offer: number;
  /** The number of its cell. */
  cell: number;
  /** Null: a server's own `served` event without a decision does not say. */
  placement: Placement | null;
  /** From 1, within the placement; 0: a server's own `served` event does not say. */
  position: number;
  payoutModel: PayoutModel;
  /** The price of its billable event, in whole micro-units. */
  priceMicros: number;
  /**
   * `new`: handed out now, at this price. `repeated`: the request was handed it before, and the price of that time
   * stands; it counts as filtered. `noted`: a decision came with it, which fixes its price and counts nothing.
   * `unpriced`: a server says so without a decision, so it counts and nothing is ever billed for it.
   */
  role: HandedRole;
};

/** Whether a server has said that it was served: the place of the answer stands as it was handed out, the position is not known. */
export function isReported({ position }: Pick<HandedOffer, "position">): boolean {
  return position === 0;
}

/**
 * Places in these three lists are stored and sealed, so a new word is only ever appended, wherever it stands in the contract's
 * lists, which are in the order in which people read them.
 */
const storedPlacements = ["premium", "standard", "section"] as const;
const storedModels = ["CPC", "CPM", "CPA", "CPL", "REVSHARE"] as const;
const roles = ["new", "repeated", "noted", "unpriced"] as const;
export type HandedRole = (typeof roles)[number];

/** The first byte. Another layout gets another number, and this one stays readable. */
const layout = 1;

/**
 * Writes the offers of one answer as bytes: the layout's number, then for each offer its number, cell, position and
 * price as base-128 numbers, lowest bits first, and one byte each for role with placement and for the payout model.
 * @throws RangeError when a number is negative or no whole number.
 */
export function packOffers(offers: readonly HandedOffer[]): Uint8Array {
  const packing = startPacking();
  pushByte(packing, layout);
  for (const { offer, cell, placement, position, payoutModel, priceMicros, role } of offers) {
    pushNumber(packing, offer);
    pushNumber(packing, cell);
    pushByte(packing, roles.indexOf(role) * 16 + placementNumber(placement));
    pushByte(packing, storedModels.indexOf(payoutModel));
    pushNumber(packing, position);
    pushNumber(packing, priceMicros);
  }
  return packedBytes(packing);
}

/**
 * Reads what `packOffers` wrote.
 * @throws RangeError when the bytes are of another layout or end too early: the database is damaged, or of a later
 * program.
 */
export function unpackOffers(bytes: Uint8Array): HandedOffer[] {
  if (bytes[0] !== layout) throw new RangeError(`no layout of offers: ${bytes[0]}`);
  const reading = { bytes, at: 1 };
  const offers: HandedOffer[] = [];
  while (reading.at < bytes.length) {
    const offer = readNumber(reading);
    const cell = readNumber(reading);
    const head = readByte(reading);
    const payoutModel = storedModels[readByte(reading)];
    const position = readNumber(reading);
    const priceMicros = readNumber(reading);
    const role = roles[head >> 4];
    if (role === undefined || payoutModel === undefined) throw new RangeError("no packed offers");
    offers.push({ offer, cell, placement: placementOf(head & 15), position, payoutModel, priceMicros, role });
  }
  return offers;
}

/** A placement as tables keep it: from 1; 0: none. */
export function placementNumber(placement: Placement | null): number {
  return placement === null ? 0 : storedPlacements.indexOf(placement) + 1;
}

/** The placement of a `placementNumber`; null: none. */
export function placementOf(number: number): Placement | null {
  return storedPlacements[number - 1] ?? null;
}

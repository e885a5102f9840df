import { payoutModels, placements } from "@offers/contract/words";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HandedOffer, packOffers, placementNumber, placementOf, unpackOffers } from "./handed-offers.ts";

const offer: HandedOffer = {
  offer: 300,
  cell: 5,
  placement: "premium",
  position: 1,
  payoutModel: "CPC",
  priceMicros: 400_000,
  role: "new",
};

const anyOffer: fc.Arbitrary<HandedOffer> = fc.record({
  offer: fc.nat({ max: 0xffffffff }),
  cell: fc.nat(),
  placement: fc.constantFrom(null, ...placements),
  position: fc.nat({ max: 65_535 }),
  payoutModel: fc.constantFrom(...payoutModels),
  priceMicros: fc.maxSafeNat(),
  role: fc.constantFrom("new", "repeated", "noted", "unpriced"),
});

describe("packed offers", () => {
  it("come back as they were, however many and whatever they cost", () => {
    fc.assert(
      fc.property(fc.array(anyOffer, { maxLength: 21 }), (offers) => {
        expect(unpackOffers(packOffers(offers))).toEqual(offers);
      }),
    );
  });

  it.each<[Partial<HandedOffer>, number[]]>([
    [{ placement: null, payoutModel: "CPC", role: "new" }, [0x00, 0]],
    [{ placement: "premium", payoutModel: "CPM", role: "repeated" }, [0x11, 1]],
    [{ placement: "standard", payoutModel: "CPA", role: "noted" }, [0x22, 2]],
    [{ placement: "section", payoutModel: "CPL", role: "unpriced" }, [0x33, 3]],
    [{ placement: "premium", payoutModel: "REVSHARE", role: "new" }, [0x01, 4]],
  ])("with %o are these bytes, whatever the order of the contract's lists", (differing, [head, model]) => {
    const given: HandedOffer = {
      ...offer,
      ...{ offer: 7, cell: 5, position: 2, priceMicros: 9 },
      ...differing,
    };
    expect([...packOffers([given])]).toEqual([1, 7, 5, head, model, 2, 9]);
  });

  it("of a usual answer take eight to ten bytes each", () => {
    expect(packOffers(Array(7).fill(offer))).toHaveLength(1 + 7 * 9);
  });

  it.each([
    ["nothing", []],
    ["another layout", [2, 1, 1]],
    ["an end within a number", [1, 0x80]],
    ["an end within an offer", [1, 5, 5, 0]],
    ["a role that does not exist", [1, 5, 5, 0x70, 0, 1, 1]],
    ["a payout model that does not exist", [1, 5, 5, 0, 9, 1, 1]],
  ])("are refused when they are %s", (_, bytes) => {
    expect(() => unpackOffers(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("cannot hold a price of %d", (priceMicros) => {
    expect(() => packOffers([{ ...offer, priceMicros }])).toThrow(RangeError);
  });
});

it("a placement has a number from 1 that is stored, and none has 0", () => {
  const stored = [null, "premium", "standard", "section"] as const;
  expect(stored.map(placementNumber)).toEqual([0, 1, 2, 3]);
  expect([0, 1, 2, 3, 4].map(placementOf)).toEqual([...stored, null]);
  expect(placements.map((placement) => placementOf(placementNumber(placement)))).toEqual(placements);
});

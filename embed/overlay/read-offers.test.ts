import { offersAnswer, type ServedOffer } from "@offers/contract/offers";
import { offerSlots } from "@offers/contract/words";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { readOffers } from "./read-offers.ts";

const base = "https://offers.example/";
const served = (name: string, changes: object = {}) => ({
  ...({
    id: `offer_${name}`,
    vertical: "travel",
    brand: "Meridian Travel",
    title: "A week by the sea",
    description: "Breakfast included.",
    ctaText: "Book",
    imageUrl: "https://cdn.example/meridian.png",
    url: `${base}v1/r?t=${name}`,
    placement: "standard",
    position: 1,
    disclosure: "",
    terms: "",
    lang: "en",
    langOf: {},
  } satisfies Record<keyof ServedOffer, unknown>),
  ...changes,
});
const answer = (premium: unknown, standard: unknown) => ({
  requestId: "req_1",
  country: "DE",
  region: "",
  premium,
  standard,
  emptyReason: null,
});
const titles = (premium: unknown[], standard: unknown[]) =>
  readOffers(answer(premium, standard), base)?.map(({ id, placement, position }) => [
    id,
    placement,
    position,
  ]);

test("an answer of the contract is taken over whole, the premium offer first", () => {
  const premium = [served("p", { placement: "premium" })];
  const standard = [served("a"), served("b", { position: 2 })];
  expect(offersAnswer.safeParse(answer(premium, standard)).success).toBe(true);
  expect(titles(premium, standard)).toEqual([
    ["offer_p", "premium", 1],
    ["offer_a", "standard", 1],
    ["offer_b", "standard", 2],
  ]);
});

test.each([
  [
    "wraps what has no length, as that of MooTools does",
    (value: object) => ("length" in value ? value : [value]),
  ],
  ["finds nothing there, as that of Prototype does", () => []],
])("an `Array.from` of the page's that %s changes nothing", (_name, from) => {
  vi.stubGlobal("Array", Object.assign(class extends Array {}, { from, isArray: Array.isArray }));
  try {
    expect(titles([], [served("a")])).toEqual([["offer_a", "standard", 1]]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test("the languages of an offer's texts are read, and taken for unsaid where they are no texts", () => {
  const langs = (members: object) => {
    const [offer] = readOffers(answer([], [served("a", members)]), base) ?? [];
    return [offer?.lang, offer?.langOf];
  };
  const none = { description: "", ctaText: "", disclosure: "", terms: "" };
  expect(langs({ lang: "de-AT", langOf: { terms: "en" } })).toEqual(["de-AT", { ...none, terms: "en" }]);
  expect(langs({ lang: "de", langOf: undefined })).toEqual(["de", none]);
  expect(langs({ lang: 7, langOf: [{ terms: "en" }] })).toEqual(["", none]);
});

test("an answer without offers is an answer", () => {
  expect(readOffers(answer([], []), base)).toEqual([]);
});

describe("an offer", () => {
  test.each([
    ["no id", { id: "" }],
    ["no title", { title: "  " }],
    ["a title that is no text", { title: { html: "<b>" } }],
    ["a link to somewhere else", { url: "https://advertiser.example/" }],
    ["a script for a link", { url: "javascript:alert(1)" }],
    ["no link", { url: undefined }],
  ])("with %s is left out, its neighbours keep their places", (_name, changes) => {
    expect(titles([], [served("a"), served("b", changes), served("c")])).toEqual([
      ["offer_a", "standard", 1],
      ["offer_c", "standard", 3],
    ]);
  });

  test("keeps nothing of a picture that must not be loaded", () => {
    const offers = readOffers(answer([], [served("a", { imageUrl: "data:image/png;base64,AA" })]), base);
    expect(offers?.[0]?.imageUrl).toBeNull();
  });

  test("counts once, however often it is named", () => {
    expect(titles([served("a")], [served("a"), served("b")])).toHaveLength(2);
  });
});

test("no more offers are drawn than the contract has room for", () => {
  const many = Array.from({ length: 500 }, (_, index) => served(String(index)));
  const offers = readOffers(answer([served("p"), served("q")], many), base) ?? [];
  expect(offers.filter(({ placement }) => placement === "premium")).toHaveLength(offerSlots.premium);
  expect(offers.filter(({ placement }) => placement === "standard")).toHaveLength(offerSlots.standardMost);
});

test.each([
  ["null", null],
  ["a list", []],
  ["a text", "offers"],
  ["one list missing", { premium: [] }],
  ["objects for lists", { premium: {}, standard: {} }],
  ["nothing that can be drawn", answer([null], [1, "a", [], {}])],
  ["one offer that cannot be drawn", answer([], [{}])],
])("%s is no answer", (_name, value) => {
  expect(readOffers(value, base)).toBeNull();
});

test("any JSON value is read without an error, and what is drawn is safe", () => {
  const member = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.constant(`${base}v1/r?t=x`));
  const offer = fc.oneof(
    fc.record({ id: member, title: member, url: member, imageUrl: member, brand: member, terms: member }),
    fc.jsonValue(),
  );
  const list = fc.oneof(fc.array(offer), fc.jsonValue());
  const anything = fc.oneof(fc.jsonValue(), fc.record({ premium: list, standard: list }));
  fc.assert(
    fc.property(anything, (value) => {
      const offers = readOffers(value, base) ?? [];
      expect(offers.every(({ url }) => url.startsWith(base))).toBe(true);
      expect(offers.every(({ imageUrl }) => imageUrl === null || imageUrl.startsWith("https:"))).toBe(true);
      expect(new Set(offers.map(({ id }) => id)).size).toBe(offers.length);
    }),
  );
});

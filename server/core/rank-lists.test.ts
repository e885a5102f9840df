import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createOffersByPlace } from "./offers-by-place.ts";
import { createRankLists } from "./rank-lists.ts";
import { sampleAllowlist, sampleOffer } from "./sample-catalogue.ts";
import { rankedOffer } from "./sorted-offers.ts";

const books = () => sampleAllowlist({ mode: "allowlist", allow: { verticals: ["books"] } });

function listsOf(count: number, most: number) {
  const byPlace = createOffersByPlace();
  for (let number = 1; number <= count; number += 1) {
    const vertical = number % 2 === 0 ? "books" : "games";
    byPlace.add(
      rankedOffer(
        sampleOffer({ number, id: `offer_${number}`, vertical, premium: true, geoCoverage: ["DE"] }),
        null,
      ),
    );
  }
  return { byPlace, lists: createRankLists(byPlace, most) };
}

test("a list is made once, holds what is permitted, and is made again when an offer comes to its place", () => {
  const { byPlace, lists } = listsOf(6, 1000);
  const allowlist = books();
  const first = lists.at(allowlist, "DE");
  expect(first?.all.offers.map(({ offer }) => offer.number)).toEqual([2, 4, 6]);
  expect(lists.at(allowlist, "DE")).toBe(first);
  byPlace.add(rankedOffer(sampleOffer({ number: 7, id: "offer_7", geoCoverage: ["FR"] }), null));
  expect(lists.at(allowlist, "DE")).toBe(first);
  byPlace.add(rankedOffer(sampleOffer({ number: 8, id: "offer_8", geoCoverage: ["DE"] }), null));
  expect(lists.at(allowlist, "DE")?.all.offers).toHaveLength(4);
});

test("in mode all every website has the place's own list", () => {
  const { byPlace, lists } = listsOf(6, 1000);
  const block = { verticals: ["games"] };
  expect(lists.at(sampleAllowlist({ mode: "all", block }), "DE")).toBe(byPlace.at("DE"));
});

test("a place that no offer ever named has none", () => {
  expect(listsOf(1, 1000).lists.at(books(), "US")).toBeNull();
});

test("lists that nobody asks for are dropped when there are too many, and those in use stay", () => {
  const { lists } = listsOf(200, 2000);
  const [used, forgotten] = [books(), books()];
  const kept = lists.at(used, "DE");
  const lost = lists.at(forgotten, "DE");
  for (let other = 0; other < 50; other += 1) {
    lists.at(books(), "DE");
    expect(lists.at(used, "DE")).toBe(kept);
  }
  expect(lists.at(forgotten, "DE")).not.toBe(lost);
  expect(lists.at(forgotten, "DE")).toEqual(lost);
});

test("of an offer that has come and gone where nobody asks nothing is kept", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const byPlace = createOffersByPlace();
  const comeAndGo = (number: number) => {
    const ranked = rankedOffer(sampleOffer({ number, id: `offer_${number}`, geoCoverage: ["DE"] }), null);
    byPlace.add(ranked);
    byPlace.remove(ranked);
    return new WeakRef(ranked);
  };
  const gone = [1, 2, 3].map(comeAndGo);
  await new Promise(setImmediate);
  collect();
  expect(gone.map((one) => one.deref())).toEqual([undefined, undefined, undefined]);
});

import { expect, test } from "vitest";
import { createLearntRates } from "./click-rates.ts";
import { chooseOffers } from "./offer-choice.ts";
import { handOutShare, isAmongShare, shareOfDay } from "./pacing.ts";
import { sampleCatalogue, sampleOffer, sampleWebsite } from "./sample-catalogue.ts";
import { stableHash } from "./stable-hash.ts";
import { dayNumber } from "./utc-day.ts";

const at = (time: string) => Date.parse(`2026-05-04T${time}Z`);
const today = dayNumber(at("00:00"));
const tenMinutes = 1 / 144;

test.each([
  ["nobody at midnight", "00:00", 0, 0],
  ["half of the requests after five minutes without a click", "00:05", 0, 0.5],
  ["all after ten", "00:10", 0, 1],
  ["none on the plan", "12:00", 0.5, 0],
  ["none before it", "12:00", 0.6, 0],
  ["a tenth when a minute behind", "12:00", 0.5 - tenMinutes / 10, 0.1],
  ["all when far behind", "12:00", 0, 1],
  ["none with the whole cap spent", "23:59:59.999", 1, 0],
  ["still some of the last requests of the day", "23:59:59.999", 1 - tenMinutes / 5, 0.2],
])("an offer is handed to %s", (_, time, spentShare, expected) => {
  const share = handOutShare({ offer: 1, day: today, spentShare, createdAt: 0 }, at(time));
  expect(share).toBeCloseTo(expected, 5);
});

test.each([
  ["from the day's beginning when it was made before", "2026-05-03T18:00Z", "12:00", 0.5, 0],
  ["from its making on that day", "2026-05-04T18:00Z", "21:00", 0.5, 0],
  ["and then ten minutes shrink with its day", "2026-05-04T18:00Z", "21:00", 0.5 - tenMinutes / 2, 0.5],
  ["from now on when a clock was set back behind its making", "2026-05-04T18:00Z", "12:00", 0, 0],
])("the plan runs %s", (_, made, time, spentShare, expected) => {
  const share = handOutShare({ offer: 1, day: today, spentShare, createdAt: Date.parse(made) }, at(time));
  expect(share).toBeCloseTo(expected, 5);
});

test("what was spent on another day is not of this one's plan", () => {
  const spend = { offer: 1, day: today - 1, spentShare: 1, createdAt: 0 };
  expect(handOutShare(spend, at("00:05"))).toBeCloseTo(0.5);
});

test("of an offer that runs at no time of the day nothing is planned", () => {
  const spend = { offer: 1, day: today, spentShare: 0, createdAt: 0 };
  expect(handOutShare(spend, at("12:00"), () => 0)).toBe(0);
});

const noCaps = { dailyBudgetMicros: null, dailyClickCap: null };
test.each([
  ["no day cap has none", noCaps, null],
  ["a budget alone", { ...noCaps, dailyBudgetMicros: 1000 }, 0.3],
  ["a click cap alone", { ...noCaps, dailyClickCap: 5 }, 0.4],
  ["the one that is further", { dailyBudgetMicros: 1000, dailyClickCap: 5 }, 0.4],
  ["a cap that was lowered below what is spent", { ...noCaps, dailyBudgetMicros: 100 }, 1],
  ["a cap of nothing", { ...noCaps, dailyClickCap: 0 }, 1],
])("the share of the day's cap: %s", (_, caps, expected) => {
  expect(shareOfDay(caps, { micros: 300, clicks: 2 })).toBe(expected);
});

test("of a cap of nothing all is spent before anything is", () => {
  expect(shareOfDay({ ...noCaps, dailyClickCap: 0 }, { micros: 0, clicks: 0 })).toBe(1);
});

test("a share of requests is that share, always the same ones, and grows by adding others", () => {
  const ties = Array.from({ length: 10_000 }, (_, request) => stableHash(`request ${request}`));
  const among = (share: number) => ties.filter((tie) => isAmongShare(share, tie));
  expect(among(0)).toEqual([]);
  expect(among(1)).toEqual(ties);
  expect(among(0.3).length / ties.length).toBeCloseTo(0.3, 1);
  const more = new Set(among(0.6));
  expect(among(0.3).every((tie) => more.has(tie))).toBe(true);
  // Whoever ranks high is met as often as whoever does not.
  const high = ties.filter((tie) => tie > 2 ** 31);
  expect(high.filter((tie) => isAmongShare(0.3, tie)).length / high.length).toBeCloseTo(0.3, 1);
});

test("an offer that is spread over the day stands back for others, and where there is none the answer says so", () => {
  const website = sampleWebsite();
  const even = sampleOffer({
    ...{ number: 1, id: "offer_even", brand: "Even", pacing: "even", dailyClickCap: 100 },
    payoutMicros: 1_000_000_000,
  });
  const other = sampleOffer({ number: 2, id: "offer_other", brand: "Other", payoutMicros: 0 });
  const countOf = (wanted: string, offers: (typeof even)[], spentShare: number): number => {
    const catalogue = sampleCatalogue({ websites: [website], offers });
    const spend = { offer: 1, day: today, spentShare, createdAt: 0 };
    const found = Array.from({ length: 200 }, (_, visit) => {
      const { premium, emptyReason } = chooseOffers({
        facts: { allowed: false, surface: "overlay", country: "DE", region: "", request: `request ${visit}` },
        ...{ catalogue, website, rates: createLearntRates(), hasBudget: () => true, limit: 0 },
        pacedSpend: (offer) => (offer === 1 ? spend : undefined),
        now: at("12:00"),
      });
      return premium[0]?.id ?? emptyReason;
    });
    return found.filter((one) => one === wanted).length;
  };
  expect(countOf("offer_other", [even, other], 0.5)).toBe(200);
  expect(countOf("offer_even", [even, other], 0.4)).toBe(200);
  const half = countOf("offer_even", [even, other], 0.5 - tenMinutes / 2);
  expect(half).toBeGreaterThan(70);
  expect(half).toBeLessThan(130);
  expect(countOf("budgets_exhausted", [even], 0.5)).toBe(200);
  // One that spends as visitors come has no plan to be behind of.
  expect(countOf("offer_even", [{ ...even, pacing: "asap" }, other], 0.5)).toBe(200);
});

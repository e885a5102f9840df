import type { OfferInput } from "@offers/contract/catalogue";
import { expect, it } from "vitest";
import { patchOf } from "./merge-patch.ts";
import { draftOf, mergeOffers, newDraft, type OfferDraft, offerOfDraft, readOffer } from "./offer-draft.ts";

const saved = {
  advertiserId: "advertiser_1",
  brand: "Brightwave",
  vertical: "energy",
  title: "Wind",
  description: "",
  ctaText: "Go",
  disclosure: "Ad",
  terms: "",
  language: "en",
  locales: { de: { title: "Wind!" }, "pt-BR": { title: "Vento" } },
  imageUrl: null,
  landingUrl: "https://brightwave.example/",
  geoCoverage: ["DE", "US-NJ"],
  payoutModel: "CPC",
  payoutMicros: 450_000,
  conversionRateBasisPoints: 125,
  currency: "EUR",
  premium: true,
  dailyBudgetMicros: null,
  totalBudgetMicros: 9_000_000,
  dailyClickCap: 30,
  totalClickCap: null,
  pacing: "asap",
  startsAt: "2026-12-01",
  endsAt: null,
  days: ["mon"],
  hours: ["9-17"],
  timeZone: "UTC",
  languages: [],
  devices: [],
  onlyPublishers: ["publisher_1", "publisher_2"],
  exceptPublishers: [],
} satisfies Record<keyof OfferInput, unknown>;

it("writes an offer into fields and reads the same offer back", () => {
  expect(offerOfDraft(draftOf(saved))).toEqual({ ok: true, offer: saved });
});

it("patches what differs and nothing else, and takes out a locale that is gone", () => {
  expect(patchOf(saved, saved)).toEqual({});
  const draft = {
    ...draftOf(saved),
    payoutMicros: "0.5",
    totalBudgetMicros: "",
    locales: '{"de":{"title":"Neu"}}',
  };
  const read = offerOfDraft(draft);
  expect(read.ok && patchOf(saved, read.offer)).toEqual({
    payoutMicros: 500_000,
    totalBudgetMicros: null,
    locales: { de: { title: "Neu" }, "pt-BR": null },
  });
});

it.each<[string, Partial<OfferDraft>, object, object, object?]>([
  [
    "a language that they have added stays beside a text that was changed here",
    { locales: '{"de": {"title": "Neu"}, "pt-BR": {"title": "Vento"}}' },
    { locales: { ...saved.locales, fr: { title: "Vent" } } },
    { locales: { de: { title: "Neu" }, "pt-BR": { title: "Vento" }, fr: { title: "Vent" } } },
  ],
  [
    "places, days and languages of both stay, and what one has taken away is gone",
    { geoCoverage: "DE, US-NJ, FR", days: "mon, tue", languages: "en, de" },
    { geoCoverage: ["US-NJ", "ES"], days: ["mon", "fri"], languages: ["en", "fr"] },
    { geoCoverage: ["US-NJ", "ES", "FR"], days: ["mon", "fri", "tue"], languages: ["en", "fr", "de"] },
  ],
  [
    "what they have opened to all is as it was typed here",
    { days: "mon, tue", languages: "en, de", devices: "phone, tablet" },
    { days: [], languages: [], devices: [] },
    { days: ["mon", "tue"], languages: ["en", "de"], devices: ["phone", "tablet"] },
  ],
  [
    "what was opened to all here is for all",
    { days: "", languages: "", devices: "" },
    { days: ["mon", "tue"], languages: ["en", "de"], devices: ["phone", "tablet"] },
    { days: [], languages: [], devices: [] },
  ],
  [
    "what both have narrowed is as it was typed here",
    { devices: "phone", days: "tue" },
    { devices: ["tablet"], days: ["wed"] },
    { devices: ["phone"], days: ["tue"] },
    { devices: [], days: ["tue", "wed"] },
  ],
  [
    "publishers that both have excepted are excepted, and of those that alone may show it mine stand",
    { exceptPublishers: "publisher_a", onlyPublishers: "publisher_c" },
    { exceptPublishers: ["publisher_b"], onlyPublishers: ["publisher_d"] },
    { exceptPublishers: ["publisher_b", "publisher_a"], onlyPublishers: ["publisher_c"] },
    { exceptPublishers: [], onlyPublishers: [] },
  ],
  [
    "an exception that was taken back here leaves theirs",
    { exceptPublishers: "" },
    { exceptPublishers: ["publisher_a", "publisher_b"] },
    { exceptPublishers: ["publisher_b"] },
    { exceptPublishers: ["publisher_a"] },
  ],
  ["of hours all are those of one of the two", { hours: "8-17" }, { hours: ["9-18"] }, { hours: ["8-17"] }],
  [
    "what was not touched here is theirs",
    { title: "Mine" },
    { hours: [], days: [], devices: ["phone", "tablet"] },
    { title: "Mine" },
  ],
  [
    "what both have changed is as it was typed here",
    { title: "Mine", payoutMicros: "0.5", locales: '{"de": {"title": "Meins"}}' },
    { title: "Theirs", payoutMicros: 600_000, locales: { de: { title: "Ihrs" } } },
    { title: "Mine", payoutMicros: 500_000, locales: { de: { title: "Meins" } } },
  ],
])("saved over somebody else's, %s", (_, typed, changed, merged, had = {}) => {
  const first = { ...saved, languages: ["en"], devices: ["phone"], ...had };
  const before = draftOf(first);
  const over = mergeOffers(before, { ...before, ...typed }, draftOf({ ...first, ...changed }));
  expect(readOffer(over)).toEqual({ ...first, ...changed, ...merged });
});

it("saves nothing over somebody else's while a field cannot be read, and names it", () => {
  const before = draftOf(saved);
  const over = () => mergeOffers(before, { ...before, locales: "{" }, before);
  expect(over).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ parameter: "locales" })] }),
  );
});

it("names each field that cannot be read", () => {
  const draft = {
    ...newDraft,
    payoutMicros: "",
    dailyBudgetMicros: "0,5",
    dailyClickCap: "3.5",
    locales: "[]",
  };
  const read = offerOfDraft(draft);
  expect(read.ok ? [] : Object.keys(read.wrong).sort()).toEqual([
    "dailyBudgetMicros",
    "dailyClickCap",
    "locales",
    "payoutMicros",
  ]);
});

it.each([
  ["CPM", "4.5005", { payoutMicros: expect.stringContaining("three decimals") }],
  ["CPM", "4.500", null],
  ["CPC", "4.5005", null],
])("of the price of %s, %s is told in what its field takes", (payoutModel, payoutMicros, wrong) => {
  const read = offerOfDraft({ ...newDraft, payoutModel, payoutMicros });
  expect(read.ok ? null : read.wrong).toEqual(wrong);
});

it.each([
  ["", null],
  ["2.5", 250],
  ["100", 10_000],
])("of a conversion rate %j is %s", (conversionRateBasisPoints, basisPoints) => {
  expect(readOffer({ ...newDraft, payoutMicros: "1", conversionRateBasisPoints })).toMatchObject({
    conversionRateBasisPoints: basisPoints,
  });
});

it.each(["0", "0.00", "100.01", "2,5", "2.555", "200 %"])(
  "a conversion rate of %j is refused in what its field takes",
  (conversionRateBasisPoints) => {
    const read = offerOfDraft({ ...newDraft, payoutMicros: "1", conversionRateBasisPoints });
    expect(read.ok ? null : read.wrong).toEqual({
      conversionRateBasisPoints: expect.stringContaining("0.01 to 100"),
    });
  },
);

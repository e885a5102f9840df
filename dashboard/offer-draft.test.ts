import { expect, it } from "vitest";
import { patchOf } from "./merge-patch.ts";
import { draftOf, mergeOffers, newDraft, offerOfDraft, readOffer } from "./offer-draft.ts";

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
};

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

it.each([
  [
    "a language that they have added stays beside a text that was changed here",
    { locales: '{"de": {"title": "Neu"}, "pt-BR": {"title": "Vento"}}' },
    { locales: { ...saved.locales, fr: { title: "Vent" } } },
    { locales: { de: { title: "Neu" }, "pt-BR": { title: "Vento" }, fr: { title: "Vent" } } },
  ],
  [
    "places, languages and devices of both stay, and what one has taken away is gone",
    { geoCoverage: "DE, US-NJ, FR", languages: "de", devices: "phone" },
    { geoCoverage: ["US-NJ", "ES"], languages: ["fr"], devices: ["tablet"] },
    { geoCoverage: ["US-NJ", "ES", "FR"], languages: ["fr", "de"], devices: ["tablet", "phone"] },
  ],
  [
    "days and hours are as lists are",
    { days: "mon, tue", hours: "9-17, 20-22" },
    { days: ["mon", "fri"], hours: [] },
    { days: ["mon", "fri", "tue"], hours: ["20-22"] },
  ],
  [
    "what both have changed is as it was typed here",
    { title: "Mine", payoutMicros: "0.5", locales: '{"de": {"title": "Meins"}}' },
    { title: "Theirs", payoutMicros: 600_000, locales: { de: { title: "Ihrs" } } },
    { title: "Mine", payoutMicros: 500_000, locales: { de: { title: "Meins" } } },
  ],
])("saved over somebody else's, %s", (_, typed, changed, merged) => {
  const before = draftOf(saved);
  const over = mergeOffers(before, { ...before, ...typed }, draftOf({ ...saved, ...changed }));
  expect(readOffer(over)).toEqual({ ...saved, ...changed, ...merged });
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

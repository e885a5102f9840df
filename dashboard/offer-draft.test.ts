import { expect, it } from "vitest";
import { patchOf } from "./merge-patch.ts";
import { draftOf, newDraft, offerOfDraft } from "./offer-draft.ts";

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

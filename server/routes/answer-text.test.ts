import type { DecisionAnswer } from "@offers/contract/decision";
import { requestId as requestIdOf } from "@offers/contract/ids";
import type { OffersAnswer, ServedOffer } from "@offers/contract/offers";
import type { ServerDecisionAnswer } from "@offers/contract/server-decision";
import { describe, expect, it } from "vitest";
import type { GeoVerdict } from "../core/geo-decision.ts";
import { sampleOffer, sampleWebsite } from "../core/sample-catalogue.ts";
import { createDecisionText, createOffersText, createServerDecisionText } from "./answer-text.ts";
import type { Slot } from "./handed-out.ts";

const requestId = requestIdOf.parse("req_abc-123_XYZ");
const place = { country: "US", region: "NJ" };
/** Whatever has to be escaped, or is longer in UTF-8 than it looks. */
const awkward = 'Say "no" \\ to\n</script>\u2028 — café 🎯 \ud800';
const linkOf = ({ offer, position }: Slot) => `https://offers.test/v1/r?t=${offer.id}-${position}`;

describe("the text of a decision", () => {
  const plain = sampleWebsite();
  const wordy = sampleWebsite({
    settings: {
      ...plain.settings,
      title: awkward,
      message: awkward,
      language: "de",
      supportContact: { email: "help@shop.example", label: awkward },
      fallbackUrl: "https://shop.example/else",
      fallbackLabel: awkward,
    },
  });
  const textOf = createDecisionText();
  const hidden = { frequency: "day", show: false, hidden: "shown_today" } as const;

  it.each([
    ["an allowed visitor of a plain website", plain, { allowed: true }],
    ["a blocked one", plain, { allowed: false, reason: "region_blocked" }],
    ["an allowed visitor of a website with words of its own", wordy, { allowed: true }],
    ["a blocked one there", wordy, { allowed: false, reason: "location_unknown" }],
  ] as const)("is the typed answer's JSON for %s, each time", (_, website, verdict) => {
    const { settings } = website;
    const answer: DecisionAnswer = {
      allowed: verdict.allowed,
      requestId,
      ...place,
      ...(!verdict.allowed && {
        blocked: {
          reason: verdict.reason,
          title: settings.title,
          message: settings.message,
          supportContact: settings.supportContact,
          dismissible: settings.dismissible,
          fallback: website === wordy ? { url: "https://shop.example/else", label: awkward } : null,
        },
      }),
      settings: {
        theme: settings.theme,
        language: settings.language,
        trigger: settings.trigger,
        placement: settings.placement,
        ...hidden,
      },
    };
    for (const _again of [1, 2]) {
      expect(textOf(website, requestId, place, verdict, hidden)).toBe(JSON.stringify(answer));
    }
  });

  it("names the rules for pages to those whom they concern, the blocked", () => {
    const pages = { include: ["/news/*"], exclude: [] };
    const ruled = sampleWebsite({ settings: { ...plain.settings, pages } });
    const settingsOf = (website: typeof plain, verdict: GeoVerdict): DecisionAnswer["settings"] =>
      JSON.parse(textOf(website, requestId, place, verdict, { frequency: "closed", show: true })).settings;
    const blocked = { allowed: false, reason: "country_blocked" } as const;
    expect(settingsOf(ruled, blocked).pages).toEqual(pages);
    expect(settingsOf(ruled, { allowed: true })).not.toHaveProperty("pages");
    expect(settingsOf(plain, blocked)).not.toHaveProperty("pages");
  });

  it.each([
    ["an address without words", { fallbackUrl: "https://shop.example/else" }],
    ["words without an address", { fallbackLabel: "Our own page" }],
  ])("names no fallback of %s", (_, settings) => {
    const website = sampleWebsite({ settings: { ...plain.settings, ...settings } });
    const text = textOf(
      website,
      requestId,
      place,
      { allowed: false, reason: "region_blocked" },
      { frequency: "closed", show: true },
    );
    expect(JSON.parse(text).blocked.fallback).toBeNull();
  });

  it("says of the look what the website has chosen, and of the logo only to the blocked", () => {
    const shown = { frequency: "closed", show: true } as const;
    const blocked = { allowed: false, reason: "country_blocked" } as const;
    const chosen = {
      accent: "#0a6b4f",
      radius: 0,
      font: "inherit",
      logo: "https://shop.example/l.svg",
    } as const;
    const own = sampleWebsite({ settings: { ...plain.settings, ...chosen } });
    const settingsOf = (website: typeof plain, verdict: GeoVerdict): DecisionAnswer["settings"] =>
      JSON.parse(textOf(website, requestId, place, verdict, shown)).settings;
    const { logo, ...look } = { ...chosen, accentDark: "#5f9f8c" };
    expect(settingsOf(own, blocked)).toMatchObject({ ...look, logo });
    expect(settingsOf(own, { allowed: true })).toMatchObject(look);
    expect(settingsOf(own, { allowed: true })).not.toHaveProperty("logo");
    const members = ["accent", "accentDark", "radius", "font", "logo"];
    for (const member of members) expect(settingsOf(plain, blocked)).not.toHaveProperty(member);
  });

  it("opens what may not be dismissed at once and over the page, whatever is set besides", () => {
    const firm = sampleWebsite({
      settings: { ...plain.settings, dismissible: false, trigger: "exit", placement: "bottom" },
    });
    const shown = { frequency: "closed", show: true } as const;
    const { settings }: DecisionAnswer = JSON.parse(textOf(firm, requestId, place, { allowed: true }, shown));
    expect(settings).toMatchObject({ trigger: "immediate", placement: "center" });
  });

  it("follows a website that was replaced", () => {
    const allowed = { allowed: true } as const;
    const shown = { frequency: "closed", show: true } as const;
    const dark = { ...plain, settings: { ...plain.settings, theme: "dark" as const } };
    const before = textOf(plain, requestId, place, allowed, shown);
    const after = textOf(dark, requestId, place, allowed, shown);
    expect(JSON.parse(before).settings).toMatchObject(shown);
    expect([before.includes('"theme":"auto"'), after.includes('"theme":"dark"')]).toEqual([true, true]);
  });
});

describe("the text of offers", () => {
  const offer = sampleOffer();
  const wordy = sampleOffer({
    id: "offer_wordy",
    brand: awkward,
    title: awkward,
    description: awkward,
    ctaText: awkward,
    imageUrl: "https://cdn.example/a.png?x=1&y=%22",
    disclosure: awkward,
    terms: awkward,
  });
  const slot = (of: typeof offer, placement: Slot["placement"], position: number): Slot => ({
    offer: of,
    placement,
    position,
  });
  const textOf = createOffersText();

  it.each([
    ["none", [], "budgets_exhausted"],
    ["a premium one", [slot(wordy, "premium", 1)], null],
    ["standard ones alone", [slot(offer, "standard", 1), slot(wordy, "standard", 2)], null],
    ["both", [slot(offer, "premium", 1), slot(wordy, "standard", 1), slot(offer, "standard", 2)], null],
  ] as const)("is the typed answer's JSON for %s", (_, slots, emptyReason) => {
    const served = slots.map(
      (one): ServedOffer => ({
        id: one.offer.id,
        vertical: one.offer.vertical,
        brand: one.offer.brand,
        title: one.offer.title,
        description: one.offer.description,
        ctaText: one.offer.ctaText,
        imageUrl: one.offer.imageUrl,
        url: linkOf(one),
        placement: one.placement,
        position: one.position,
        disclosure: one.offer.disclosure,
        terms: one.offer.terms,
        lang: one.offer.language,
      }),
    );
    const answer: OffersAnswer = {
      requestId,
      ...place,
      premium: served.filter(({ placement }) => placement === "premium"),
      standard: served.filter(({ placement }) => placement === "standard"),
      emptyReason,
    };
    expect(textOf({ requestId, ...place, emptyReason, wanted: [] }, slots, linkOf)).toBe(
      JSON.stringify(answer),
    );
  });
});

describe("the text of a server's decision", () => {
  const textOf = createServerDecisionText();
  const offer = sampleOffer({ brand: awkward });

  it("is the typed answer's JSON with an offer, and without", () => {
    const link = "https://offers.test/v1/r?t=x";
    const chosen: ServerDecisionAnswer = {
      decision: "serve_overlay",
      ...place,
      offer: { id: offer.id, vertical: offer.vertical, brand: offer.brand, url: link },
      requestId,
    };
    const passed: ServerDecisionAnswer = { decision: "pass_through", ...place, requestId };
    expect(textOf(requestId, place, false, { offer, link })).toBe(JSON.stringify(chosen));
    expect(textOf(requestId, place, true, null)).toBe(JSON.stringify(passed));
  });
});

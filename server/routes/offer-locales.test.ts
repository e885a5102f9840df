import { offerInput } from "@offers/contract/catalogue";
import { offerId } from "@offers/contract/ids";
import type { OffersAnswer } from "@offers/contract/offers";
import type { ServerOffersAnswer } from "@offers/contract/server-offers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOffer, updateOffer } from "../store/catalogue/offers.ts";
import { rules } from "../testing/fixture.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const spoken = {
  title: "Ten gigabytes",
  description: "For a month.",
  ctaText: "Get it",
  disclosure: "Paid link.",
  terms: "New customers.",
  language: "en",
  locales: {
    de: {
      title: "Zehn Gigabyte",
      description: "F\u00fcr einen Monat.",
      ctaText: "Holen",
      disclosure: "Anzeige.",
      terms: "Nur neu.",
    },
    "de-AT": { terms: "Nur neu in \u00d6sterreich." },
    ar: { title: "\u0639\u0634\u0631\u0629" },
  },
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const input = {
    ...{ advertiserId: "advertiser_1", brand: "Lumen", vertical: "mobile", geoCoverage: ["DE"] },
    ...{ landingUrl: "https://lumen.example/", payoutModel: "CPC", payoutMicros: 1_000_000, premium: true },
  };
  await service.change(async (catalogue) => {
    await updateOffer(catalogue, "offer_premium", { premium: false }, rules);
    const id = offerId.parse("offer_spoken");
    await createOffer(catalogue, offerInput.parse({ ...input, ...spoken }), { now: 1, rules, id });
  });
});
afterAll(() => service.close());

const ask = async (query: string, acceptLanguage?: string) => {
  const { requestId } = await service.decide();
  const headers = acceptLanguage === undefined ? {} : { "Accept-Language": acceptLanguage };
  const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE${query}`;
  const answer = await service.call(path, { headers });
  expect(answer.status).toBe(200);
  return {
    path,
    headers,
    offer: answer.json<OffersAnswer>().premium[0],
    answer: answer.json<OffersAnswer>(),
  };
};

describe("a page's offers", () => {
  it.each([
    ["its own texts where nothing is said", "", undefined, "Ten gigabytes", "New customers.", "en"],
    ["those of lang", "&lang=de", "fr", "Zehn Gigabyte", "Nur neu.", "de"],
    [
      "those of its language where the exact locale has none",
      "&lang=de-CH",
      "fr",
      "Zehn Gigabyte",
      "Nur neu.",
      "de",
    ],
    [
      "those of the exact locale first",
      "&lang=de-AT",
      "fr",
      "Zehn Gigabyte",
      "Nur neu in \u00d6sterreich.",
      "de",
    ],
    ["its own where lang has none", "&lang=fr", "de", "Ten gigabytes", "New customers.", "en"],
    ["those of the wish that the widget speaks", "&lang=,sv,de-DE", "fr", "Zehn Gigabyte", "Nur neu.", "de"],
    ["those of Accept-Language without lang", "", "de-DE,en;q=0.8", "Zehn Gigabyte", "Nur neu.", "de"],
    [
      "those of Accept-Language where lang is no tag",
      "&lang=%00x..%2F",
      "de",
      "Zehn Gigabyte",
      "Nur neu.",
      "de",
    ],
    ["those of Accept-Language where lang is blank", "&lang=", "de", "Zehn Gigabyte", "Nur neu.", "de"],
  ])("have %s", async (_name, query, header, title, terms, lang) => {
    const { offer } = await ask(query, header);
    expect(offer).toMatchObject({ id: "offer_spoken", title, terms, lang });
    expect(offer).not.toHaveProperty("langOf");
  });

  it("name the language of each text that its locale does not have", async () => {
    const { offer } = await ask("&lang=ar");
    expect(offer).toMatchObject({ title: spoken.locales.ar.title, description: "For a month.", lang: "ar" });
    expect(offer?.langOf).toEqual({ description: "en", ctaText: "en", disclosure: "en", terms: "en" });
  });

  it("are the same ones in the same order, whatever their language", async () => {
    const { path, headers, answer } = await ask("&lang=de");
    const other = await service.call(path.replace("lang=de", "lang=ar"), { headers });
    const again = await service.call(path, { headers });
    const ids = ({ premium, standard }: OffersAnswer) => [...premium, ...standard].map(({ id }) => id);
    const texts = (given: OffersAnswer) =>
      JSON.stringify(given, (name, value) => (name === "url" ? "" : value));
    expect(ids(other.json())).toEqual(ids(answer));
    expect(texts(again.json())).toBe(texts(answer));
    expect(texts(other.json())).not.toBe(texts(answer));
  });

  it("refuse a lang that is given twice", async () => {
    const { requestId } = await service.decide();
    const path = `/v1/offers?website=ws_a&requestId=${requestId}&country=DE&lang=de&lang=fr`;
    const answer = await service.call(path);
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([400, "repeated_parameter"]);
  });

  it("follow a translation that was changed", async () => {
    const german = { title: "Zehn GB" };
    await service.change((catalogue) =>
      updateOffer(catalogue, "offer_spoken", { locales: { de: german } }, rules),
    );
    const { offer } = await ask("&lang=de");
    expect(offer).toMatchObject({ title: "Zehn GB", description: spoken.locales.de.description });
  });
});

describe("a server's list of offers", () => {
  it.each([
    ["its own title where nothing is said", "", undefined, "Ten gigabytes", "en"],
    ["that of lang", "&lang=ar-EG", "de", spoken.locales.ar.title, "ar"],
    ["that of Accept-Language without lang", "", "ar", spoken.locales.ar.title, "ar"],
  ])("has %s", async (_name, query, header, title, lang) => {
    const { get } = await withKey(service);
    const headers = header === undefined ? {} : { "Accept-Language": header };
    const answer = await get(`/v1/offers?country=DE${query}`, { headers });
    const { items } = answer.json<ServerOffersAnswer>();
    expect(items.find(({ id }) => id === "offer_spoken")).toMatchObject({ title, lang });
  });
});

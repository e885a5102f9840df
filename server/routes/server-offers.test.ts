import { offerInput } from "@offers/contract/catalogue";
import { offerId } from "@offers/contract/ids";
import { serverOffersAnswer } from "@offers/contract/server-offers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { fewPlaces } from "../store/catalogue/catalogue-for-tests.ts";
import { createOffer, setOfferStatus, updateOffer } from "../store/catalogue/offers.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
let b: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  b = await withKey(service, { publisherId: "publisher_b" });
});
afterAll(() => service.close());

type Answer = z.infer<typeof serverOffersAnswer>;
const list = async (query: string, by = a): Promise<Answer> => {
  const answer = await by.get(`/v1/offers${query}`);
  expect(answer.status).toBe(200);
  return serverOffersAnswer.strict().parse(answer.json());
};
const idsOf = ({ items }: Answer) => items.map(({ id }) => id);
const german = ["best", "cpm", "lead", "once", "premium", "second", "world"].map((name) => `offer_${name}`);

describe("GET /v1/offers with an API key: the offers", () => {
  it("are those of the visitor's place, in the order of their ids", async () => {
    const answer = await list("?ip=203.0.113.9");
    expect(idsOf(answer)).toEqual(german);
    expect(answer).toMatchObject({ page: 1, pageSize: 50, total: german.length });
  });

  it("show their documented members and nothing of their money", async () => {
    const answer = await a.get("/v1/offers?ip=203.0.113.9");
    const { items } = answer.json<{ items: object[] }>();
    for (const item of items) {
      expect(Object.keys(item)).toEqual([
        "id",
        "vertical",
        "brand",
        "geoCoverage",
        "payoutModel",
        "title",
        "description",
        "ctaText",
        "disclosure",
        "terms",
        "imageUrl",
        "lang",
      ]);
    }
    expect(answer.text).not.toMatch(/micros|budget|cap|spent|advertiser|landing/i);
  });

  it("say what an advertiser has to say beside a link, in the visitor's language", async () => {
    const said = { disclosure: "Loan Co pays for this link.", terms: "9.9 % a year.", description: "Money." };
    const locales = { de: { disclosure: "Loan Co bezahlt diesen Link." } };
    await service.change((db) =>
      updateOffer(db, "offer_french", { ...said, language: "en", locales }, fewPlaces),
    );
    const shown = async (lang: string) => (await list(`?country=FR&vertical=games&lang=${lang}`)).items[0];
    expect(await shown("en")).toMatchObject({ id: "offer_french", ...said, lang: "en" });
    expect(await shown("de")).toMatchObject({
      ...said,
      ...locales.de,
      lang: "en",
      langOf: { disclosure: "de" },
    });
  });

  it("are no cache's business, and each publisher's own", async () => {
    const [one, other] = [
      await a.get("/v1/offers?ip=203.0.113.9"),
      await b.get("/v1/offers?ip=203.0.113.9&website=ws_empty"),
    ];
    expect(one.headers["cache-control"]).toBe("private, no-store");
    expect(one.headers.etag).toBeUndefined();
    expect(other.json()).toMatchObject({ items: [], total: 0 });
  });

  it("are located by the caller's own address when no other is named, and the answer says so", async () => {
    const answer = await a.get("/v1/offers", { from: "2001:db8:1::9" });
    expect(answer.headers["x-geo-basis"]).toBe("caller-ip");
    expect(idsOf(answer.json())).toEqual(["offer_french", "offer_world"]);
    expect((await a.get("/v1/offers?country=FR")).headers["x-geo-basis"]).toBeUndefined();
  });

  it.each([
    ["?country=FR", ["offer_french", "offer_world"]],
    ["?country=fr", ["offer_french", "offer_world"]],
    ["?ip=192.0.2.1", ["offer_world"]],
    ["?country=DE&payoutModel=CPM", ["offer_cpm"]],
    ["?country=DE&brand=Premium", ["offer_premium", "offer_second"]],
    ["?country=DE&brand=pREMIUM", ["offer_premium", "offer_second"]],
    ["?country=DE&brand=Premiums", []],
    ["?country=DE&vertical=games&brand=Once", ["offer_once"]],
    ["?country=DE&vertical=loans", []],
  ])("are filtered: %s", async (query, ids) => {
    const answer = await list(query);
    expect(idsOf(answer)).toEqual(ids);
    expect(answer.total).toBe(ids.length);
  });

  it("come page by page, without a gap or a repetition", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?country=DE&pageSize=2&page=${page}`)));
    expect(pages.flatMap(idsOf)).toEqual(german);
    expect(pages.every(({ total, pageSize }) => total === german.length && pageSize === 2)).toBe(true);
  });

  it("end with an empty page that still knows the total", async () => {
    expect(await list("?country=DE&page=999")).toEqual({
      items: [],
      page: 999,
      pageSize: 50,
      total: german.length,
    });
  });

  it.each(["0", "-1", "1.5", "1e9", "1;drop", "9007199254740992", "01", "0x1", " 1 2", "∞"])(
    "refuse the page %j",
    async (page) => {
      const answer = await a.get(`/v1/offers?country=DE&page=${encodeURIComponent(page)}`);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter: "page" }] });
    },
  );

  it.each([
    ["pageSize=101", "pageSize"],
    ["pageSize=0", "pageSize"],
    ["country=usa", "country"],
    ["country=XX", "country"],
    ["payoutModel=cpc", "payoutModel"],
    ["ip=1.2.3", "ip"],
    [`vertical=${"x".repeat(41)}`, "vertical"],
    [`brand=${"x".repeat(81)}`, "brand"],
    ["brand=%00", "brand"],
    ["website=shop", "website"],
  ])("refuse %s", async (query, parameter) => {
    const answer = await a.get(`/v1/offers?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter }] });
  });

  it.each([
    ["ip=", "ip", "invalid_parameter"],
    ["country=", "country", "invalid_parameter"],
    ["vertical=", "vertical", "invalid_parameter"],
    ["page=", "page", "invalid_parameter"],
    ["requestId=", "requestId", "invalid_request_id"],
    ["payout_model=CPC", "payout_model", "invalid_parameter"],
    ["limit=5", "limit", "invalid_parameter"],
  ])("refuse what would list more than was meant: %s", async (query, parameter, code) => {
    const answer = await a.get(`/v1/offers?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code, errors: [{ parameter }] });
  });

  it("take a blank lang for none", async () => {
    expect(idsOf(await list("?country=FR&lang="))).toEqual(["offer_french", "offer_world"]);
  });

  it("refuse a parameter that comes twice", async () => {
    const answer = await a.get("/v1/offers?country=DE&country=FR");
    expect(answer.json()).toMatchObject({ status: 400, code: "repeated_parameter" });
  });

  it("lose an offer that is paused, and get it back", async () => {
    const pause = (status: "paused" | "active") =>
      service.change((db) => setOfferStatus(db, "offer_best", status));
    await pause("paused");
    expect(idsOf(await list("?country=DE"))).not.toContain("offer_best");
    await pause("active");
    expect(idsOf(await list("?country=DE"))).toContain("offer_best");
  });

  it("lose an offer as soon as its budget is used up", async () => {
    const { offers } = await service.visit({ from: "203.0.113.50" });
    const once = offers.find(({ id }) => id === "offer_once");
    expect(idsOf(await list("?country=DE"))).toContain("offer_once");
    await service.follow(once?.url ?? "", { from: "203.0.113.50" });
    expect(idsOf(await list("?country=DE"))).not.toContain("offer_once");
  });

  it("are never one that the place does not cover, whatever the catalogue", async () => {
    const coverage = fc.uniqueArray(fc.constantFrom("DE", "FR", "US", "US-NJ", "GB"), { minLength: 1 });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(coverage, { minLength: 20, maxLength: 20 }), async (coverages) => {
        await service.change(async (db) => {
          for (const geoCoverage of coverages) {
            made += 1;
            const input = {
              advertiserId: "advertiser_1",
              brand: `Made ${made}`,
              vertical: "made",
              title: "Made",
            };
            const rest = {
              landingUrl: "https://made.example/",
              payoutModel: "CPC",
              payoutMicros: 1,
              geoCoverage,
            };
            const id = offerId.parse(`offer_made${made}`);
            await createOffer(db, offerInput.parse({ ...input, ...rest }), { now: 1, rules: fewPlaces, id });
          }
        });
        for (const [query, covers] of [
          ["country=DE", ["DE"]],
          ["ip=198.51.100.9", ["US", "US-NJ"]],
          ["country=US", ["US"]],
        ] as const) {
          const { items } = await list(`?${query}&vertical=made&pageSize=100`);
          for (const { geoCoverage } of items) {
            expect(geoCoverage.some((entry) => (covers as readonly string[]).includes(entry))).toBe(true);
          }
        }
      }),
      { numRuns: 5 },
    );
  });
});

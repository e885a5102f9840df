import { offerInput } from "@offers/contract/catalogue";
import { type ReportAnswer, reportAnswer } from "@offers/contract/reports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Narrowing, ReportFilter } from "../core/report-filter.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { createPublisher, updatePublisher } from "../store/catalogue/publishers.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
let b: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  b = await withKey(service, { publisherId: "publisher_b" });
  // Two blocked visitors of publisher A, one of whom clicks; one of publisher B; one on the development website.
  const { offers } = await service.visit();
  const [first, second] = offers;
  const seen = await service.visit({ from: "203.0.113.8" });
  await service.post("impression", { requestId: seen.decision.requestId, offerId: seen.offers[0]?.id ?? "" });
  await service.follow(first?.url ?? "");
  await service.follow(first?.url ?? "");
  await service.follow(second?.url ?? "");
  await service.visit({ website: "ws_b" });
  await service.visit({ website: "ws_dev" });
  await a.accept({
    type: "click",
    websiteKey: "ws_a",
    offerId: "offer_best",
    country: "FR",
    ts: "2026-11-19T23:59:59Z",
  });
});
afterAll(() => service.close());

const report = async (query = "", by = a): Promise<ReportAnswer> => {
  const answer = await by.get(`/v1/reports/aggregate${query}`);
  expect(answer.status).toBe(200);
  return reportAnswer.strict().parse(answer.json());
};
const refused = async (query: string) => {
  const answer = await a.get(`/v1/reports/aggregate${query}`);
  const { code, errors } = answer.json<{ code: string; errors?: { parameter: string }[] }>();
  return { status: answer.status, code, parameter: errors?.[0]?.parameter };
};

describe("GET /v1/reports/aggregate", () => {
  it("has a row for each day, website, country and vertical, the last 30 days, live traffic alone", async () => {
    const answer = await report();
    expect(answer).toMatchObject({ from: "2026-10-22", to: "2026-11-20" });
    expect(
      answer.items.map(({ date, websiteKey, country, vertical }) => [date, websiteKey, country, vertical]),
    ).toEqual([
      ["2026-11-19", "ws_a", "FR", "games"],
      ["2026-11-20", "ws_a", "DE", "games"],
      ["2026-11-20", "ws_a", "DE", "news"],
    ]);
    expect(answer.items[2]).toMatchObject({ blocked: 2, served: 0, clicks: 0 });
  });

  it("equals a recount of the events in every cell", async () => {
    const keyOf = new Map(
      service.stored
        .table("website")
        .filter(({ publisher_id }) => publisher_id === "publisher_a")
        .map(({ id, key }) => [id, key]),
    );
    const own = service.stored.events().filter(({ test, website_id }) => test === 0 && keyOf.has(website_id));
    const placeOf = ({ day, website_id, country, vertical }: Record<string, unknown>) =>
      JSON.stringify([day, keyOf.get(website_id), country, vertical]);
    const cells = [...Map.groupBy(own, placeOf)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([place, events]) => {
        const [date, websiteKey, country, vertical] = JSON.parse(place);
        const counted = (type: string) =>
          events.filter((event) => event.type === type && event.reason === null).length;
        const billed = events.filter(({ billed_micros }) => billed_micros !== null);
        return {
          date,
          websiteKey,
          country,
          vertical,
          blocked: counted("blocked"),
          served: counted("served"),
          impressions: counted("impression"),
          clicks: counted("click"),
          billableClicks: billed.filter(({ type }) => type === "click").length,
          spend: billed.reduce((sum, { billed_micros }) => sum + Number(billed_micros), 0),
          filtered: events.filter(({ reason }) => reason !== null).length,
          drawn: counted("drawn"),
          earnings: billed.reduce((sum, { billed_micros }) => sum + Number(billed_micros), 0),
          currency: billed.some(({ billed_micros }) => Number(billed_micros) > 0) ? "EUR" : null,
        };
      });
    expect((await report()).items).toEqual(cells);
    expect(cells.some(({ spend, filtered }) => Number(spend) > 0 && Number(filtered) > 0)).toBe(true);
  });

  it("holds whole numbers, 0 or more, and totals that are the sums of its rows", async () => {
    const { items, totals } = await report();
    for (const [name, total] of Object.entries(totals)) {
      const values = items.map((row) => row[name as keyof typeof totals] ?? -1);
      expect(values.every((value) => Number.isInteger(value) && value >= 0)).toBe(true);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(total);
    }
  });

  it.each([
    ["?groupBy=date", ["date"], 2],
    ["?groupBy=websiteKey", ["websiteKey"], 1],
    ["?groupBy=vertical,country", ["country", "vertical"], 3],
    ["?groupBy=vertical&groupBy=country", ["country", "vertical"], 3],
    ["", ["date", "websiteKey", "country", "vertical"], 3],
    ["?groupBy=date,websiteKey,country,vertical", ["date", "websiteKey", "country", "vertical"], 3],
  ])("is grouped: %s", async (query, dimensions, rows) => {
    const { items, totals } = await report(query);
    expect(items).toHaveLength(rows);
    // Exactly these: a dimension more would change the rows of whoever names none.
    const figures = new Set([...Object.keys(totals), "currency"]);
    expect(Object.keys(items[0] ?? {}).filter((name) => !figures.has(name))).toEqual(dimensions);
    expect(totals).toEqual((await report()).totals);
  });

  it.each([
    ["?websiteKey=ws_a", 3],
    ["?websiteKey=ws_wild", 0],
    ["?country=FR", 1],
    ["?country=fr", 1],
    ["?vertical=news", 1],
    ["?from=2026-11-20", 2],
    ["?to=2026-11-19", 1],
    ["?eventType=blocked", 1],
    ["?eventType=blocked&eventType=click", 3],
    ["?eventType=blocked,click", 3],
    ["?eventType=served", 1],
    ["?surface=overlay", 3],
    ["?surface=section", 0],
    ["?traffic=test", 2],
    ["?from=2025-11-20&to=2026-11-20", 3],
  ])("is filtered: %s", async (query, rows) => {
    expect((await report(query)).items).toHaveLength(rows);
  });

  it("shows test traffic apart", async () => {
    const { items } = await report("?traffic=test");
    expect(new Set(items.map(({ websiteKey }) => websiteKey))).toEqual(new Set(["ws_dev"]));
    expect(items.every(({ spend, billableClicks }) => spend === 0 && billableClicks === 0)).toBe(true);
  });

  it("is of one publisher's websites; another's key is the same 404 as an unknown one", async () => {
    expect(new Set((await report("", b)).items.map(({ websiteKey }) => websiteKey))).toEqual(
      new Set(["ws_b"]),
    );
    const others = await a.get("/v1/reports/aggregate?websiteKey=ws_b");
    const unknown = await a.get("/v1/reports/aggregate?websiteKey=ws_none");
    expect([others.status, unknown.status]).toEqual([404, 404]);
    expect(others.alike).toBe(unknown.alike);
  });

  it.each([
    ["?from=2026-11-20&to=2026-11-19", "from"],
    ["?from=2026-02-30", "from"],
    ["?to=2026-11-31", "to"],
    ["?from=yesterday", "from"],
    ["?from=2016-11-20&to=2026-11-20", "from"],
    ["?from=2025-11-19&to=2026-11-20", "from"],
    ["?country=XX", "country"],
    ["?country=1!", "country"],
    ["?vertical=a%0ab", "vertical"],
    ["?groupBy=month", "groupBy"],
    ["?groupBy=date,", "groupBy"],
    ["?eventType=snippet-ping", "eventType"],
    ["?traffic=all", "traffic"],
    ["?surface=popup", "surface"],
    ["?format=xml", "format"],
    ["?websiteKey=shop", "websiteKey"],
    ["?website=ws_a", "website"],
    ["?country=", "country"],
    ["?websiteKey", "websiteKey"],
    ["?eventType=", "eventType"],
    ["?groupby=date", "groupby"],
    ["?from=2026-11-20&api_key=x", "api_key"],
    ["?%0d%0aevil=1", "query"],
  ])("is refused: %s", async (query, parameter) => {
    expect(await refused(query)).toEqual({ status: 400, code: "invalid_parameter", parameter });
  });

  it("is refused when a parameter comes twice", async () => {
    expect(await refused("?from=2026-11-01&from=2026-11-02")).toMatchObject({
      status: 400,
      code: "repeated_parameter",
    });
  });
});

/** A row as CSV, where `earnings` has come behind what stood there before. */
const lineOf = ({ earnings, ...row }: ReportAnswer["items"][number]): string =>
  [...Object.values(row), earnings].join(",");

describe("GET /v1/reports/aggregate as CSV", () => {
  const header =
    "date,websiteKey,country,vertical,blocked,served,impressions,clicks,billableClicks,spend,filtered,drawn,currency,earnings";

  it.each([
    ["asked for by its name", "?format=csv", {}],
    ["asked for by its type", "", { Accept: "text/csv" }],
    ["asked for by its type with a parameter", "", { Accept: "text/csv; charset=utf-8" }],
    ["asked for by the type that it comes with", "", { Accept: "text/csv; charset=utf-8; header=present" }],
  ])("holds the same rows when %s", async (_name, query, headers) => {
    const answer = await a.get(`/v1/reports/aggregate${query}`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers["content-disposition"]).toBe(
      'attachment; filename="report_2026-10-22_2026-11-20.csv"',
    );
    const [first, ...lines] = answer.text.trimEnd().split("\r\n");
    expect(first).toBe(header);
    const { items } = await report();
    expect(lines).toEqual(items.map(lineOf));
  });

  it("has a path of its own, for callers that can choose neither type nor format", async () => {
    const own = await a.get("/v1/reports/aggregate.csv?eventType=blocked&groupBy=country");
    const asked = await a.get("/v1/reports/aggregate?format=csv&eventType=blocked&groupBy=country");
    expect(own.status).toBe(200);
    for (const name of ["content-type", "content-disposition"])
      expect(own.headers[name]).toBe(asked.headers[name]);
    expect(own.text).toBe(asked.text);
    const refused = await a.get("/v1/reports/aggregate.csv?format=json");
    expect(refused.json()).toMatchObject({ status: 400, errors: [{ parameter: "format" }] });
    expect((await a.get("/v1/reports/aggregate.csv?websiteKey=ws_b")).status).toBe(404);
  });

  it.each([
    ["", ""],
    ["&traffic=test", "_test"],
    ["&timeZone=-05:00", "_utc-05"],
    ["&timeZone=%2B11:00&traffic=test", "_test_utc+11"],
  ])("has a file's name that tells other traffic and days of another zone apart: %s", async (query, end) => {
    const days = "from=2026-11-01&to=2026-11-20";
    const answer = await a.get(`/v1/reports/aggregate.csv?${days}${query}`);
    expect(answer.headers["content-disposition"]).toBe(
      `attachment; filename="report_2026-11-01_2026-11-20${end}.csv"`,
    );
  });

  it("is JSON when its name is, whatever type is accepted", async () => {
    const answer = await a.get("/v1/reports/aggregate?format=json", { headers: { Accept: "text/csv" } });
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it("has the columns of its grouping alone", async () => {
    const answer = await a.get("/v1/reports/aggregate?format=csv&groupBy=country");
    expect(answer.text.split("\r\n")[0]).toBe(
      header.replace("date,websiteKey,", "").replace("vertical,", ""),
    );
  });
});

describe("GET /v1/reports/aggregate of websites that are paid in euros and in yen", () => {
  let paid: TestService;
  let c: KeyCalls;
  beforeAll(async () => {
    paid = await startTestService();
    c = await withKey(paid);
    const rules = {
      ...{ isPublicSuffix: () => false, isCountry: () => true, isRegion: () => true },
      ...{ neverLocated: () => null, production: true },
    };
    await paid.change(async (catalogue) => {
      const made = { now: paid.context.clock() };
      const advertiser = { name: "Yen", currency: "JPY", balanceMicros: Number.MAX_SAFE_INTEGER };
      const offer = {
        ...{ advertiserId: await createAdvertiser(catalogue, advertiser, made), currency: "JPY" },
        ...{ brand: "Yen", title: "Yen", vertical: "games", geoCoverage: ["DE"], payoutModel: "CPC" },
        ...{ payoutMicros: Number.MAX_SAFE_INTEGER, landingUrl: "https://yen.example/" },
      };
      await createOffer(catalogue, offerInput.parse(offer), { ...made, rules });
    });
    const { offers } = await paid.visit();
    for (const { brand, url } of offers) if (["Yen", "Best"].includes(brand)) await paid.follow(url);
  });
  afterAll(() => paid.close());

  it("splits their rows, adds no yen to euros, and says every digit", async () => {
    const answer = await c.get("/v1/reports/aggregate?groupBy=country");
    const { items, totals, totalsByCurrency } = answer.json<ReportAnswer>();
    const told = (
      rows: readonly { currency: string | null; blocked: number; clicks: number; spend: number | null }[],
    ) => rows.map(({ currency, blocked, clicks, spend }) => [currency, blocked, clicks, spend]);
    const expected = [
      ["EUR", 0, 1, 400_000],
      ["JPY", 0, 1, Number.MAX_SAFE_INTEGER],
      [null, 1, 0, 0],
    ];
    expect(told(items)).toEqual(expected);
    expect(told(totalsByCurrency)).toEqual(expected);
    expect(totals).toMatchObject({ blocked: 1, clicks: 2, billableClicks: 2, spend: null });
    expect(answer.text).toContain('"spend":9007199254740991,');
    const csv = await c.get("/v1/reports/aggregate.csv?groupBy=country");
    expect(csv.text.trimEnd().split("\r\n").slice(1)).toEqual(items.map(lineOf));
  });

  it("tells the publisher its earnings and no price, where the operator hides what advertisers pay", async () => {
    const settings = { shareBasisPoints: 3333, showSpend: false };
    await paid.change((catalogue) => updatePublisher(catalogue, "publisher_a", settings));
    const { offers } = await paid.visit({ from: "203.0.113.77" });
    const best = offers.find(({ brand }) => brand === "Best");
    await paid.follow(best?.url ?? "", { from: "203.0.113.77" });
    const answer = await c.get("/v1/reports/aggregate?groupBy=country");
    const { items, totals, totalsByCurrency } = answer.json<ReportAnswer>();
    const money = (rows: typeof totalsByCurrency) =>
      rows.map(({ currency, spend, earnings }) => [currency, spend, earnings]);
    // What was billed before stays as it was earned.
    const expected = [
      ["EUR", null, 400_000 + 133_320],
      ["JPY", null, Number.MAX_SAFE_INTEGER],
      [null, null, 0],
    ];
    expect(money(items)).toEqual(expected);
    expect(money(totalsByCurrency)).toEqual(expected);
    expect(totals).toMatchObject({ billableClicks: 3, spend: null, earnings: null });
    const csv = await c.get("/v1/reports/aggregate.csv?groupBy=country&eventType=click");
    expect(csv.text).toMatch(/\r\nDE,0,.*,2,,.*,EUR,533320\r\n/);
    const visit = await paid.visit({ from: "203.0.113.78" });
    const explained = await c.get(`/v1/explain?requestId=${visit.decision.requestId}`);
    const listed = await c.get("/v1/offers?country=DE");
    for (const { status, text } of [explained, listed]) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/400000|9007199254740991|icros|payout(?!Model)|score|share/i);
    }
  });

  it("tells no price to a publisher who has no website yet either", async () => {
    const made = { now: paid.context.clock() };
    const { publisherId } = await createPublisher(paid.catalogue, { name: "New", showSpend: false }, made);
    const answer = await (await withKey(paid, { publisherId })).get("/v1/reports/aggregate");
    expect(answer.status).toBe(200);
    const { items, totals } = answer.json<ReportAnswer>();
    expect(items).toEqual([]);
    expect(totals).toMatchObject({ blocked: 0, spend: null, earnings: 0 });
  });

  it("has a row of null where nothing was paid, and 0 as the sum", async () => {
    await paid.visit({ website: "ws_b" });
    const { items, totals } = (
      await (await withKey(paid, { publisherId: "publisher_b" })).get("/v1/reports/aggregate?groupBy=country")
    ).json<ReportAnswer>();
    expect(items).toMatchObject([{ blocked: 1, spend: 0, currency: null }]);
    expect(totals.spend).toBe(0);
  });
});

describe("GET /v1/reports/aggregate many times at once", () => {
  it("are refused above a number, and hold no event up", async () => {
    const reports = 60;
    let [atDoor, reading, readLater] = [0, 0, 0];
    let door = Promise.withResolvers<void>();
    // The store is asked for all of it at one moment, and has as much to do as it takes, however fast it is.
    const waitAtDoor = async () => {
      atDoor += 1;
      if (atDoor === reports + 1) door.resolve();
      await door.promise;
    };
    const busy = await startTestService({
      wrapStore: (store) => ({
        ...store,
        report: async (...asked) => {
          await waitAtDoor();
          reading += 1;
          return await store.report(...asked).finally(() => {
            reading -= 1;
          });
        },
        journal: {
          ...store.journal,
          append: async (entry) => {
            if (entry.kind !== "server_event") return store.journal.append(entry);
            await waitAtDoor();
            const outcome = await store.journal.append(entry);
            readLater = reading;
            return outcome;
          },
        },
      }),
    });
    try {
      const c = await withKey(busy);
      const askAtOnce = async () => {
        [atDoor, door] = [0, Promise.withResolvers<void>()];
        const asked = Array.from({ length: reports }, () => c.get("/v1/reports/aggregate"));
        await c.accept({ type: "click", websiteKey: "ws_a", offerId: "offer_best" });
        const ofStatus = Map.groupBy(await Promise.all(asked), ({ status }) => status);
        expect([ofStatus.get(200)?.length, ofStatus.get(503)?.length]).toEqual([20, 40]);
        for (const { headers } of ofStatus.get(200) ?? []) expect(headers["retry-after"]).toBeUndefined();
        for (const { headers } of ofStatus.get(503) ?? []) expect(headers["retry-after"]).toBe("1");
      };
      // The machine may hold up the event's thread until the other has read all; not each time.
      for (let left = 20; left > 0 && readLater === 0; left -= 1) await askAtOnce();
      expect(readLater).toBeGreaterThan(0);
    } finally {
      await busy.close();
    }
  });
});

it("hands every parameter that narrows a report on, as it was asked, and none besides", async () => {
  const narrowing = {
    ...{ country: "DE", region: "DE-BE", vertical: "games", surface: "overlay" },
    ...{ offer: "offer_best", brand: "Best", placement: "premium", device: "phone" },
  } satisfies Record<keyof Narrowing, string>;
  const filters: ReportFilter[] = [];
  const asking = await startTestService({
    wrapStore: (store) => ({
      ...store,
      report: (filter, format) => {
        filters.push(filter);
        return store.report(filter, format);
      },
    }),
  });
  try {
    const a = await withKey(asking);
    expect((await a.get(`/v1/reports/aggregate?${new URLSearchParams(narrowing)}`)).status).toBe(200);
    expect((await a.get("/v1/reports/aggregate?format=csv")).status).toBe(200);
    const framing = ["eventTypes", "from", "groupBy", "mostRows", "test", "to", "utcOffset", "websites"];
    expect(filters).toEqual([expect.objectContaining(narrowing), expect.anything()]);
    expect(filters.map((filter) => Object.keys(filter).sort())).toEqual([
      [...framing, ...Object.keys(narrowing)].sort(),
      framing,
    ]);
  } finally {
    await asking.close();
  }
});

describe("while the storage cannot be read", () => {
  it.each([
    ["a report", () => "/v1/reports/aggregate"],
    ["an explanation", (requestId: string) => `/v1/explain?requestId=${requestId}`],
  ])("%s is 503, says so, and when to come again", async (_, pathOf) => {
    const refusal = new StorageUnavailable("it failed (SQLITE_IOERR)", 5);
    const broken = await startTestService({
      wrapStore: (store) => ({
        ...store,
        report: () => Promise.reject(refusal),
        explain: () => Promise.reject(refusal),
      }),
    });
    try {
      const { decision } = await broken.visit();
      const answer = await (await withKey(broken)).get(pathOf(decision.requestId));
      expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "5"]);
      expect(answer.json()).toMatchObject({
        code: "unavailable",
        detail: "This could not be read or stored now. Try again.",
      });
    } finally {
      await broken.close();
    }
  });
});

it("of too many rows is refused, and says what to change", async () => {
  const asking = await startTestService({
    wrapStore: (store) => ({
      ...store,
      report: (filter, format) => store.report({ ...filter, mostRows: 1 }, format),
    }),
  });
  try {
    await asking.visit();
    await asking.visit({ website: "ws_b" });
    const one = await withKey(asking);
    for (const path of ["/v1/reports/aggregate", "/v1/reports/aggregate.csv"]) {
      const answer = await one.get(path);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.json()).toMatchObject({ code: "invalid_parameter", errors: [{ parameter: "groupBy" }] });
    }
    expect((await one.get("/v1/reports/aggregate?country=FR")).status).toBe(200);
  } finally {
    await asking.close();
  }
});

import { readFileSync } from "node:fs";
import { type ReportAnswer, reportAnswer, reportDimensions, reportQuery } from "@offers/contract/reports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const phone =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36";

let service: TestService;
let a: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  // One blocked visitor at a desktop, who clicks; one with a phone, to whom offers are handed out.
  const { offers } = await service.visit();
  await service.follow(offers[0]?.url ?? "");
  await service.visit({ from: "203.0.113.8", headers: { "User-Agent": phone } });
  await a.accept({
    type: "click",
    websiteKey: "ws_a",
    offerId: "offer_french",
    country: "FR",
    ts: "2026-11-19T23:30:00Z",
  });
});
afterAll(() => service.close());

const report = async (query: string): Promise<ReportAnswer> => {
  const answer = await a.get(`/v1/reports/aggregate${query}`);
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return reportAnswer.strict().parse(answer.json());
};

describe("a report of what the counters do not tell apart", () => {
  it("has a row for each offer, and one for the visits, which have none", async () => {
    const { items, totals } = await report("?groupBy=offer,brand");
    const rowOf = (offer: string | null) => items.find((row) => row.offer === offer);
    expect(items[0]).toMatchObject({ offer: null, brand: null, blocked: 2, served: 0, filtered: 0 });
    expect(rowOf("offer_premium")).toMatchObject({ brand: "Premium", served: 2, clicks: 1, spend: 500_000 });
    expect(rowOf("offer_best")).toMatchObject({ brand: "Best", served: 2, clicks: 0, blocked: 0 });
    expect(rowOf("offer_french")).toMatchObject({ served: 0, clicks: 1 });
    expect(totals).toEqual((await report("")).totals);
  });

  it("has its rows in the order of their dimensions, null first", async () => {
    const names = reportDimensions.filter((name) => name !== "websiteKey");
    const { items } = await report(`?groupBy=${names.join()}`);
    const places = items.map((row) =>
      names
        .map((name) => (name === "hour" ? String(row.hour).padStart(2, "0") : (row[name] ?? "")))
        .join("\n"),
    );
    expect(places.length).toBeGreaterThan(10);
    expect(places).toEqual(places.toSorted());
  });

  it("has a row for each placement and class of devices", async () => {
    const { items } = await report("?groupBy=device,placement&eventType=served");
    expect(items.map(({ placement, device }) => [placement, device])).toEqual([
      ["premium", "desktop"],
      ["premium", "phone"],
      ["standard", "desktop"],
      ["standard", "phone"],
    ]);
    const devices = await report("?groupBy=device");
    expect(devices.items.map(({ device, blocked }) => [device, blocked])).toEqual([
      [null, 0],
      ["desktop", 1],
      ["phone", 1],
    ]);
  });

  it.each([
    ["?offer=offer_premium&groupBy=date", [["2026-11-20", 2, 1]]],
    ["?brand=premium&groupBy=date", [["2026-11-20", 2, 1]]],
    ["?placement=premium&groupBy=date", [["2026-11-20", 2, 1]]],
    ["?offer=offer_premium&device=phone&groupBy=date", [["2026-11-20", 1, 0]]],
    ["?brand=nobody&groupBy=date", []],
    ["?region=FR-IDF&groupBy=date", []],
    ["?offer=offer_french&groupBy=date&timeZone=%2B01:00", [["2026-11-20", 0, 1]]],
    ["?offer=offer_french&groupBy=date&timeZone=+01:00", [["2026-11-20", 0, 1]]],
    ["?offer=offer_french&groupBy=date&timeZone=UTC", [["2026-11-19", 0, 1]]],
    ["?offer=offer_french&groupBy=date&timeZone=-12:00", [["2026-11-19", 0, 1]]],
  ])("is filtered: %s", async (query, rows) => {
    const { items } = await report(query);
    expect(items.map(({ date, served, clicks }) => [date, served, clicks])).toEqual(rows);
  });

  it("tells the hour of the day in the zone that was asked for", async () => {
    const hourOf = async (zone: string) =>
      (await report(`?offer=offer_french&groupBy=hour&timeZone=${zone}`)).items.map(({ hour }) => hour);
    expect([await hourOf("UTC"), await hourOf("-08:00"), await hourOf("%2B14:00")]).toEqual([
      [23],
      [15],
      [13],
    ]);
  });

  it("ends today, as it is there", async () => {
    const to = async (zone: string) => (await report(`?groupBy=date&timeZone=${zone}`)).to;
    const hour = new Date(service.context.clock()).getUTCHours();
    expect(await to("%2B14:00")).toBe(hour >= 10 ? "2026-11-21" : "2026-11-20");
    expect(await to("-12:00")).toBe(hour < 12 ? "2026-11-19" : "2026-11-20");
  });

  it("has the same rows as CSV, with nothing for what is null", async () => {
    const { text } = await a.get("/v1/reports/aggregate.csv?groupBy=offer,device,hour&eventType=blocked");
    const [head, first] = text.split("\r\n");
    expect(head).toMatch(/^hour,offer,device,blocked,/);
    expect(first).toMatch(/^\d+,,desktop,1,/);
  });

  it.each([
    ["timeZone=Europe/Berlin", 400, "timeZone"],
    ["timeZone=%2B05:30", 400, "timeZone"],
    ["timeZone=%2B15:00", 400, "timeZone"],
    ["timeZone=-13:00", 400, "timeZone"],
    ["timeZone=5", 400, "timeZone"],
    ["region=NJ", 400, "region"],
    ["region=US-QQ", 400, "region"],
    ["region=US-NJ&country=DE", 400, "region"],
    ["device=watch", 400, "device"],
    ["placement=top", 400, "placement"],
    ["offer=offer_nobodys", 404, "offer"],
  ])("is refused: %s", async (query, status, parameter) => {
    const answer = await a.get(`/v1/reports/aggregate?${query}`);
    const { errors } = answer.json<{ errors?: { parameter: string; message: string }[] }>();
    expect([answer.status, errors?.[0]?.parameter]).toEqual([status, parameter]);
    if (parameter === "timeZone") expect(errors?.[0]?.message).toContain("+05:00");
  });
});

it("is told by the guide, which names all that rows are told apart by, and all that narrows a report", () => {
  const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf8");
  const namesIn = (text = "") => [...text.matchAll(/`(\w+)(?=[`=])/g)].map(([, name]) => name);
  const [, grouping] = /Rows are told apart by `groupBy`: ([^;]+);/.exec(guide) ?? [];
  expect(namesIn(grouping)).toEqual([...reportDimensions]);
  const [, filters] = /Filters: (`websiteKey`[\s\S]+?) for development websites/.exec(guide) ?? [];
  const { from: _, to: __, timeZone: ___, groupBy: ____, format: _____, ...narrowing } = reportQuery.shape;
  expect(namesIn(filters)).toEqual(expect.arrayContaining(Object.keys(narrowing)));
});

import { readFileSync } from "node:fs";
import type { ReportAnswer, ReportRow } from "@offers/contract/reports";
import { eventWindow } from "@offers/contract/server-events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dayMs, utcDay } from "../core/utc-day.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let a: KeyCalls;
/** What stores figures by loading them each day from so many days back, and how it puts them in. */
const stores = [
  { name: "as the guide says", daysBefore: 8, isWhole: true, rows: new Map<string, ReportRow>() },
  { name: "one day less", daysBefore: 7, isWhole: true, rows: new Map<string, ReportRow>() },
  { name: "row by row", daysBefore: 8, isWhole: false, rows: new Map<string, ReportRow>() },
];

const at = (time: string): void => service.moveClock(Date.parse(time) - service.context.clock());

const reported = async (from: string): Promise<ReportRow[]> => {
  const answer = await a.get(`/v1/reports/aggregate?from=${from}`);
  expect(answer.status).toBe(200);
  return answer.json<ReportAnswer>().items;
};

const load = async (): Promise<void> => {
  for (const { daysBefore, isWhole, rows } of stores) {
    const from = utcDay(service.context.clock() - daysBefore * dayMs);
    const items = await reported(from);
    if (isWhole) for (const [key, { date = "" }] of rows) if (date >= from) rows.delete(key);
    for (const row of items) {
      const { date, websiteKey, country, vertical, currency } = row;
      rows.set([date, websiteKey, country, vertical, currency].join(), row);
    }
  }
};

beforeAll(async () => {
  service = await startTestService();
  a = await withKey(service);
  at("2026-11-30T23:50:00Z");
  const { decision, offers } = await service.visit();
  const [offer] = offers;
  await service.post("click", { requestId: decision.requestId, offerId: offer?.id ?? "" });
  at("2026-12-01T02:00:00Z");
  await load();
  await service.visit({ from: "203.0.113.8" });
  await load();
  // The click of the day before is followed: it moves to this day, whose row had no currency until then.
  await service.follow(offer?.url ?? "");
  at("2026-12-01T22:00:00Z");
  // As late as it may come.
  const event = { type: "click", websiteKey: "ws_a", offerId: "offer_best", country: "DE" };
  const ts = service.context.clock() - eventWindow.pastMs + 3_600_000;
  await a.accept({ ...event, ts: new Date(ts).toISOString() });
  at("2026-12-02T02:00:00Z");
  await load();
});
afterAll(() => service.close());

it.each([
  ["as the guide says", true],
  ["one day less", false],
  ["row by row", false],
])("figures that are loaded each day, %s: are those of the report, %s", async (name, isSame) => {
  const rows = [...(stores.find((store) => store.name === name)?.rows.values() ?? [])];
  const inOrder = (some: readonly ReportRow[]) => some.map((row) => JSON.stringify(row)).sort();
  const all = await reported("2026-11-20");
  expect(all.length).toBeGreaterThan(3);
  if (isSame) expect(inOrder(rows)).toEqual(inOrder(all));
  else expect(inOrder(rows)).not.toEqual(inOrder(all));
});

it("is what the guide says: today and the eight days before it, each replaced whole", () => {
  const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf8").replace(/\s+/g, " ");
  const [, days] =
    /loads today and the (\w+) days before it, each time, and replaces those days whole/.exec(guide) ?? [];
  expect(days).toBe("eight");
});

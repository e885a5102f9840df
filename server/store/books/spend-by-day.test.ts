import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs, dayNumber } from "../../core/utc-day.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { readSpendByDay } from "./advertiser-account.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const noon = Date.parse("2026-11-20T12:00:00Z");
const onDay = (days: number) => readSpendByDay(service.catalogue.db, "advertiser_1", dayNumber(noon) + days);
const click = async (from: string) => {
  const { offers } = await service.visit({ from });
  await service.follow(offers.find(({ brand }) => brand === "Best")?.url ?? "", { from });
};

test("is told of every day since the first one, also of those without, and of thirty at the most", async () => {
  expect(await onDay(0)).toEqual([]);
  await click("203.0.113.1");
  service.moveClock(3 * dayMs);
  await click("203.0.113.2");
  await click("203.0.113.3");
  const first = { date: "2026-11-20", spentMicros: 400_000, billedClicks: 1 };
  const none = { spentMicros: 0, billedClicks: 0 };
  expect(await onDay(0)).toEqual([first]);
  expect(await onDay(4)).toEqual([
    first,
    { date: "2026-11-21", ...none },
    { date: "2026-11-22", ...none },
    { date: "2026-11-23", spentMicros: 800_000, billedClicks: 2 },
    { date: "2026-11-24", ...none },
  ]);
  const later = await onDay(31);
  expect(later).toHaveLength(30);
  expect([later[0], later[1], later.at(-1)]).toEqual([
    { date: "2026-11-22", ...none },
    { date: "2026-11-23", spentMicros: 800_000, billedClicks: 2 },
    { date: "2026-12-21", ...none },
  ]);
});

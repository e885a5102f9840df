import { expect, test } from "vitest";
import { capRace } from "./cap-race.ts";

test("5,000 clicks at once, two kills and a cap that is lowered meanwhile: every cap is billed exactly", async () => {
  const caps = { dayCap: 40, totalCap: 100, advertiserCap: 70 };
  const checks = await capRace({ clicks: 5000, ...caps, kills: 2 });
  expect(checks.filter((check) => !check.holds)).toEqual([]);
  expect(checks.length).toBeGreaterThan(3);
}, 300_000);

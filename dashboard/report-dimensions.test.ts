import { expect, test } from "vitest";
import { dimensionText, readGrouping, toggled } from "./report-dimensions.ts";

test("an address names dimensions in any order, and what is none of them counts as unsaid", () => {
  expect(readGrouping("country,date,colour,country")).toEqual(["date", "country"]);
  expect(readGrouping("colour")).toEqual(["date"]);
  expect(readGrouping(undefined)).toEqual(["date"]);
});

test("a press adds a dimension, and another takes it away", () => {
  expect(toggled(["date", "device"], "country")).toBe("date,country,device");
  expect(toggled(["date", "country"], "date")).toBe("country");
  expect(readGrouping(toggled(["country"], "country"))).toEqual(["date"]);
});

test("values are called by their names", () => {
  const names = new Map([["ws_1", "Journal"]]);
  expect(dimensionText("websiteKey", "ws_1", names)).toBe("Journal");
  expect(dimensionText("websiteKey", "ws_gone", names)).toBe("ws_gone");
  expect(dimensionText("hour", 6, names)).toBe("06:00");
  expect(dimensionText("hour", 0, names)).toBe("00:00");
  expect(dimensionText("region", null, names)).toBe("–");
  expect(dimensionText("region", "US-NJ", names)).toBe("United States · NJ");
  expect(dimensionText("date", "2026-11-12", names).replaceAll("\u00a0", " ")).toBe("Thu 12 Nov 2026");
});

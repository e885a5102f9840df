import { describe, expect, test } from "vitest";
import type { Cell } from "./cell.ts";
import { createCellNumbers } from "./cell-numbers.ts";

const cell: Cell = {
  websiteId: 1,
  country: "US",
  region: "NJ",
  vertical: "loans",
  surface: "overlay",
  test: false,
  currency: "USD",
  device: 1,
};

describe("the numbers of cells", () => {
  test.each<[string, Partial<Cell>]>([
    ["website", { websiteId: 2 }],
    ["country", { country: "CA" }],
    ["region", { region: "NY" }],
    ["vertical", { vertical: "cards" }],
    ["surface", { surface: "section" }],
    ["kind of traffic", { test: true }],
    ["currency", { currency: "" }],
    ["device", { device: 2 }],
  ])("are told apart by the %s", (_, other) => {
    const numbers = createCellNumbers(10);
    numbers.set(cell, 7);
    expect(numbers.numberOf({ ...cell, ...other })).toBeUndefined();
    numbers.set({ ...cell, ...other }, 8);
    expect([cell, { ...cell, ...other }].map((one) => numbers.numberOf({ ...one }))).toEqual([7, 8]);
  });

  test("are forgotten where they were not asked for lately, and kept where they were", () => {
    const numbers = createCellNumbers(2);
    for (let websiteId = 1; websiteId <= 4; websiteId += 1) {
      numbers.set({ ...cell, websiteId }, websiteId);
      numbers.numberOf({ ...cell, websiteId: 1 });
    }
    const known = [1, 2, 3, 4].map((websiteId) => numbers.numberOf({ ...cell, websiteId }));
    expect(known).toEqual([1, undefined, 3, 4]);
  });

  test("are all forgotten when they are cleared", () => {
    const numbers = createCellNumbers(2);
    numbers.set(cell, 7);
    numbers.clear();
    expect(numbers.numberOf(cell)).toBeUndefined();
  });
});

import { expect, test } from "vitest";
import { didYouMean, nearest } from "./nearest.ts";

const names = ["publisher", "website", "offer", "payout-micros", "payout-model"];

test.each([
  ["offers", "offer"],
  ["ofer", "offer"],
  ["publsher", "publisher"],
  ["payout-micro", "payout-micros"],
  ["pay-out-model", "payout-model"],
  ["web", "website"],
  ["xylophone", null],
  ["", null],
])("%j most likely means %j", (typed, name) => {
  expect(nearest(typed, names)).toBe(name);
});

test("a suggestion is a question, or nothing", () => {
  expect(didYouMean("ofer", names, (name) => `--${name}`)).toBe("; did you mean --offer?");
  expect(didYouMean("xylophone", names)).toBe("");
});

import { mostNames } from "@offers/contract/catalogue";
import { expect, test } from "vitest";
import { carefulVerticals } from "./vulnerable-verticals.ts";

test.each([
  ["a catalogue without offers", [], ["gambling", "loans", "trading"]],
  ["nothing of the kind", ["travel", "energy"], ["gambling", "loans", "trading"]],
  [
    "other names of the same",
    ["travel", "payday-loans", "casino", "loans", "forex"],
    ["casino", "forex", "gambling", "loans", "payday-loans", "trading"],
  ],
])("%s", (_, verticals, blocked) => {
  expect(carefulVerticals(verticals)).toEqual(blocked);
});

test("an allowlist can hold them all, and the plain names are among them", () => {
  const blocked = carefulVerticals(Array.from({ length: 2000 }, (_, number) => `casino-${number}`));
  expect(blocked).toHaveLength(mostNames);
  expect(blocked).toEqual(expect.arrayContaining(["gambling", "loans", "trading"]));
});

import { expect, test } from "vitest";
import { websiteChoices, websiteNames } from "./website-choices.ts";

const websites = {
  items: [{ websiteKey: "ws_a", name: "Pier" }],
  deleted: [{ websiteKey: "ws_gone", name: "Courier" }],
};
const all = { value: "", says: "All websites" };
const pier = { value: "ws_a", says: "Pier" };
const courier = { value: "ws_gone", says: "Courier (deleted)" };

test.each([
  ["nothing", undefined, undefined, [all]],
  ["all", websites, "", [all, pier, courier]],
  ["one of the list", websites, "ws_a", [all, pier, courier]],
  ["one that is deleted", websites, "ws_gone", [all, pier, courier]],
  ["one of the list of a node of an older release", { items: websites.items }, "ws_a", [all, pier]],
  ["one before the list is read", undefined, "ws_a", [all, { value: "ws_a", says: "ws_a" }]],
])("the choices with %s chosen", (_, list, chosen, choices) => {
  expect(websiteChoices(list, chosen)).toEqual(choices);
});

test("a deleted website is called by its name, which says that it is deleted", () => {
  expect([...websiteNames(websites)]).toEqual([
    ["ws_a", "Pier"],
    ["ws_gone", "Courier (deleted)"],
  ]);
});

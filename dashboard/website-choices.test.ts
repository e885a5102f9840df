import { expect, test } from "vitest";
import { websiteChoices } from "./website-choices.ts";

const websites = [{ websiteKey: "ws_a", name: "Pier" }];
const all = { value: "", says: "All websites" };
const pier = { value: "ws_a", says: "Pier" };

test.each([
  ["nothing", undefined, undefined, [all]],
  ["all", websites, "", [all, pier]],
  ["one of the list", websites, "ws_a", [all, pier]],
  ["one that is deleted", websites, "ws_gone", [all, pier, { value: "ws_gone", says: "ws_gone" }]],
  ["one before the list is read", undefined, "ws_a", [all, { value: "ws_a", says: "ws_a" }]],
])("the choices with %s chosen", (_, list, chosen, choices) => {
  expect(websiteChoices(list, chosen)).toEqual(choices);
});

import { expect, test } from "vitest";
import { allowlistWords } from "./allowlist-words.ts";

const none = { verticals: [], brands: [], offers: [] };
const all = { mode: "all" as const, allow: none, block: { ...none, verticals: ["games"] } };
const some = {
  mode: "allowlist" as const,
  allow: { ...none, brands: ["Anchor"], offers: ["offer_1"] },
  block: { ...none, verticals: ["games", "loans"] },
};
const titleOf = (id: string) => (id === "offer_1" ? "Calls at sea" : id);

test.each([
  [some, all, "Only the offers that are chosen; Chosen: Anchor, Calls at sea; Taken out: loans"],
  [all, some, "All offers but those that are taken out"],
  [{ ...all, block: none }, all, "None of these"],
])("of two allowlists each says what the other does not", (one, other, says) => {
  expect(allowlistWords(one, other, titleOf)).toBe(says);
});

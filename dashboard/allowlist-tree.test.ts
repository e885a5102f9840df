import type { Allowlist } from "@offers/contract/catalogue";
import { expect, test } from "vitest";
import { stateOf, type TreePath, toggled } from "./allowlist-tree.ts";

const none = { brands: [], verticals: [], offers: [] };
const list = (over: Partial<Allowlist>): Allowlist => ({ mode: "all", allow: none, block: none, ...over });
const vertical: TreePath = [{ kind: "verticals", name: "loans" }];
const brand: TreePath = [...vertical, { kind: "brands", name: "Quick" }];
const offer: TreePath = [...brand, { kind: "offers", name: "offer_1" }];

test.each<[string, Allowlist, TreePath, boolean, string | null]>([
  ["everything permits all", list({}), offer, true, null],
  ["a block closes what is in it", list({ block: { ...none, verticals: ["loans"] } }), offer, false, "loans"],
  [
    "a block wins",
    list({ allow: { ...none, offers: ["offer_1"] }, block: { ...none, brands: ["quick"] } }),
    offer,
    false,
    "Quick",
  ],
  ["an empty allowlist permits nothing", list({ mode: "allowlist" }), offer, false, null],
  [
    "an allowed brand is so in any case",
    list({ mode: "allowlist", allow: { ...none, brands: [" QUICK"] } }),
    offer,
    true,
    null,
  ],
])("%s", (_, allowlist, path, isOn, blockedBy) => {
  expect(stateOf(allowlist, path)).toEqual({ isOn, blockedBy });
});

test.each([
  list({}),
  list({ mode: "allowlist" }),
  list({ mode: "allowlist", allow: { ...none, verticals: ["loans"] } }),
  list({ block: { ...none, offers: ["offer_1"] } }),
])("toggling changes the state, and toggling again changes it back: %j", (allowlist) => {
  for (const path of [vertical, brand, offer]) {
    const once = toggled(allowlist, path);
    expect(stateOf(once, path).isOn).toBe(!stateOf(allowlist, path).isOn);
    expect(stateOf(toggled(once, path), path).isOn).toBe(stateOf(allowlist, path).isOn);
  }
});

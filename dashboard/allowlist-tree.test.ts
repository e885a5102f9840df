import type { Allowlist } from "@offers/contract/catalogue";
import { expect, test, vi } from "vitest";
import { drawnTree, nodeOf, stateOf, type TreePath, toggled } from "./allowlist-tree.ts";

const none = { brands: [], verticals: [], offers: [] };
const list = (over: Partial<Allowlist>): Allowlist => ({ mode: "all", allow: none, block: none, ...over });
const vertical: TreePath = [nodeOf("verticals", "loans")];
const brand: TreePath = [...vertical, nodeOf("brands", "Quick")];
const offer: TreePath = [...brand, nodeOf("offers", "offer_1")];

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

const inTree = (offerId: string) => ({
  offerId,
  title: offerId,
  payoutModel: "CPC" as const,
  geoCoverage: ["*"],
});

test("a tree is drawn with what each of its nodes has in it", () => {
  const brands = [
    { brand: "Quick", offers: [inTree("offer_1"), inTree("offer_2")] },
    { brand: "Slow", offers: [inTree("offer_3")] },
  ];
  const allowlist = list({ block: { ...none, brands: ["SLOW"], offers: ["offer_1"] } });
  const [loans] = drawnTree([{ vertical: "loans", brands }], allowlist);
  expect(loans).toMatchObject({ name: "loans", state: { isOn: true }, isMixed: true, on: 1, offers: 3 });
  expect(loans?.inside).toMatchObject([
    { name: "Quick", state: { isOn: true, blockedBy: null }, isMixed: true, on: 1, offers: 2 },
    { name: "Slow", state: { isOn: false, blockedBy: null }, isMixed: false, on: 0, offers: 1 },
  ]);
  const states = loans?.inside.flatMap(({ inside }) => inside.map(({ state }) => state));
  expect(states).toEqual([
    { isOn: false, blockedBy: null },
    { isOn: true, blockedBy: null },
    { isOn: false, blockedBy: "Slow" },
  ]);
});

test("a tree of many offers and an allowlist of many brands compare each spelling once, and not each with each", () => {
  const names = Array.from({ length: 200 }, (_, number) => `Brand ${number}`);
  const brands = names.map((name, number) => ({
    brand: name,
    offers: Array.from({ length: 10 }, (_, at) => inTree(`offer_${number}_${at}`)),
  }));
  const allowlist = list({ block: { ...none, brands: names.map((name) => name.toUpperCase()) } });
  const normalize = vi.spyOn(String.prototype, "normalize");
  const tree = drawnTree([{ vertical: "loans", brands }], allowlist);
  const times = normalize.mock.calls.length;
  normalize.mockRestore();
  expect(tree[0]).toMatchObject({ on: 0, offers: 2000 });
  expect(times).toBeLessThanOrEqual(2000 + names.length);
});

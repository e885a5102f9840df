import { expect, test } from "vitest";
import { changedSince, mergeNames, mergeOver, mergePlaces, patchOf } from "./merge-patch.ts";

test.each([
  [{ a: 1, b: 2 }, { a: 1, b: 2 }, {}],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  [{ a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: { b: 1 } }, { a: null }, { a: null }],
  [{ a: [1, 2] }, { a: [2, 1] }, { a: [2, 1] }],
  [{ a: [1] }, { a: [1] }, {}],
])("from %j to %j it takes %j", (before, after, patch) => {
  expect(patchOf(before, after)).toEqual(patch);
});

test.each([
  ["what one adds stays beside what the other adds", ["DE"], ["DE", "FR"], ["DE", "ES"], ["DE", "ES", "FR"]],
  [
    "what one takes away is gone, and what the other takes away too",
    ["DE", "FR", "ES"],
    ["DE", "FR"],
    ["DE", "ES"],
    ["DE"],
  ],
  ["what both add stands there once", [], ["DE"], ["DE"], ["DE"]],
  ["nothing that was not touched comes back", ["DE", "FR"], ["DE", "FR"], [], []],
])("of names %s", (_, before, mine, theirs, names) => {
  expect(mergeNames(before, mine, theirs)).toEqual(names);
});

test.each([
  [
    "a member that only they changed stays theirs",
    { a: 1, b: 1 },
    { a: 2, b: 1 },
    { a: 1, b: 3 },
    { a: 2, b: 3 },
  ],
  ["a member that both changed is one's own", { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }],
  [
    "lists are merged by their names, however deep",
    { a: { b: 1, list: ["DE"] } },
    { a: { b: 1, list: ["DE", "FR"] } },
    { a: { b: 2, list: ["ES"] } },
    { a: { b: 2, list: ["ES", "FR"] } },
  ],
  [
    "a member that was taken away stays away",
    { a: { b: 1, c: 1 } },
    { a: { b: 1 } },
    { a: { b: 2, c: 1 } },
    { a: { b: 2 } },
  ],
  ["what is nothing now is taken as it is", { a: null }, { a: { b: 1 } }, { a: { c: 1 } }, { a: { b: 1 } }],
])("saved over somebody else's, %s", (_, before, mine, theirs, saved) => {
  expect(mergeOver<object>(before, mine, theirs)).toEqual(saved);
});

const rule = (
  mode: "blocklist" | "allowlist",
  entries: string[],
  unknownLocation: "allow" | "block" = "allow",
) => ({
  geoRule: { mode, entries, unknownLocation },
});

test.each([
  [
    "names of both stay where the mode is the same",
    rule("blocklist", ["DE", "FR"]),
    rule("blocklist", ["DE", "ES"], "block"),
    rule("blocklist", ["DE", "ES", "FR"], "block"),
  ],
  [
    "a name that was added here does not come to mean its opposite",
    rule("blocklist", ["DE", "FR"]),
    rule("allowlist", ["ES"]),
    rule("blocklist", ["DE", "FR"]),
  ],
  [
    "a name that they added does not come to mean its opposite",
    rule("allowlist", ["DE"]),
    rule("blocklist", ["DE", "FR"], "block"),
    rule("allowlist", ["DE"], "block"),
  ],
  [
    "what both have turned has the places of here",
    rule("allowlist", ["ES"]),
    rule("allowlist", ["FR"]),
    rule("allowlist", ["ES"]),
  ],
  [
    "who cannot be placed is a matter of its own",
    rule("blocklist", ["DE"], "block"),
    rule("allowlist", ["ES"]),
    rule("allowlist", ["ES"], "block"),
  ],
])("saved over somebody else's rule, %s", (_, mine, theirs, saved) => {
  expect(mergePlaces(rule("blocklist", ["DE"]), mine, theirs)).toEqual(saved);
});

test("of what was changed stays what was typed after it was sent", () => {
  const sent = { name: "Pier", origins: ["a"], vertical: "news" };
  expect(changedSince({ name: "Pier", origins: ["a"] }, sent, sent)).toEqual({});
  expect(changedSince({ name: "Pier T", origins: ["a"], vertical: "sport" }, sent, sent)).toEqual({
    name: "Pier T",
    vertical: "sport",
  });
});

test.each([
  ["what is added since stands beside what others added", ["a", "b", "d"], ["a", "c", "b", "d"]],
  ["what is taken away since goes, and nothing of theirs", ["b"], ["c", "b"]],
  ["what is as it was sent is not changed any more", ["a", "b"], undefined],
])("once it was saved over somebody else's, %s", (_, typed, left) => {
  const [sent, saved] = [{ list: ["a", "b"] }, { list: ["a", "c", "b"] }];
  expect(changedSince({ list: typed }, sent, saved).list).toEqual(left);
});

import { expect, test } from "vitest";
import { isOnPage, pageRecord } from "./page-record.ts";
import { readTag } from "./read-tag.ts";

const entered = (options: Record<string, string>, script?: Element) => {
  const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", ...options }, "");
  if (!tag) throw new Error("the tag is complete");
  return { tag, script };
};
const scripts = [{}, {}] as [Element, Element];

test("a second copy of the loader finds the record of the first one", () => {
  const page = {};
  expect(pageRecord(page)).toBe(pageRecord(page));
  expect(pageRecord({})).not.toBe(pageRecord(page));
});

test("nothing shows in the page's names", () => {
  const page = {};
  pageRecord(page);
  expect(Object.getOwnPropertyNames(page)).toEqual([]);
  expect({ ...page }).toEqual({});
});

test("a page that gave every object a `get` is no obstacle", () => {
  Object.defineProperty(Object.prototype, "get", { value: () => 0, configurable: true });
  let visits: unknown;
  try {
    visits = pageRecord({}).visits;
  } finally {
    Reflect.deleteProperty(Object.prototype, "get");
  }
  expect(visits).toEqual([]);
});

test("what is told before anybody listens is kept", () => {
  const record = pageRecord({});
  record.tell("decision", { website: "ws_a", allowed: true });
  expect(record.log).toEqual([["decision", { website: "ws_a", allowed: true }]]);
});

test.each([
  ["the same overlay by another tag", { website: "ws_a" }, 1, true],
  ["another website", { website: "ws_b" }, 0, false],
  ["a section", { website: "ws_a", mode: "section" }, 0, false],
])("beside an overlay, %s is on the page: %j", (_name, options, script, is) => {
  const first = entered({ website: "ws_a" }, scripts[0]);
  expect(isOnPage([first], entered(options, scripts[script]))).toBe(is);
});

test.each([
  ["the same tag once more", {}, 0, true],
  ["another tag", {}, 1, false],
  ["another container", { container: "#b" }, 0, false],
])("beside a section, %s is on the page: %j", (_name, options, script, is) => {
  const section = { website: "ws_a", mode: "section" };
  expect(isOnPage([entered(section, scripts[0])], entered({ ...section, ...options }, scripts[script]))).toBe(
    is,
  );
});

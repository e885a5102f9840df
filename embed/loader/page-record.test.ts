import { expect, test } from "vitest";
import { isOnPage, pageRecord } from "./page-record.ts";
import { readTag } from "./read-tag.ts";

const tagInPage = (options: Record<string, string>, script: Element | null) => {
  const tag = readTag("https://offers.example/embed.js", { pub: "pub_a", ...options }, "");
  if (!tag) throw new Error("the tag is complete");
  return { tag, script };
};
const firstScript = {} as Element;
const secondScript = {} as Element;

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
  ["the same overlay by another tag", { website: "ws_a" }, secondScript, true],
  ["another website", { website: "ws_b" }, firstScript, false],
  ["a section", { website: "ws_a", mode: "section" }, firstScript, false],
])("beside an overlay, %s is on the page: %j", (_name, options, script, is) => {
  const overlay = tagInPage({ website: "ws_a" }, firstScript);
  expect(isOnPage([overlay], tagInPage(options, script))).toBe(is);
});

test("beside overlays of two websites, the same overlay of one is on the page", () => {
  const overlays = ["ws_a", "ws_b"].map((website) => tagInPage({ website }, firstScript));
  expect(isOnPage(overlays, tagInPage({ website: "ws_b" }, secondScript))).toBe(true);
});

test.each([
  ["the same tag once more", {}, firstScript, true],
  ["another tag", {}, secondScript, false],
  ["the same tag with a container", { container: "#b" }, firstScript, true],
  ["no tag and no container", {}, null, false],
])("beside a section, %s is on the page: %j", (_name, options, script, is) => {
  const section = { website: "ws_a", mode: "section" };
  const other = tagInPage({ ...section, ...options }, script);
  expect(isOnPage([tagInPage(section, firstScript)], other)).toBe(is);
});

test.each([
  ["the same container", "#a", null, true],
  ["another container", "#b", null, false],
  ["a tag with the same container", "#a", firstScript, true],
  ["a tag without a container", "", firstScript, false],
])("beside a section without a tag, %s is on the page: %j", (_name, container, script, is) => {
  const section = { website: "ws_a", mode: "section" };
  const other = tagInPage({ ...section, container }, script);
  expect(isOnPage([tagInPage({ ...section, container: "#a" }, null)], other)).toBe(is);
});

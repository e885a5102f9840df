import { expect, test } from "vitest";
import { isFirstOnPage } from "./first-on-page.ts";

test("a website and mode starts once, another one starts too", () => {
  const page = {};
  expect(isFirstOnPage("ws_a overlay", page)).toBe(true);
  expect(isFirstOnPage("ws_a overlay", page)).toBe(false);
  expect(isFirstOnPage("ws_a section", page)).toBe(true);
  expect(isFirstOnPage("ws_b overlay", page)).toBe(true);
});

test("a second copy of the loader finds what the first one wrote", () => {
  const page = {};
  isFirstOnPage("ws_a overlay", page);
  const names: unknown = Reflect.get(page, Symbol.for("visit-panel.started"));
  expect(names).toEqual(new Set(["ws_a overlay"]));
});

test("nothing shows in the page's names", () => {
  const page = {};
  isFirstOnPage("ws_a overlay", page);
  expect(Object.getOwnPropertyNames(page)).toEqual([]);
  expect({ ...page }).toEqual({});
});

test("a page that gave every object a `get` is no obstacle", () => {
  Object.defineProperty(Object.prototype, "get", { value: () => 0, configurable: true });
  let first = false;
  try {
    first = isFirstOnPage("ws_a overlay", {});
  } finally {
    Reflect.deleteProperty(Object.prototype, "get");
  }
  expect(first).toBe(true);
});

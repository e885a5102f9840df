import { expect, test } from "vitest";
import { isNavigation, isSpeculative } from "./navigation.ts";

test.each([
  ["a browser that says nothing", {}, true],
  ["a link that was clicked", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }, true],
  ["a browser that names the mode alone", { "sec-fetch-mode": "navigate" }, true],
  ["a browser that names the destination alone", { "sec-fetch-dest": "document" }, true],
  ["an image", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }, false],
  ["a script", { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }, false],
  ["a frame", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, false],
  ["a fenced frame", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "fencedframe" }, false],
  ["an embedded object", { "sec-fetch-mode": "navigate", "sec-fetch-dest": "object" }, false],
  ["a call of fetch", { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }, false],
  ["an image whose mode alone is named", { "sec-fetch-mode": "no-cors" }, false],
  ["an image whose destination alone is named", { "sec-fetch-dest": "image" }, false],
  ["a header without a value", { "sec-fetch-mode": "" }, false],
])("%s is a navigation: %o %s", (_, headers, expected) => {
  expect(isNavigation(headers)).toBe(expected);
});

test.each([
  [{}, false],
  [{ "sec-purpose": "prefetch" }, true],
  [{ "sec-purpose": "prefetch;prerender" }, true],
  [{ purpose: "prefetch" }, true],
  [{ "x-purpose": "preview" }, true],
  [{ "x-moz": "prefetch" }, true],
  [{ "X-Moz": "prefetch" }, false],
  [{ "sec-purpose": "prefetched" }, false],
  [{ purpose: "" }, false],
  [{ "x-purpose": ["PREVIEW"] }, true],
])("%o is made ahead of the visitor: %s", (headers, expected) => {
  expect(isSpeculative(headers)).toBe(expected);
});

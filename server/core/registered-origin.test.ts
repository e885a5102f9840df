import { expect, test, vi } from "vitest";
import { coversOrigin } from "./registered-origin.ts";

test.each([
  ["of dots", `https://${"a.".repeat(7000)}example`],
  ["that is a sentence", "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 Chrome/1.0 ".repeat(280)],
  ["of one character more than an origin may have", `https://${"a.".repeat(129)}bb`],
])("a header %s is looked up nowhere", (_, header) => {
  const isRegistered = vi.fn(() => true);
  expect(coversOrigin(isRegistered, header)).toBe(false);
  expect(isRegistered).not.toHaveBeenCalled();
});

test("the longest origin that there can be is covered by a wildcard above it", () => {
  const longest = `https://${"a.".repeat(126)}b:65535`;
  const wildcard = `https://*.${"a.".repeat(100)}b:65535`;
  expect(longest).toHaveLength(267);
  expect(coversOrigin((text) => text === wildcard, longest)).toBe(true);
});

import { expect, test } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

test.each([
  [null, 0],
  ["", 0],
  ["12", 12_000],
  ["0", 0],
  ["soon", 0],
  ["-3", 0],
  ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
  ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
])("Retry-After %j is %d ms", (text, ms) => {
  expect(retryAfterMs(text, now)).toBe(ms);
});

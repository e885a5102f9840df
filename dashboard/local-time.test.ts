import { expect, test } from "vitest";
import { localTimeText, readLocalTime } from "./local-time.ts";

test.each([
  ["", { date: "", time: "" }],
  ["2026-12-01", { date: "2026-12-01", time: "" }],
  ["2026-12-01T09:00", { date: "2026-12-01", time: "09:00" }],
])("%j is shown by a date and a time, and written as it was", (text, shown) => {
  expect(readLocalTime(text)).toEqual(shown);
  expect(localTimeText(shown)).toBe(text);
});

test.each(["1 December", "2026-12-01T09:00:30", "2026-12-01T09:00Z"])(
  "%s stays the text that it is",
  (text) => {
    expect(readLocalTime(text)).toBeNull();
  },
);

test("a time without a date is no moment", () => {
  expect(localTimeText({ date: "", time: "09:00" })).toBe("");
});

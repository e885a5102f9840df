import { expect, test } from "vitest";
import { changedLine, changedTexts } from "./changed-text.ts";

test.each([
  [{ title: "A" }, { title: "B" }, "title: A → B"],
  [null, { name: "Journal", paused: false }, "name: – → Journal; paused: – → no"],
  [
    { settings: { theme: "dark" } },
    { settings: { theme: "light", radius: 4 } },
    "settings.theme: dark → light; settings.radius: – → 4",
  ],
  [{ entries: ["DE", "US-NJ"] }, { entries: [] }, "entries: DE, US-NJ → "],
  [{ days: [{ from: 1 }] }, { days: null }, 'days: {"from":1} → none'],
  [{ key: "x" }, null, "key: x → –"],
  [null, null, ""],
])("%j to %j reads %s", (before, after, line) => {
  expect(changedLine(changedTexts(before, after))).toBe(line);
});

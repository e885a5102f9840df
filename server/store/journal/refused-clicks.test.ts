import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Cell } from "../../core/cell.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { RefusedClicks } from "./refused-clicks.ts";

const dayMs = 86_400_000;
const cell: Cell = {
  websiteId: 1,
  country: "DE",
  region: "",
  vertical: "games",
  surface: "overlay",
  test: false,
  currency: "",
  device: 0,
};

let isRefusing: boolean;
let entries: JournalEntry[];
beforeEach(() => {
  vi.useFakeTimers();
  [isRefusing, entries] = [false, []];
});
afterEach(() => vi.useRealTimers());

const newClicks = () =>
  new RefusedClicks({
    append: async (entry) => {
      if (isRefusing) throw new Error("the disk is full");
      entries.push({ ...entry });
      return { eventId: null, refusal: null, billedMicros: null };
    },
  });

test("a second of clicks is one entry for each cell and day", async () => {
  const clicks = newClicks();
  for (const at of [1, 2, 3, dayMs]) clicks.note(cell, at);
  clicks.note({ ...cell, country: "FR" }, 4);
  expect(entries).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(entries).toEqual([
    { kind: "clicks_refused", cell, at: 1, clicks: 3 },
    { kind: "clicks_refused", cell, at: dayMs, clicks: 1 },
    { kind: "clicks_refused", cell: { ...cell, country: "FR" }, at: 4, clicks: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(entries).toHaveLength(3);
});

test("what the journal refuses is handed to it again, with what has come since", async () => {
  const clicks = newClicks();
  isRefusing = true;
  clicks.note(cell, 1);
  await vi.advanceTimersByTimeAsync(1000);
  isRefusing = false;
  clicks.note(cell, 2);
  await clicks.flush();
  expect(entries).toEqual([{ kind: "clicks_refused", cell, at: 1, clicks: 2 }]);
});

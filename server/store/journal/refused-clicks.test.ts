import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JournalEntry, RefusedClick } from "../../core/journal-entry.ts";
import { entriesOf } from "./entry-text.ts";
import { JournalQueue } from "./journal-queue.ts";
import { RefusedClicks } from "./refused-clicks.ts";

const hourMs = 3_600_000;
const cell: RefusedClick["cell"] = {
  websiteId: 1,
  country: "DE",
  region: "",
  vertical: "games",
  surface: "overlay",
  test: false,
  currency: "",
  device: 0,
};

const click: RefusedClick = { cell, offer: 5, placement: "premium" };

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

test("a second of clicks is one entry for each offer, placement, cell and hour", async () => {
  const clicks = newClicks();
  for (const at of [1, 2, 3, hourMs]) clicks.note(click, at);
  clicks.note({ ...click, cell: { ...cell, country: "FR" } }, 4);
  clicks.note({ ...click, offer: 6 }, 5);
  clicks.note({ ...click, placement: "standard" }, 6);
  expect(entries).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(entries).toEqual([
    { kind: "clicks_refused", ...click, at: 1, clicks: 3 },
    { kind: "clicks_refused", ...click, at: hourMs, clicks: 1 },
    { kind: "clicks_refused", ...click, cell: { ...cell, country: "FR" }, at: 4, clicks: 1 },
    { kind: "clicks_refused", ...click, offer: 6, at: 5, clicks: 1 },
    { kind: "clicks_refused", ...click, placement: "standard", at: 6, clicks: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(entries).toHaveLength(5);
});

test("what the journal refuses is handed to it again, with what has come since", async () => {
  const clicks = newClicks();
  isRefusing = true;
  clicks.note(click, 1);
  await vi.advanceTimersByTimeAsync(1000);
  isRefusing = false;
  clicks.note(click, 2);
  await clicks.flush();
  expect(entries).toEqual([{ kind: "clicks_refused", ...click, at: 1, clicks: 2 }]);
});

test("what hangs on the disk is waited for: handed to the journal once more, it would be added twice", async () => {
  const queue = new JournalQueue(
    (batch) => entries.push(...entriesOf(batch)),
    () => undefined,
  );
  const recorded = { eventId: null, refusal: null, billedMicros: null };
  const clicks = new RefusedClicks(queue);
  clicks.note(click, 1);
  await vi.advanceTimersByTimeAsync(10_000);
  queue.recorded({ outcomes: [recorded], failures: [] });
  clicks.note(click, 2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(entries).toEqual([1, 2].map((at) => ({ kind: "clicks_refused", ...click, at, clicks: 1 })));
});

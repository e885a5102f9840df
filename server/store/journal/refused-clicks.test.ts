import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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

describe("in a journal", () => {
  const recorded = { eventId: null, refusal: null, billedMicros: null };
  const noted = (at: number, clicks: number) => ({ kind: "clicks_refused", ...click, at, clicks });
  let queue: JournalQueue;
  let clicks: RefusedClicks;
  beforeEach(() => {
    queue = new JournalQueue(
      (batch) => entries.push(...entriesOf(batch)),
      () => undefined,
    );
    clicks = new RefusedClicks(queue);
  });

  test("what hangs on the disk is waited for: handed in once more, it would be added twice", async () => {
    clicks.note(click, 1);
    await vi.advanceTimersByTimeAsync(10_000);
    clicks.note(click, 2);
    clicks.note(click, 3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(entries).toEqual([noted(1, 1)]);
    queue.recorded({ outcomes: [recorded], failures: [] });
    await vi.advanceTimersByTimeAsync(2000);
    expect(entries).toEqual([noted(1, 1), noted(2, 2)]);
  });

  test("what a batch was refused with comes again as it was, a few times a second", async () => {
    clicks.note(click, 1);
    await vi.advanceTimersByTimeAsync(1001);
    for (let second = 0; second < 5; second += 1) {
      queue.refused({ code: "commit_unknown", retryAfterSeconds: 1 });
      clicks.note(click, 2);
      await vi.advanceTimersByTimeAsync(200);
      expect(entries).toHaveLength(second + 1);
      await vi.advanceTimersByTimeAsync(800);
    }
    expect(entries).toEqual(Array.from({ length: 6 }, () => noted(1, 1)));
    queue.recorded({ outcomes: [recorded], failures: [] });
    await vi.advanceTimersByTimeAsync(2000);
    expect(entries.slice(6)).toEqual([noted(2, 5)]);
  });

  test("with the last batch it is turned away", async () => {
    clicks.note(click, 1);
    const flushed = clicks.flush();
    await vi.advanceTimersByTimeAsync(1);
    const drained = queue.drain();
    queue.refused({ code: "SQLITE_FULL", retryAfterSeconds: 5 });
    await Promise.all([flushed, drained]);
    expect(entries).toEqual([noted(1, 1)]);
  });
});

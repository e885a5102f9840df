import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { RefusedCall } from "../../core/refused-call.ts";
import { RefusedCalls } from "./refused-calls.ts";

const refused: RefusedCall = {
  websiteId: 1,
  origin: "https://www.a.example",
  code: "origin_not_registered",
};

let entries: JournalEntry[];
beforeEach(() => {
  vi.useFakeTimers();
  entries = [];
});
afterEach(() => vi.useRealTimers());

const newCalls = () =>
  new RefusedCalls({
    append: async (entry) => {
      entries.push({ ...entry });
      return { eventId: null, refusal: null, billedMicros: null };
    },
  });

test("a second of calls is one entry for each website, origin and reason", async () => {
  const calls = newCalls();
  for (const at of [1, 2, 3]) calls.note(refused, at);
  calls.note({ ...refused, code: "wrong_public_key" }, 4);
  calls.note({ ...refused, websiteId: 2 }, 5);
  await vi.advanceTimersByTimeAsync(999);
  expect(entries).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(entries).toEqual([
    { kind: "calls_refused", ...refused, at: 3, calls: 3 },
    { kind: "calls_refused", ...refused, code: "wrong_public_key", at: 4, calls: 1 },
    { kind: "calls_refused", ...refused, websiteId: 2, at: 5, calls: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(entries).toHaveLength(3);
});

test("a flood of origins is a hundred entries a second", async () => {
  const calls = newCalls();
  for (let number = 0; number < 10_000; number += 1) {
    calls.note({ ...refused, origin: `https://a${number}.example` }, number);
  }
  await calls.flush();
  expect(entries).toHaveLength(100);
});

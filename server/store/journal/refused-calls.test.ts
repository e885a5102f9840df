import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import type { RefusedCall } from "../../core/refused-call.ts";
import { RefusedCalls } from "./refused-calls.ts";

const refused: RefusedCall = {
  subject: "website:1",
  code: "origin_not_registered",
  detail: "https://www.a.example",
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
  calls.note({ ...refused, subject: "website:2" }, 5);
  await vi.advanceTimersByTimeAsync(999);
  expect(entries).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(entries).toEqual([
    { kind: "calls_refused", ...refused, at: 3, calls: 3 },
    { kind: "calls_refused", ...refused, code: "wrong_public_key", at: 4, calls: 1 },
    { kind: "calls_refused", ...refused, subject: "website:2", at: 5, calls: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(entries).toHaveLength(3);
});

test("a flood of origins is twenty-one entries a second for each website, in which every call is counted", async () => {
  const calls = newCalls();
  for (let number = 0; number < 10_000; number += 1) {
    calls.note({ ...refused, detail: `https://a${number}.example` }, number);
    calls.note({ ...refused, detail: `http://a${number}.example`, code: "insecure_origin" }, number);
  }
  calls.note({ ...refused, subject: "website:2" }, 10_000);
  await calls.flush();
  expect(entries).toHaveLength(22);
  expect(entries.filter((entry) => entry.kind === "calls_refused" && entry.code === "other")).toEqual([
    { kind: "calls_refused", subject: "website:1", code: "other", detail: "", at: 9999, calls: 19_980 },
  ]);
});

test("a flood for many websites is still counted whole", async () => {
  const calls = newCalls();
  for (let website = 1; website <= 2000; website += 1) {
    calls.note({ ...refused, subject: `website:${website}` }, 1);
  }
  await calls.flush();
  const named = entries.filter((entry) => entry.kind === "calls_refused" && entry.code !== "other");
  expect([entries.length, named.length]).toEqual([2000, 1000]);
});

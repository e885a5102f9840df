import { expect, test, vi } from "vitest";
import { mayInterrupt, watchReader } from "./reader.ts";

const never = Number.NEGATIVE_INFINITY;
const idle = { actedAtMs: never, movedAtMs: 100, isEngaged: false, isNewUntilMs: 2600, seenAtMs: never };
const inPause = { isNewUntilMs: never, seenAtMs: 300 };

test.each([
  ["at once, on a page that is new", {}, 200, true],
  ["at the end of that time", {}, 2600, true],
  ["not just after it", { movedAtMs: 700 }, 2601, false],
  ["once nothing has moved for two seconds", { movedAtMs: 700 }, 2700, true],
  ["not within two seconds of a key, a press or a scroll", { actedAtMs: 200 }, 2199, false],
  ["two seconds after it", { actedAtMs: 200 }, 2200, true],
  ["not over a text that is written or a film", { isEngaged: true }, 9999, false],
  [
    "in a pause that the pointer does not break, where lateness does not matter",
    { isNewUntilMs: Number.POSITIVE_INFINITY, movedAtMs: 8999 },
    9000,
    true,
  ],
  ["not in a pause before the page has been seen for two seconds", inPause, 2299, false],
  ["in the first pause after that", inPause, 2300, true],
  ["not in a pause of a page that nobody can see", { ...inPause, seenAtMs: -never }, 9999, false],
  ["not in a pause that the pointer breaks", { ...inPause, movedAtMs: 8999 }, 9000, false],
])("something may open %s", (_name, known, nowMs, may) => {
  expect(mayInterrupt({ ...idle, ...known }, nowMs)).toBe(may);
});

/** A page that was painted at 300 ms, and whose reader is watched from 500 ms on; then comes what the reader does. */
function watched(trigger: string) {
  let nowMs = 500;
  const page = new EventTarget();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("performance", {
    now: () => nowMs,
    getEntriesByType: (type: string) => (type === "paint" ? [{ startTime: 300 }] : []),
  });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("scrollY", 0);
  vi.stubGlobal("document", {
    hidden: false,
    readyState: "complete",
    fullscreenElement: null,
    activeElement: null,
  });
  const mayOpen = watchReader(new AbortController().signal, trigger);
  return {
    does(type: string, atMs: number): void {
      nowMs = atMs;
      page.dispatchEvent(new Event(type));
    },
    mayOpenAt(atMs: number): boolean {
      nowMs = atMs;
      return mayOpen();
    },
  };
}

test.each([
  ["immediate", { isNew: true, isOld: false, moved: false }],
  ["pause", { isNew: false, isOld: false, moved: false }],
  ["scroll", { isNew: true, isOld: true, moved: true }],
  ["exit", { isNew: true, isOld: true, moved: true }],
])("after `%s` the pointer may move %j, and nobody is interrupted who acts", (trigger, may) => {
  expect(watched(trigger).mayOpenAt(600), "at once").toBe(may.isNew);
  const { does, mayOpenAt } = watched(trigger);
  does("pointermove", 2750);
  expect(mayOpenAt(2800), "the last moment in which the page is new").toBe(may.isNew);
  expect(mayOpenAt(2801), "the moment after that").toBe(may.isOld);
  does("pointermove", 9000);
  expect(mayOpenAt(10_999), "within two seconds of a move").toBe(may.moved);
  expect(mayOpenAt(11_000), "two seconds after it").toBe(true);
  does("keydown", 20_000);
  expect(mayOpenAt(21_999), "within two seconds of a key").toBe(false);
  expect(mayOpenAt(22_000), "two seconds after it").toBe(true);
});

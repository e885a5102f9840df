import { expect, test } from "vitest";
import { mayInterrupt } from "./reader.ts";

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

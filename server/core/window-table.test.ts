import fc from "fast-check";
import { expect, test } from "vitest";
import { createWindowTable } from "./window-table.ts";

const seed = [0x243f6a88, 0x85a308d3] as const;
const nothing = { shared: 0, untold: 0 };

test("every key is known as it was kept, in its window alone, while there is room", () => {
  const steps = fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: 299 }).map((key) => `decision 1 10.0.${key >> 8}.${key & 255}`),
      isLater: fc.boolean(),
      known: fc.record({ shared: fc.nat(1000), untold: fc.integer({ min: 1, max: 9 }) }),
    }),
    { minLength: 100, maxLength: 600 },
  );
  fc.assert(
    fc.property(steps, (kept) => {
      const table = createWindowTable(512, seed);
      const model = new Map<string, object>();
      let window = 1;
      for (const { key, isLater, known } of kept) {
        if (isLater && key.endsWith("7")) window += 1;
        expect(table.find(key, window)).toEqual(model.get(`${window} ${key}`) ?? nothing);
        expect(table.find(key, window + 1)).toEqual(nothing);
        table.keep(key, window, known);
        model.set(`${window} ${key}`, known);
      }
    }),
    { numRuns: 100 },
  );
});

test("what is known of a window outlasts it by one, unless room is needed", () => {
  const roomy = createWindowTable(512, seed);
  const full = createWindowTable(1, seed);
  const known = { shared: 4, untold: 2 };
  for (const table of [roomy, full]) {
    for (let caller = 0; caller < 64; caller += 1) table.keep(`caller ${caller}`, 7, known);
    for (let caller = 0; caller < 64; caller += 1) table.keep(`caller ${caller}`, 8, nothing);
  }
  expect(roomy.find("caller 3", 7)).toEqual(known);
  expect(full.find("caller 3", 7)).toEqual(nothing);
  for (let caller = 0; caller < 64; caller += 1) roomy.keep(`caller ${caller}`, 9, nothing);
  expect(roomy.find("caller 3", 7)).toEqual(nothing);
});

test("where there is no room the quietest caller makes it, and nobody gets another's calls", () => {
  const table = createWindowTable(1, seed);
  for (let caller = 0; caller < 64; caller += 1) {
    table.keep(`caller ${caller}`, 1, { shared: caller === 20 ? 0 : 40, untold: 1 });
  }
  expect(table.find("one too many", 1)).toEqual(nothing);
  table.keep("one too many", 1, { shared: 3, untold: 0 });
  expect(table.find("one too many", 1)).toEqual({ shared: 3, untold: 0 });
  expect(table.find("caller 20", 1)).toEqual(nothing);
  for (const caller of [0, 1, 19, 21, 63]) expect(table.find(`caller ${caller}`, 1).shared).toBe(40);
});

test("131,072 callers at once, and as many new ones in each later window, are all known", () => {
  const capacity = 131_072;
  const table = createWindowTable(capacity, seed);
  for (const window of [100, 101, 105]) {
    const keyOf = (caller: number) => `offers 2001:db8:${caller.toString(16)}::/64`;
    for (let caller = 0; caller < capacity; caller += 1) {
      table.keep(keyOf(caller), window, { shared: 0, untold: 1 });
    }
    let forgotten = 0;
    for (let caller = 0; caller < capacity; caller += 1) {
      if (table.find(keyOf(caller), window).untold !== 1) forgotten += 1;
    }
    expect(forgotten).toBeLessThan(capacity / 10_000);
  }
});

test("a key that a stranger writes to meet another's is another key", () => {
  const counted = "oauth_token /v1/oauth/token cl_victim 198.51.100.7";
  // It has the same bits under the hash without a secret that stood here once, which could be computed backwards.
  const madeForIt =
    "oauth_token /v1/oauth/token \u4e74\u4e06\u2034\u3d9d\ud408\u2243\u4e17\u4e02 203.0.113.9";
  const table = createWindowTable(512, seed);
  table.keep(madeForIt, 1, { shared: 60, untold: 0 });
  expect(table.find(counted, 1)).toEqual(nothing);
});

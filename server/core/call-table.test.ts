import fc from "fast-check";
import { expect, test } from "vitest";
import { type CallWindow, createCallTable } from "./call-table.ts";
import { hash64 } from "./hash64.ts";

const windowSeconds = 60;
const seed = [0x243f6a88, 0x85a308d3] as const;

/** The same counting with a Map, which has room for everybody. */
function createModel(): { count(key: string, now: number): CallWindow } {
  const windows = new Map<string, { calls: number; endsAt: number }>();
  return {
    count(key, now) {
      const known = windows.get(key);
      const window = known && known.endsAt > now ? known : { calls: 0, endsAt: now + windowSeconds * 1000 };
      window.calls += 1;
      windows.set(key, window);
      const left = Math.ceil((window.endsAt - now) / 1000);
      return { calls: window.calls, resetSeconds: Math.min(windowSeconds, Math.max(1, left)) };
    },
  };
}

const someCalls = (keys: number) =>
  fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: keys - 1 }).map((key) => `decision 1 10.0.${key >> 8}.${key & 255}`),
      afterMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20_000, noNaN: true })),
    }),
    { minLength: 100, maxLength: 600 },
  );

test("every call stands where a Map of windows says, while there is room", () => {
  fc.assert(
    fc.property(someCalls(300), (calls) => {
      const table = createCallTable({ windowSeconds, capacity: 512, seed });
      const model = createModel();
      let now = 1;
      for (const { key, afterMs } of calls) {
        now += afterMs;
        expect(table.count(key, now)).toEqual(model.count(key, now));
      }
    }),
    { numRuns: 200 },
  );
});

test("where there is too little room nobody is ever counted higher than they called", () => {
  fc.assert(
    fc.property(someCalls(1000), (calls) => {
      const table = createCallTable({ windowSeconds, capacity: 1, seed });
      const model = createModel();
      let now = 1;
      for (const { key, afterMs } of calls) {
        now += afterMs / 100;
        expect(table.count(key, now).calls).toBeLessThanOrEqual(model.count(key, now).calls);
      }
    }),
    { numRuns: 200 },
  );
});

test("131,072 callers at once, and as many new ones in each later window, are all counted", () => {
  const capacity = 131_072;
  const table = createCallTable({ windowSeconds, capacity, seed });
  for (const start of [1, 70_000, 140_000]) {
    let forgotten = 0;
    for (let round = 1; round <= 2; round += 1) {
      for (let caller = 0; caller < capacity; caller += 1) {
        const { calls } = table.count(`offers ${start} 2001:db8:${caller.toString(16)}::/64`, start + round);
        if (calls < round) forgotten += 1;
      }
    }
    expect(forgotten).toBeLessThan(capacity / 10_000);
  }
});

test("the window that ends first makes room for a caller too many", () => {
  const table = createCallTable({ windowSeconds, capacity: 1, seed });
  for (let caller = 0; caller < 64; caller += 1) table.count(`caller ${caller}`, 1 + caller);
  expect(table.count("one too many", 100).calls).toBe(1);
  for (let caller = 1; caller < 64; caller += 1) expect(table.count(`caller ${caller}`, 200).calls).toBe(2);
  expect(table.count("one too many", 300).calls).toBe(2);
  expect(table.count("caller 0", 400).calls).toBe(1);
});

test.each([
  ["at the first call", 0, 1, 60],
  ["within it", 59_000, 2, 1],
  ["in its last moment", 59_999.5, 2, 1],
  ["at its end a new one begins", 60_000, 1, 60],
])("%s", (_, afterMs, calls, resetSeconds) => {
  const table = createCallTable({ windowSeconds, capacity: 10, seed });
  if (afterMs > 0) table.count("key", 1000);
  expect(table.count("key", 1000 + afterMs)).toEqual({ calls, resetSeconds });
});

// They have the same bits under the hash without a secret that stood here once, which could be computed backwards.
const counted = "oauth_token /v1/oauth/token cl_victim 198.51.100.7";
const madeForIt = "oauth_token /v1/oauth/token \u4e74\u4e06\u2034\u3d9d\ud408\u2243\u4e17\u4e02 203.0.113.9";

test("a key that a stranger writes to meet another's does not share its window", () => {
  const table = createCallTable({ windowSeconds, capacity: 512, seed });
  for (let call = 0; call < 60; call += 1) table.count(madeForIt, 1);
  expect(table.count(counted, 1).calls).toBe(1);
});

test("which keys meet is a matter of the seed, of both its halves", () => {
  const bits = [seed, [seed[0] ^ 1, seed[1]] as const, [seed[0], seed[1] ^ 1] as const].map((one) =>
    hash64(counted, one).join(" "),
  );
  expect(new Set(bits).size).toBe(3);
});

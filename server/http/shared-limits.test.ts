import { rateLimits as limits, type RateLimitName } from "@offers/contract/endpoints";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyedHash } from "../core/keyed-hash.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import { createFakeWindows, type Fate } from "../testing/fake-windows.ts";
import type { RateLimits, Turn } from "./rate-limits.ts";
import { createSharedLimits } from "./shared-limits.ts";

const hash = createKeyedHash(Buffer.from("a key that all nodes have"));

/** At the beginning of a minute. */
const startAt = Date.UTC(2026, 10, 20, 12);

beforeEach(() => {
  vi.useFakeTimers({ now: startAt });
});
afterEach(() => {
  vi.useRealTimers();
});

const nodeOf = (windows: SharedWindows, factor = 1) => {
  const troubles: boolean[] = [];
  const rateLimits = createSharedLimits(factor, {
    windows,
    hash,
    onTrouble: (isTrouble) => troubles.push(isTrouble),
  });
  return { ...rateLimits, troubles };
};

/** What becomes of calls, in the order of their answers, and how long each waited. */
const noteTurns = () => {
  const turns: (Turn & { waitedMs: number; askedAt: number })[] = [];
  const take = (node: RateLimits, name: RateLimitName, key: string): void => {
    const askedAt = Date.now();
    const note = (turn: Turn) => turns.push({ ...turn, waitedMs: Date.now() - askedAt, askedAt });
    const turn = node.take(name, key);
    if (turn instanceof Promise) void turn.then(note);
    else note(turn);
  };
  const admitted = () => turns.filter((turn) => turn.admitted).length;
  return { turns, take, admitted };
};

describe("limits of several nodes", () => {
  it("let in the first call of a caller at once and ask nobody for it", () => {
    const { windows, asked } = createFakeWindows();
    const node = nodeOf(windows);
    for (const caller of ["a", "b", "c"]) {
      expect(node.take("click", caller)).toEqual({
        name: "click",
        admitted: true,
        limit: 30,
        remaining: 29,
        resetSeconds: 60,
      });
    }
    vi.advanceTimersByTime(59_000);
    expect(asked()).toBe(0);
  });

  it("count every further call with those of other nodes, many of them in one question", async () => {
    const { windows, asked } = createFakeWindows({ nodes: 2 });
    const [one, other] = [nodeOf(windows), nodeOf(windows)];
    const { take, turns } = noteTurns();
    for (let call = 1; call <= 10; call += 1) take(one, "click", "a");
    await vi.advanceTimersByTimeAsync(2);
    expect(asked()).toBe(1);
    expect(turns.map(({ remaining }) => remaining)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    for (let call = 1; call <= 21; call += 1) take(other, "click", "a");
    await vi.advanceTimersByTimeAsync(2);
    expect(turns.slice(10).map(({ admitted }) => admitted)).toEqual([...Array(20).fill(true), false]);
  });

  it("ask no more about a caller whose limit is known to be used up, and begin anew with the minute", async () => {
    const { windows, asked } = createFakeWindows({ nodes: 2 });
    const node = nodeOf(windows, 1 / limits.click);
    const { take, turns } = noteTurns();
    take(node, "click", "a");
    take(node, "click", "a");
    await vi.advanceTimersByTimeAsync(20_500);
    expect(turns.at(-1)).toMatchObject({ admitted: false, remaining: 0 });
    const before = asked();
    for (let call = 0; call < 1000; call += 1) {
      expect(node.take("click", "a")).toMatchObject({ admitted: false, remaining: 0, resetSeconds: 40 });
    }
    expect(asked()).toBe(before);
    vi.advanceTimersByTime(39_499);
    expect(node.take("click", "a")).toMatchObject({ admitted: false, resetSeconds: 1 });
    vi.advanceTimersByTime(1);
    expect(node.take("click", "a")).toMatchObject({ admitted: true, resetSeconds: 60 });
  });

  it("keep names, callers and minutes apart, and write none of them where they are counted", async () => {
    const { windows, counted } = createFakeWindows();
    const node = nodeOf(windows);
    const { take } = noteTurns();
    for (const minute of [0, 60_000]) {
      vi.setSystemTime(startAt + minute);
      for (const name of ["click", "hop"] as const) {
        for (const caller of ["7 203.0.113.7", "8 203.0.113.7"]) {
          for (let call = 0; call < 3; call += 1) take(node, name, caller);
        }
      }
      await vi.advanceTimersByTimeAsync(10);
    }
    expect([...counted.values()]).toEqual(Array(8).fill(3));
    const names = [...counted.keys()].map((key) => key.split(" ")[1]);
    expect(new Set(names).size).toBe(8);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  });

  it("count each call in the minute that it was made in, though they are asked about together", async () => {
    const { windows, counted } = createFakeWindows();
    const node = nodeOf(windows, 3 / limits.click);
    const { take, turns } = noteTurns();
    vi.setSystemTime(startAt + 59_999);
    for (let call = 0; call < 4; call += 1) take(node, "click", "a");
    vi.setSystemTime(startAt + 60_000);
    for (let call = 0; call < 3; call += 1) take(node, "click", "a");
    await vi.advanceTimersByTimeAsync(20);
    expect([...counted.values()]).toEqual([4, 3]);
    // The first of either minute, which nobody is asked about, and then those of one minute and the other.
    expect(turns.map(({ admitted }) => admitted)).toEqual([true, true, true, true, false, true, true]);
  });

  it("let in no more of a minute that ends while they wait for a store that does not answer", async () => {
    const { windows } = createFakeWindows({ fate: () => ({ toMs: 700, backMs: 0, lost: "on the way" }) });
    const node = nodeOf(windows, 1 / limits.click);
    const { take, turns } = noteTurns();
    vi.setSystemTime(startAt + 59_950);
    for (let call = 0; call < 3; call += 1) take(node, "click", "a");
    await vi.advanceTimersByTimeAsync(100);
    take(node, "click", "a");
    await vi.advanceTimersByTimeAsync(100);
    // The first of either minute is let in unasked; both come before the answers that are waited for.
    expect(turns.map(({ admitted }) => admitted)).toEqual([true, true, false, false]);
  });

  it("ask a store that does not answer once a second at the most", async () => {
    const { windows, asked } = createFakeWindows({
      fate: () => ({ toMs: 5, backMs: 0, lost: "on the way" }),
    });
    const node = nodeOf(windows);
    const { take } = noteTurns();
    for (let call = 0; call < 400; call += 1) {
      take(node, "impression", "a");
      await vi.advanceTimersByTimeAsync(25);
    }
    expect(asked()).toBeGreaterThanOrEqual(9);
    expect(asked()).toBeLessThanOrEqual(11);
  });

  it("answer alone what is not answered in 150 ms, and at once until the store has answered again", async () => {
    let fate: Fate = { toMs: 400, backMs: 400 };
    const { windows, asked } = createFakeWindows({ nodes: 4, fate: () => fate });
    const node = nodeOf(windows);
    const { take, turns, admitted } = noteTurns();
    for (let call = 0; call < 8; call += 1) take(node, "decision", "a");
    expect(turns).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(160);
    expect(turns).toHaveLength(8);
    expect(admitted()).toBe(8);
    expect(node.troubles).toEqual([true]);
    for (let call = 0; call < 20; call += 1) take(node, "decision", "a");
    expect(turns).toHaveLength(28);
    // A fourth of 60 each.
    expect(admitted()).toBe(15);
    expect(asked()).toBe(1);
    fate = { toMs: 3, backMs: 3 };
    await vi.advanceTimersByTimeAsync(2500);
    // Nobody waits for the one that shows that all is well.
    expect(node.take("decision", "b")).toMatchObject({ admitted: true });
    expect(node.take("decision", "b")).toMatchObject({ admitted: true });
    await vi.advanceTimersByTimeAsync(10);
    expect(node.troubles).toEqual([true, false]);
    expect(node.take("decision", "b")).toBeInstanceOf(Promise);
  });

  it("tell afterwards what was let in while nobody answered", async () => {
    let fate: Fate = { toMs: 0, backMs: 0, lost: "on the way" };
    const { windows, counted } = createFakeWindows({ nodes: 4, fate: () => fate });
    const node = nodeOf(windows);
    const { take, turns, admitted } = noteTurns();
    take(node, "decision", "a");
    take(node, "decision", "a");
    await vi.advanceTimersByTimeAsync(10);
    for (let call = 0; call < 8; call += 1) take(node, "decision", "a");
    expect(admitted()).toBe(10);
    expect([...counted.values()]).toEqual([]);
    fate = { toMs: 0, backMs: 0 };
    await vi.advanceTimersByTimeAsync(1000);
    take(node, "decision", "a");
    await vi.advanceTimersByTimeAsync(10);
    take(node, "decision", "a");
    await vi.advanceTimersByTimeAsync(10);
    expect([...counted.values()]).toEqual([12]);
    expect(turns.at(-1)).toMatchObject({ admitted: true, remaining: 48 });
  });
});

/** Calls of one caller at several nodes, over some two minutes. */
const calls = (nodes: number) =>
  fc.array(
    fc.record({
      node: fc.nat(nodes - 1),
      // Most of them in a flood, some after a pause.
      afterMs: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 0, max: 12 }) },
        { weight: 1, arbitrary: fc.integer({ min: 500, max: 20_000 }) },
      ),
    }),
    { minLength: 20, maxLength: 250 },
  );

const quick = fc.record({ toMs: fc.integer({ min: 0, max: 60 }), backMs: fc.integer({ min: 0, max: 60 }) });
const anyhow: fc.Arbitrary<Fate> = fc.oneof(
  quick,
  fc.record({
    toMs: fc.integer({ min: 0, max: 900 }),
    backMs: fc.integer({ min: 0, max: 900 }),
    lost: fc.constantFrom("on the way", "on the way back"),
  }),
  fc.record({ toMs: fc.integer({ min: 0, max: 900 }), backMs: fc.integer({ min: 0, max: 900 }) }),
);

/** The calls of a new minute wait for a question and for the last of the minute before, both answered only just in time. */
const whereMinutesMeet: [
  [{ nodes: number; limit: number; offBy: number }, { node: number; afterMs: number }[]],
  Fate[],
] = [
  [{ nodes: 1, limit: 1, offBy: 59_930 }, Array.from({ length: 20 }, () => ({ node: 0, afterMs: 5 }))],
  [
    { toMs: 40, backMs: 100 },
    { toMs: 8, backMs: 139 },
    { toMs: 0, backMs: 151 },
  ],
];

/** Has the calls made, and says of each window how many there were and how many were let in. */
const run = async (
  given: { node: number; afterMs: number }[],
  { nodes, limit, fates, offBy }: { nodes: number; limit: number; fates: readonly Fate[]; offBy: number },
) => {
  vi.setSystemTime(startAt);
  let question = 0;
  const fate = (): Fate => fates[question++ % fates.length] ?? { toMs: 0, backMs: 0 };
  const clock = () => Date.now() + offBy;
  const { windows } = createFakeWindows({ nodes, clock, fate });
  const all = Array.from({ length: nodes }, () => nodeOf(windows, limit / limits.decision));
  const { take, turns } = noteTurns();
  for (const { node, afterMs } of given) {
    if (afterMs > 0) await vi.advanceTimersByTimeAsync(afterMs);
    const [taker] = all.slice(node);
    if (taker !== undefined) take(taker, "decision", "2001:db8::/64");
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(turns).toHaveLength(given.length);
  const waited = Math.max(...turns.map(({ waitedMs }) => waitedMs));
  const ofWindows = [...Map.groupBy(turns, ({ askedAt }) => Math.floor((askedAt + offBy) / 60_000)).values()];
  return {
    waited,
    windows: ofWindows.map((of) => ({
      calls: of.length,
      admitted: of.filter(({ admitted }) => admitted).length,
    })),
  };
};

const setting = fc.record({
  nodes: fc.integer({ min: 1, max: 5 }),
  limit: fc.integer({ min: 1, max: 60 }),
  offBy: fc.integer({ min: 0, max: 59_999 }),
});

describe("whatever the order of calls and answers", () => {
  it("no more than the limit and one a node are let in, and never fewer than there is room for", async () => {
    await fc.assert(
      fc.asyncProperty(
        setting.chain((one) => fc.tuple(fc.constant(one), calls(one.nodes))),
        fc.array(quick, { minLength: 1, maxLength: 20 }),
        async ([{ nodes, limit, offBy }, given], fates) => {
          const { windows } = await run(given, { nodes, limit, offBy, fates });
          for (const one of windows) {
            expect(one.admitted).toBeLessThanOrEqual(limit + nodes);
            expect(one.admitted).toBeGreaterThanOrEqual(Math.min(one.calls, limit));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("nobody waits for longer than twice the patience where answers are late or lost, and few more are let in", async () => {
    await fc.assert(
      fc.asyncProperty(
        setting.chain((one) => fc.tuple(fc.constant(one), calls(one.nodes))),
        fc.array(anyhow, { minLength: 1, maxLength: 20 }),
        async ([{ nodes, limit, offBy }, given], fates) => {
          const { waited, windows } = await run(given, { nodes, limit, offBy, fates });
          expect(waited).toBeLessThanOrEqual(310);
          // Each node lets in its share once more, of what it did not know to be taken.
          for (const one of windows) expect(one.admitted).toBeLessThanOrEqual(limit + Math.max(limit, nodes));
        },
      ),
      { numRuns: 60, examples: [whereMinutesMeet] },
    );
  });

  it("no more than the limit, and one a node, are let in where nobody ever answers", async () => {
    const dead: Fate = { toMs: 700, backMs: 0, lost: "on the way" };
    await fc.assert(
      fc.asyncProperty(
        setting.chain((one) => fc.tuple(fc.constant(one), calls(one.nodes))),
        async ([{ nodes, limit, offBy }, given]) => {
          const { waited, windows } = await run(given, { nodes, limit, offBy, fates: [dead] });
          expect(waited).toBeLessThanOrEqual(310);
          for (const one of windows) expect(one.admitted).toBeLessThanOrEqual(Math.max(limit, nodes));
        },
      ),
      { numRuns: 60 },
    );
  });
});

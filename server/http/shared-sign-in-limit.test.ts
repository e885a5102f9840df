import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyedHash } from "../core/keyed-hash.ts";
import { passwordTries } from "../core/sign-in-limit.ts";
import { createFakeWindows, type Fate } from "../testing/fake-windows.ts";
import { createSharedSignInLimit } from "./shared-sign-in-limit.ts";

const hash = createKeyedHash(Buffer.from("a key that all nodes have"));
const network = "203.0.113.7";
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 12, 5) });
});
afterEach(() => {
  vi.useRealTimers();
});

const nodesOf = (count: number, fate: () => Fate = () => ({ toMs: 1, backMs: 1 })) => {
  const { windows, counted } = createFakeWindows({ nodes: count, fate });
  const nodes = Array.from({ length: count }, () => createSharedSignInLimit({ windows, hash }));
  /** Tries one after the other, each at the next node. */
  const tries = async (times: number, account = "ann@shop.example") => {
    const turns = [];
    for (let at = 0; at < times; at += 1) {
      const turn = nodes[at % count]?.take(account, network, performance.now());
      await vi.advanceTimersByTimeAsync(600);
      turns.push(await turn);
    }
    return turns;
  };
  return { nodes, counted, tries };
};
const admitted = (turns: readonly ({ ok: boolean } | undefined)[]) => turns.filter((turn) => turn?.ok).length;

describe("the limit of wrong passwords over several nodes", () => {
  it("holds for all of them together, whichever is tried", async () => {
    const { tries, counted } = nodesOf(4);
    const turns = await tries(40);
    expect(admitted(turns)).toBe(passwordTries.most);
    expect(turns.slice(passwordTries.most).every((turn) => turn?.ok === false)).toBe(true);
    expect(turns.at(-1)).toEqual({ ok: false, retrySeconds: expect.any(Number) });
    expect(admitted(await tries(1, "bob@shop.example"))).toBe(1);
    expect([...counted.keys()].join(" ")).not.toMatch(/ann|203/);
  });

  it("lets tries that come together at several nodes in no further", async () => {
    const { nodes } = nodesOf(4);
    const all = nodes.flatMap((node) => Array.from({ length: 8 }, () => node.take("ann", network, 1)));
    await vi.advanceTimersByTimeAsync(10);
    expect(admitted(await Promise.all(all))).toBe(passwordTries.most);
  });

  it("begins anew with the next quarter of an hour, and for its owner after the right password", async () => {
    const { nodes, tries } = nodesOf(2);
    expect(admitted(await tries(passwordTries.most + 1))).toBe(passwordTries.most);
    nodes[0]?.forget("ann@shop.example", network);
    await vi.advanceTimersByTimeAsync(10);
    expect(admitted(await tries(passwordTries.most + 1))).toBe(passwordTries.most);
    await vi.advanceTimersByTimeAsync(15 * minute);
    expect(admitted(await tries(2))).toBe(2);
  });

  it("is each node's own where nobody answers, after half a second", async () => {
    for (const fate of [
      { toMs: 5000, backMs: 0 },
      { toMs: 1, backMs: 0, lost: "on the way" },
    ] satisfies Fate[]) {
      const { tries } = nodesOf(2, () => fate);
      expect(admitted(await tries(40))).toBe(2 * passwordTries.most);
    }
  });
});

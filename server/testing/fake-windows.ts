import { createKeyedHash } from "../core/keyed-hash.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import type { RateLimits } from "../http/rate-limits.ts";
import { createSharedLimits } from "../http/shared-limits.ts";

/** How a counting store fares with one question: milliseconds to it and back, and where the question is lost. */
export type Fate = { toMs: number; backMs: number; lost?: "on the way" | "on the way back" };

/** A counting store that several nodes share, in the memory of a test. */
export function createFakeWindows(more: { nodes?: number; clock?: () => number; fate?: () => Fate } = {}): {
  windows: SharedWindows;
  /** Questions so far. */
  asked: () => number;
  /** What it stands at, by window and key. */
  counted: ReadonlyMap<string, number>;
} {
  const { nodes = 1, clock = Date.now, fate = (): Fate => ({ toMs: 0, backMs: 0 }) } = more;
  const counted = new Map<string, number>();
  let asked = 0;
  const reach = async <T>(work: () => T): Promise<T> => {
    asked += 1;
    const { toMs, backMs, lost } = fate();
    if (toMs > 0) await wait(toMs);
    if (lost === "on the way") throw new Error("connection lost");
    const answer = work();
    if (backMs > 0) await wait(backMs);
    if (lost === "on the way back") throw new Error("connection lost");
    return answer;
  };
  const addOne = (window: number, key: string, calls: number): number => {
    const number = (counted.get(`${window} ${key}`) ?? 0) + calls;
    counted.set(`${window} ${key}`, number);
    return number;
  };
  const windows: SharedWindows = {
    add: (calls, window) =>
      reach(() => new Map([...calls].map(([key, more]) => [key, addOne(window, key, more)]))),
    forget: (key, window) => reach(() => void counted.delete(`${window} ${key}`)),
    clock,
    nodes: () => nodes,
  };
  return { windows, asked: () => asked, counted };
}

/** The limits of a node that asks about every call but a caller's first, in a minute that does not end. */
export function limitsOverNodes(factor: number): RateLimits {
  const { windows } = createFakeWindows({ nodes: 4, clock: () => 20_000 });
  const hash = createKeyedHash(Buffer.from("a key that all nodes have"));
  const onTrouble = (isTrouble: boolean): void => {
    if (isTrouble) throw new Error("the fake windows did not answer in time");
  };
  return createSharedLimits(factor, { windows, hash, onTrouble });
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

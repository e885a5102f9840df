import type { SharedWindows } from "../core/shared-windows.ts";

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
  const { nodes = 1, clock = Date.now, fate = () => ({ toMs: 0, backMs: 0 }) } = more;
  const counted = new Map<string, number>();
  let asked = 0;
  const add: SharedWindows["add"] = async (calls, window) => {
    asked += 1;
    const { toMs, backMs, lost } = fate();
    if (toMs > 0) await wait(toMs);
    if (lost === "on the way") throw new Error("connection lost");
    const answer = new Map<string, number>();
    for (const [key, more] of calls) {
      const number = Math.max(0, (counted.get(`${window} ${key}`) ?? 0) + more);
      counted.set(`${window} ${key}`, number);
      answer.set(key, number);
    }
    if (backMs > 0) await wait(backMs);
    if (lost === "on the way back") throw new Error("connection lost");
    return answer;
  };
  return { windows: { add, clock, nodes: () => nodes }, asked: () => asked, counted };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

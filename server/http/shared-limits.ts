import type { KeyedHash } from "../core/keyed-hash.ts";
import { judgeCall, judgeCounted, judgeUnasked, type LimitVerdict } from "../core/shared-limit.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import { createWindowTable } from "../core/window-table.ts";
import { createAskedTogether } from "./asked-together.ts";
import { drawSeed, limitOf, mostCallers, type RateLimits, type Turn, windowSeconds } from "./rate-limits.ts";

/** 128 bits: two callers do not meet in them. */
const nameBytes = 16;

/**
 * Counts calls against the limits of the contract for all nodes together. The windows are the minutes of the clock that
 * the nodes share.
 * @param factor multiplies every limit; no limit falls below one call.
 * @param more.hash names callers where they are counted, under a key that all nodes have and the store has not.
 * @param more.onTrouble is told when each node begins to count for itself, and when that is over.
 */
export function createSharedLimits(
  factor: number,
  {
    windows,
    hash,
    onTrouble,
  }: {
    windows: SharedWindows;
    hash: KeyedHash;
    onTrouble: (isTrouble: boolean, error: Error | null) => void;
  },
): RateLimits {
  const table = createWindowTable(mostCallers, drawSeed());

  /** Tells with the calls that are asked about those that were let in unasked. */
  const send = async (
    asking: ReadonlyMap<string, number>,
    window: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const sent = [...asking].map(([key, asked]) => {
      const { untold } = table.find(key, window);
      return { key, name: callerName(hash, window, key), untold, asked };
    });
    const calls = new Map(sent.map(({ name, untold, asked }) => [name, untold + asked]));
    const numbers = await windows.add(calls, window);
    const answers = new Map<string, number>();
    for (const { key, name, untold } of sent) {
      const number = numbers.get(name);
      if (number === undefined) continue;
      answers.set(key, number);
      const known = table.find(key, window);
      // Its slot was needed for another, or for a newer minute.
      if (known.shared === 0 && known.untold === 0) continue;
      table.keep(key, window, {
        shared: Math.max(known.shared, number),
        untold: Math.max(0, known.untold - untold),
      });
    }
    return answers;
  };
  const together = createAskedTogether({ send, onTrouble });

  return {
    take: (name, callerKey) => {
      const key = `${name} ${callerKey}`;
      const limit = limitOf(name, factor);
      const seconds = windows.clock() / 1000;
      const window = Math.floor(seconds / windowSeconds) + 1;
      const resetSeconds = Math.max(1, Math.ceil(window * windowSeconds - seconds));
      const turnOf = ({ outcome, remaining }: LimitVerdict): Turn => ({
        name,
        admitted: outcome === "admit",
        limit,
        remaining,
        resetSeconds,
      });
      const letIn = (verdict: LimitVerdict): Turn => {
        if (verdict.outcome === "admit") {
          const known = table.find(key, window);
          table.keep(key, window, { ...known, untold: known.untold + 1 });
        }
        return turnOf(verdict);
      };
      const isReachable = together.isReachable();
      const verdict = judgeCall(table.find(key, window), { limit, nodes: windows.nodes(), isReachable });
      if (verdict.outcome !== "ask") {
        const turn = letIn(verdict);
        if (!isReachable) together.probe(key, window);
        return turn;
      }
      return together.ask(key, window).then((number) => {
        if (number !== null) return turnOf(judgeCounted(number, { limit }));
        return letIn(judgeUnasked(table.find(key, window), { limit, nodes: windows.nodes() }));
      });
    },
  };
}

/** How a caller is known where calls are counted: in each window by another name, so that the rows of two tell nothing of each other. */
export function callerName(hash: KeyedHash, window: number, key: string): string {
  return hash(`${window} ${key}`).toString("hex", 0, nameBytes);
}

import { seededRandom } from "../core/seeded-random.ts";

/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** From `least` (included) to `below` (not included). */
  between(least: number, below: number): number;
  /** True with this probability, 0 to 1. */
  is(probability: number): boolean;
  /** One of these, each as often as its weight says. */
  pick<T>(weighted: readonly (readonly [T, number])[]): T;
  bytes(length: number): Uint8Array;
};

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  return {
    between: (least, below) => least + next() * (below - least),
    is: (probability) => next() < probability,
    pick: <T>(weighted: readonly (readonly [T, number])[]): T => {
      let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
      const found = weighted.find(([, weight]) => {
        left -= weight;
        return left < 0;
      });
      const [one] = found ?? weighted.at(-1) ?? [];
      if (one === undefined) throw new RangeError("there is nothing to pick from");
      return one;
    },
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
  };
}

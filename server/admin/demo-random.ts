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

/** Mulberry32: quick and even, and good for nothing that anybody may not guess. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
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

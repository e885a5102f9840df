/** Numbers from 0 to 1 that only depend on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What is drawn by such numbers. */
export type Dice = {
  /** A whole number from 0 to `most`, which is not included. */
  below: (most: number) => number;
  /** True so often: a share from 0 to 1. */
  chance: (share: number) => boolean;
  oneOf: <T>(list: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
};

export function createDice(random: () => number): Dice {
  const below = (most: number): number => Math.floor(random() * most);
  return {
    below,
    chance: (share) => random() < share,
    oneOf: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((item) => ({ item, at: random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
  };
}

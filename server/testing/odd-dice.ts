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

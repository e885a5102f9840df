/** How many neighbouring slots a key may lie in: a look-up costs no more, whatever keys a stranger chooses. */
export const neighbours = 64;
/** Where every second slot is free, fewer than one key in ten thousand finds all its neighbours taken. */
const slotsPerKey = 2;

/** How many slots a table has in which so many keys are to find room: a power of two. */
export function slotsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(neighbours, capacity * slotsPerKey)));
}

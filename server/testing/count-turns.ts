/** Does something, and counts how often others had their turn of the event loop meanwhile. */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ done: T; turns: number }> {
  let turns = 0;
  let isDone = false;
  const take = (): void => {
    turns += 1;
    if (!isDone) setImmediate(take);
  };
  setImmediate(take);
  const done = await work();
  isDone = true;
  return { done, turns };
}

/** Counts what is worth a line in the log but not one each time. */
export type Tally = {
  count(): void;
  /** How many there were since the beginning. */
  total(): number;
  /** Tells at once what has been counted and not told; to be called at the end. */
  tell(): void;
};

/**
 * Tells of the first one at once, and of those that follow together, not more often than every `everyMs` milliseconds.
 * @param say gets how many there were since it was last called, and how many since the beginning.
 */
export function createTally(everyMs: number, say: (since: number, total: number) => void): Tally {
  let since = 0;
  let total = 0;
  let isQuiet = false;
  const tell = (): void => {
    if (since === 0) return;
    const told = since;
    since = 0;
    say(told, total);
  };
  const speak = (): void => {
    isQuiet = since > 0;
    if (!isQuiet) return;
    tell();
    setTimeout(speak, everyMs).unref();
  };
  return {
    count: () => {
      since += 1;
      total += 1;
      if (!isQuiet) speak();
    },
    total: () => total,
    tell,
  };
}

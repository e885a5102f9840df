/** The known name that `typed` most likely means, or null when none is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  // A third of the letters wrong is still a slip; more is another word.
  let bestDistance = Math.max(2, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const distance = name.startsWith(typed) && typed.length >= 3 ? 1 : editDistance(typed, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean X?`, or nothing. `show` dresses the name up as it is typed. */
export function didYouMean(
  typed: string,
  known: readonly string[],
  show: (name: string) => string = (name) => name,
): string {
  const name = nearest(typed, known);
  return name === null ? "" : `; did you mean ${show(name)}?`;
}

/** Levenshtein distance, row by row. */
const editDistance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
};

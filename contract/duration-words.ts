const units = [
  ["days", 24 * 60 * 60],
  ["hours", 60 * 60],
  ["minutes", 60],
] as const;

/**
 * A length of time as sentences have it, in the greatest unit of which it is a whole number of two or more: `7 days`, `24 hours`,
 * `90 seconds`.
 */
export function durationWords(seconds: number): string {
  const found = units.find(([, size]) => seconds % size === 0 && seconds >= 2 * size);
  return found === undefined ? `${seconds} seconds` : `${seconds / found[1]} ${found[0]}`;
}

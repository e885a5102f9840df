/**
 * The rules have asked for a row that was not read ahead. It is never taken for one that is not there: the batch is decided
 * again with more rows at hand, and where that does not help either, the reach of the rules is stated wrongly (reach.ts).
 */
export class NotReadAhead extends Error {
  override readonly name = "NotReadAhead";

  constructor(what: string) {
    super(`not read ahead: ${what}`);
  }
}

/** What a map of rows that were read says of a key; one that it does not have was not read. */
export function readOf<Key, Value>(rows: ReadonlyMap<Key, Value>, key: Key, what: string): Value {
  const value = rows.get(key);
  if (value === undefined) throw new NotReadAhead(`${what} ${String(key)}`);
  return value;
}

/** A map that forgets what was not asked for lately. */
export type Recent<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  clear(): void;
};

/** Keeps the last `most` keys at the least, and twice as many at the most. */
export function createRecent<Key, Value>(most: number): Recent<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  const set = (key: Key, value: Value) => {
    if (young.size >= most) [old, young] = [young, new Map()];
    young.set(key, value);
  };
  return {
    get: (key) => {
      const known = young.get(key);
      if (known !== undefined) return known;
      const former = old.get(key);
      if (former !== undefined) set(key, former);
      return former;
    },
    set,
    clear: () => {
      young = new Map();
      old = new Map();
    },
  };
}

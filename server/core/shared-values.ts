import { hash } from "node:crypto";

/** Hands out one object for all that are equal, so that a thousand websites with one rule hold it once. */
export type SharedValues<Value extends object> = {
  /** The object that stands for this value from now on, and one holder more of it. */
  take(value: Value): Value;
  /** One holder less of what `take` handed out; without any it is forgotten. */
  release(value: Value): void;
};

/** An empty collection. Values are compared by their JSON: equal members in another order are another value. */
export function createSharedValues<Value extends object>(): SharedValues<Value> {
  const known = new Map<string, { value: Value; holders: number }>();
  return {
    take(value) {
      const key = keyOf(value);
      const shared = known.get(key) ?? { value, holders: 0 };
      shared.holders += 1;
      known.set(key, shared);
      return shared.value;
    },
    release(value) {
      const key = keyOf(value);
      const shared = known.get(key);
      if (shared === undefined) return;
      shared.holders -= 1;
      if (shared.holders === 0) known.delete(key);
    },
  };
}

/** An allowlist may name ten thousand offers: its hash is short, and nobody finds two with one. */
function keyOf(value: object): string {
  return hash("sha256", JSON.stringify(value), "base64");
}

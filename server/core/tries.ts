/** So many tries of one key in a window, which begins with the first of them. */
export type TriesLimit = { most: number; windowMs: number };

export type TryTurn = { ok: true } | { ok: false; retrySeconds: number };

export type Tries = {
  /**
   * Counts a try before it is made, so that many at once are no way around the limit; `now` in milliseconds of a clock that
   * never goes back.
   */
  take(key: string, now: number): TryTurn;
  /** The try was none of those that are limited. */
  giveBack(key: string): void;
  /** The key begins anew. */
  forget(key: string): void;
};

/** Some 8 MB at the most. */
const mostKeys = 32_768;

/** Limits tries in this process alone. */
export function createTries({ most, windowMs }: TriesLimit): Tries {
  const windows = new Map<string, { times: number; until: number }>();
  return {
    take: (key, now) => {
      const known = windows.get(key);
      if (known !== undefined && known.until > now) {
        if (known.times >= most) return { ok: false, retrySeconds: Math.ceil((known.until - now) / 1000) };
        known.times += 1;
        return { ok: true };
      }
      // Taken out first, for a map is in the order of coming, and the oldest goes when there are too many.
      windows.delete(key);
      windows.set(key, { times: 1, until: now + windowMs });
      const oldest = windows.size > mostKeys ? windows.keys().next() : null;
      if (oldest?.done === false) windows.delete(oldest.value);
      return { ok: true };
    },
    giveBack: (key) => {
      const known = windows.get(key);
      if (known !== undefined && known.times > 0) known.times -= 1;
    },
    forget: (key) => void windows.delete(key),
  };
}

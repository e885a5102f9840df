/** How many unsigned cookies of no session are looked up for one network in a minute. */
export const unknownSessionTries = { most: 60, windowMs: 60_000 } as const;

/** Some 8 MB at the most. */
const mostNetworks = 32_768;

export type UnknownSessions = {
  /**
   * Counts a look-up before it is made, so that many at once are no way around it. `now` is in milliseconds of a clock that
   * never goes back.
   */
  take(network: string, now: number): { ok: true } | { ok: false; retrySeconds: number };
  /** The cookie was a session's after all. */
  giveBack(network: string): void;
};

/** Limits how often a network has cookies looked up that anybody can have made up. It protects the machine, so each has its own. */
export function createUnknownSessions(): UnknownSessions {
  const tries = new Map<string, { times: number; until: number }>();
  return {
    take: (network, now) => {
      const known = tries.get(network);
      if (known !== undefined && known.until > now) {
        if (known.times >= unknownSessionTries.most)
          return { ok: false, retrySeconds: Math.ceil((known.until - now) / 1000) };
        known.times += 1;
        return { ok: true };
      }
      // Taken out first, for a map is in the order of coming, and the oldest goes when there are too many.
      tries.delete(network);
      tries.set(network, { times: 1, until: now + unknownSessionTries.windowMs });
      const oldest = tries.size > mostNetworks ? tries.keys().next() : null;
      if (oldest?.done === false) tries.delete(oldest.value);
      return { ok: true };
    },
    giveBack: (network) => {
      const known = tries.get(network);
      if (known !== undefined && known.times > 0) known.times -= 1;
    },
  };
}

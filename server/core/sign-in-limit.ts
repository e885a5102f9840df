/** How many passwords may be tried for one account from one network in a quarter of an hour. */
export const passwordTries = { most: 10, windowMs: 15 * 60 * 1000 } as const;

/** Some 8 MB at the most; guesses are limited by network besides. */
const mostAccounts = 32_768;

export type SignInTurn = { ok: true } | { ok: false; retrySeconds: number };

export type SignInLimit = {
  /**
   * Counts a try before its password is looked at, so that many at once are no way around it; `now` in milliseconds of a
   * clock that never goes back. A promise, where other nodes have to be asked, is never rejected.
   */
  take(account: string, network: string, now: number): SignInTurn | Promise<SignInTurn>;
  /** The password was right: its owner begins anew. */
  forget(account: string, network: string): void;
};

/**
 * Limits guesses by account and network together, in this process alone: whoever guesses from elsewhere locks no owner out
 * (decisions.md#wrong-passwords).
 */
export function createSignInLimit(): Pick<SignInLimit, "forget"> & {
  take(account: string, network: string, now: number): SignInTurn;
} {
  const tries = new Map<string, { times: number; until: number }>();
  const keyOf = (account: string, network: string): string => `${network} ${account}`;
  return {
    take: (account, network, now) => {
      const key = keyOf(account, network);
      const known = tries.get(key);
      if (known !== undefined && known.until > now) {
        known.times += 1;
        if (known.times <= passwordTries.most) return { ok: true };
        return { ok: false, retrySeconds: Math.ceil((known.until - now) / 1000) };
      }
      // Taken out first, for a map is in the order of coming, and the oldest goes when there are too many.
      tries.delete(key);
      tries.set(key, { times: 1, until: now + passwordTries.windowMs });
      const oldest = tries.size > mostAccounts ? tries.keys().next() : null;
      if (oldest?.done === false) tries.delete(oldest.value);
      return { ok: true };
    },
    forget: (account, network) => void tries.delete(keyOf(account, network)),
  };
}

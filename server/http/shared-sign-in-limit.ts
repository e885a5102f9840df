import type { KeyedHash } from "../core/keyed-hash.ts";
import type { SharedWindows } from "../core/shared-windows.ts";
import { createSignInLimit, passwordTries, type SignInLimit } from "../core/sign-in-limit.ts";
import type { TryTurn } from "../core/tries.ts";
import { callerName } from "./shared-limits.ts";

/** Whoever signs in waits longer for the password's hash. */
const patienceMs = 500;

/**
 * Limits guesses of a password for all nodes together, in quarters of an hour of the clock that they share. Every try is
 * asked about: there are few, and many nodes that each let one in would be many guesses. Where nobody answers, each node
 * counts for itself and without a smaller share, for accounts are then out of reach as well.
 */
export function createSharedSignInLimit({
  windows,
  hash,
}: {
  windows: SharedWindows;
  hash: KeyedHash;
}): SignInLimit {
  const own = createSignInLimit();
  const keyOf = (account: string, network: string) => {
    const now = windows.clock();
    const endsAt = (Math.floor(now / passwordTries.windowMs) + 1) * passwordTries.windowMs;
    const window = endsAt / 60_000;
    return { key: callerName(hash, window, `password ${network} ${account}`), window, leftMs: endsAt - now };
  };
  return {
    take: async (account, network, now): Promise<TryTurn> => {
      const ownTurn = own.take(account, network, now);
      const { key, window, leftMs } = keyOf(account, network);
      const tries = (await inTime(windows.add(new Map([[key, 1]]), window)))?.get(key);
      if (tries === undefined) return ownTurn;
      if (tries <= passwordTries.most) return { ok: true };
      return { ok: false, retrySeconds: Math.ceil(leftMs / 1000) };
    },
    forget: (account, network) => {
      own.forget(account, network);
      const { key, window } = keyOf(account, network);
      // Who has signed in needs no further try for now; at worst they wait for a quarter of an hour.
      windows.forget(key, window).catch(() => undefined);
    },
  };
}

const inTime = async <T>(answer: Promise<T>): Promise<T | null> => {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, patienceMs, null);
  try {
    return await Promise.race([answer, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
};

import { oauthLifetimes } from "@offers/contract/oauth";
import { createTries, type TriesLimit, type TryTurn } from "./tries.ts";

/** How many passwords may be tried for one account from one network in a quarter of an hour; guesses are limited by network besides. */
export const passwordTries = { most: 10, windowMs: 15 * 60 * 1000 } as const satisfies TriesLimit;

/**
 * How many unsigned cookies of no session are looked up for one network in a minute (decisions.md#made-up-cookies). It
 * protects the machine, so each node counts its own.
 */
export const unknownSessionTries = { most: 60, windowMs: 60_000 } as const satisfies TriesLimit;

/**
 * How many consents the people of one network may be asked for in the time that one waits (decisions.md#waiting-consents): so it
 * takes fifty networks to keep all places taken of those that wait. Each node counts its own.
 */
export const consentTries = {
  most: 200,
  windowMs: oauthLifetimes.consentSeconds * 1000,
} as const satisfies TriesLimit;

export type SignInLimit = {
  /**
   * Counts a try before its password is looked at; `now` in milliseconds of a clock that never goes back. A promise, where
   * other nodes have to be asked, is never rejected.
   */
  take(account: string, network: string, now: number): TryTurn | Promise<TryTurn>;
  /** The password was right: its owner begins anew. */
  forget(account: string, network: string): void;
};

/**
 * Limits guesses by account and network together, in this process alone: whoever guesses from elsewhere locks no owner out
 * (decisions.md#wrong-passwords).
 */
export function createSignInLimit(): Pick<SignInLimit, "forget"> & {
  take(account: string, network: string, now: number): TryTurn;
} {
  const tries = createTries(passwordTries);
  const keyOf = (account: string, network: string): string => `${network} ${account}`;
  return {
    take: (account, network, now) => tries.take(keyOf(account, network), now),
    forget: (account, network) => tries.forget(keyOf(account, network)),
  };
}

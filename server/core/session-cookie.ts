import { timingSafeEqual } from "node:crypto";
import { tokenHash } from "./session-life.ts";
import type { TokenKeys } from "./token-keys.ts";

/** What a session's cookie names. */
export type CookieSession = {
  /** What is kept of the session's token. */
  hash: string;
  /** Whether this service made the cookie, under a secret that it still knows. Whoever makes one up cannot. */
  isSigned: boolean;
};

const tokenLength = 43;
const macBytes = 16;

/** What a session's cookie holds: its token, and the MAC that says without a look at the database that it is no made-up one. */
export function signSessionToken({ sealing }: TokenKeys, token: string): string {
  return `${token}${macOf(sealing.sessionHash, token).toString("base64url")}`;
}

/**
 * Reads what a cookie holds; null for what can be none. A session goes on when the secret that its cookie was signed under is
 * retired: it is in the database, so such a cookie is merely one of which nothing is known before that is asked.
 */
export function readSessionCookie({ all }: TokenKeys, value: string): CookieSession | null {
  const token = value.slice(0, tokenLength);
  const mac = value.slice(tokenLength);
  const hash = tokenHash(token);
  if (hash === null) return null;
  // Those of before there was a MAC.
  if (mac === "") return { hash, isSigned: false };
  const given = Buffer.from(mac, "base64url");
  if (given.length !== macBytes || given.toString("base64url") !== mac) return null;
  const isSigned = all.some(({ sessionHash }) => timingSafeEqual(macOf(sessionHash, token), given));
  return { hash, isSigned };
}

const macOf = (sessionHash: (token: string) => Buffer, token: string): Buffer =>
  sessionHash(token).subarray(0, macBytes);

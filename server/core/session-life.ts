import { createHash } from "node:crypto";
import type { SignedIn } from "./signed-in.ts";

/** A session ends when nobody has used it for half a day, and after a month however much it was used. */
export const sessionLife = { idleMs: 12 * 60 * 60 * 1000, mostMs: 30 * 24 * 60 * 60 * 1000 } as const;

/** For how long the password that was given lets its owner do what gives a right. */
export const recentMs = 15 * 60 * 1000;

/** A session's use is noted once in this time. */
export const seenEveryMs = 60 * 1000;

/** How long links live: an invitation may wait for a Monday, the one that only signs in is used at once. */
export const linkMs = {
  set_up: 24 * 60 * 60 * 1000,
  invitation: 7 * 24 * 60 * 60 * 1000,
  password: 24 * 60 * 60 * 1000,
  sign_in: 60 * 60 * 1000,
} as const;

export type LinkKind = keyof typeof linkMs;

/** How many random bytes a session's cookie and a link hold. */
export const tokenBytes = 32;

const form = /^[A-Za-z0-9_-]{43}$/;

/** What is kept of a token (SHA-256, base64url); null for a text that can be none. */
export function tokenHash(token: string): string | null {
  return form.test(token) ? createHash("sha256").update(token).digest("base64url") : null;
}

/** Whether a session is over at `now`; all in milliseconds since the epoch. */
export function isSessionOver(
  { seenAt, expiresAt }: { seenAt: number; expiresAt: number },
  now: number,
): boolean {
  return now >= expiresAt || now - seenAt >= sessionLife.idleMs;
}

/** Whether somebody gives their password before what gives a right; who has none, as the demo's user, is not asked for one. */
export function needsPassword(
  { hasPassword, signedInAt }: Pick<SignedIn, "hasPassword" | "signedInAt">,
  now: number,
): boolean {
  return hasPassword && now - signedInAt >= recentMs;
}

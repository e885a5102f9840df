import { createHash } from "node:crypto";
import type { ServerEventBody } from "@offers/contract/server-events";
import { idempotencySeconds } from "@offers/contract/words";

/** How long an answer is kept for its repetitions. */
export const idempotencyMs = idempotencySeconds * 1000;

/** What was stored under an idempotency key: the body's fingerprint and the answer, `at` in milliseconds. */
export type KeptAnswer = { fingerprint: string; answerJson: string; at: number };

/**
 * Within what an idempotency key of `POST /v1/events` is one: all keys of a publisher share it, and each partner of the
 * publisher has one of its own, whichever of its connections it uses (decisions.md#idempotency-of-a-publisher).
 */
export function eventScope({
  publisherId,
  partner,
}: {
  publisherId: string;
  partner: string | null;
}): string {
  return partner === null ? `${publisherId} events` : `${publisherId} ${partner} events`;
}

/**
 * What to do with a request that carries an idempotency key:
 * `execute` (nothing is kept, or it is 24 hours old), `repeat` the kept answer, or `mismatch` (another body).
 */
export function idempotencyVerdict(
  kept: KeptAnswer | undefined,
  fingerprint: string,
  now: number,
): "execute" | "repeat" | "mismatch" {
  if (kept === undefined || now - kept.at >= idempotencyMs) return "execute";
  return kept.fingerprint === fingerprint ? "repeat" : "mismatch";
}

/**
 * The same for two bodies that mean the same event: members that the service ignores, their order and
 * white space do not count. 43 characters of base64url (SHA-256).
 */
export function eventFingerprint(body: ServerEventBody): string {
  const { type, websiteKey, offerId, country, ts, requestId } = body;
  const members = [type, websiteKey, offerId, country ?? null, ts ?? null, requestId ?? null];
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url");
}

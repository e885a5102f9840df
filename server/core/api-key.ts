import { hash as hashOf, timingSafeEqual } from "node:crypto";
import type { PublisherId } from "@offers/contract/ids";
import type { Scope } from "@offers/contract/words";
import { base62, base62Of } from "./base62.ts";

/** How many random bytes one key is made of: 17 for its id, 32 for its secret. */
export const apiKeyBytes = 17 + 32;

const form = /^(sk_([0-9A-Za-z]{12})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type NewApiKey = {
  /** `sk_<id>_<secret><checksum>`: to be shown once and never stored. */
  key: string;
  id: string;
  /** SHA-256 of the key without its checksum, 32 bytes. */
  hash: Buffer;
  lastFour: string;
};

/** What a presented key says of itself, once its checksum is right. */
export type PresentedApiKey = { id: string; hash: Buffer };

/** A key as the store keeps it. Times are milliseconds since the epoch. */
export type StoredApiKey = {
  id: string;
  publisherId: PublisherId;
  /** The one website that it is good for; null: every website of the publisher. */
  websiteId: number | null;
  hash: Uint8Array;
  scopes: readonly Scope[];
  expiresAt: number | null;
  revokedAt: number | null;
};

/** Makes a key of `apiKeyBytes` random bytes; its secret alone holds 190 bits. */
export function makeApiKey(random: Uint8Array): NewApiKey {
  if (random.length !== apiKeyBytes) throw new RangeError(`a key is made of ${apiKeyBytes} random bytes`);
  const id = base62(random.subarray(0, 17), 12);
  const body = `sk_${id}_${base62(random.subarray(17), 32)}`;
  const hash = digest(body);
  const key = body + checksum(hash);
  return { key, id, hash, lastFour: key.slice(-4) };
}

/** Reads a key from a request. Null: malformed, truncated, or mistyped, which its checksum shows without a look-up. */
export function parseApiKey(text: string): PresentedApiKey | null {
  const [, body, id, check] = form.exec(text) ?? [];
  if (body === undefined || id === undefined || check === undefined) return null;
  const hash = digest(body);
  return timingSafeEqual(Buffer.from(check), Buffer.from(checksum(hash))) ? { id, hash } : null;
}

/**
 * Whether the presented key is this stored one and still good at `now` (milliseconds since the epoch).
 * The comparison takes the same time wherever the two differ, and happens for an unknown id too:
 * the answer's time does not tell which ids exist.
 */
export function isLiveApiKey(
  presented: PresentedApiKey,
  stored: StoredApiKey | undefined,
  now: number,
): stored is StoredApiKey {
  const same = timingSafeEqual(presented.hash, stored?.hash ?? Buffer.alloc(32));
  if (stored === undefined || !same || stored.id !== presented.id) return false;
  return stored.revokedAt === null && (stored.expiresAt === null || now < stored.expiresAt);
}

const digest = (body: string): Buffer => hashOf("sha256", body, "buffer");

// Four bytes of the digest: one mistyped key in four billion has the right checksum by chance.
const checksum = (hash: Buffer): string => base62Of(hash.readUInt32BE(0), 6);

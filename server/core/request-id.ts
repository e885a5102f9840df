import { createCipheriv, createDecipheriv, type KeyObject } from "node:crypto";
import type { RequestId } from "@offers/contract/ids";
import { packedFacts, packFacts, type SealedFacts, unpackFacts } from "./request-facts.ts";
import type { SecretKeys, TokenKeys } from "./token-keys.ts";
import { bytesOfText, tokenPurpose, tokenVersion } from "./token-text.ts";
import { dayNumber } from "./utc-day.ts";

/** What a requestId says of the decision that it was made at. */
export type RequestFacts = SealedFacts & {
  /** The request's own random id, 16 characters: the key of all its events. */
  request: string;
};

/** Layout: version, purpose, fingerprint, UTC day (2 bytes); nonce; AES-256-GCM ciphertext; tag. The first five are its AAD. */
const prefix = "req_";
const headerBytes = 5;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = "aes-256-gcm";
const nonceEnd = headerBytes + nonceBytes;
const size = {
  least: nonceEnd + packedFacts.least + tagBytes,
  most: nonceEnd + packedFacts.most + tagBytes,
} as const;

/**
 * Seals what a decision found into a requestId that nobody else can read or make, at most 196 characters
 * (88 without a suppression).
 * `request`, its nonce in 16 characters, is the key of the request's events.
 * @param nonce 12 random bytes, never used before.
 * @throws RangeError when a fact or the nonce has the wrong size, or `issuedAt` is not within 1970 to 2149.
 */
export function sealRequestId(
  keys: TokenKeys,
  facts: SealedFacts,
  nonce: Buffer,
): { requestId: RequestId; request: string } {
  if (nonce.length !== nonceBytes) throw new RangeError(`a nonce has ${nonceBytes} bytes`);
  const day = dayNumber(facts.issuedAt);
  const header = Buffer.alloc(headerBytes);
  header[0] = tokenVersion;
  header[1] = tokenPurpose.requestId;
  header[2] = keys.sealing.fingerprint;
  header.writeUInt16BE(day, 3);
  const key = keys.sealing.requestKey(day);
  keys.sealing.keepRequestKey(day, key);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(header);
  const sealed = sealing.update(packFacts(facts));
  sealing.final();
  const bytes = Buffer.concat([header, nonce, sealed, sealing.getAuthTag()]);
  return { requestId: requestIdText(bytes), request: nonce.toString("base64url") };
}

/**
 * Opens a requestId; null when it is malformed, forged, or made with a secret that is neither the current nor
 * the previous one. Its age is the caller's business: `requestLifetimes` in the contract's words.
 */
export function openRequestId(keys: TokenKeys, text: string): RequestFacts | null {
  const bytes = requestIdBytes(text);
  return bytes === null ? null : openRequestIdBytes(keys, bytes);
}

/** The bytes that a requestId's text spells, unproved; null when it can be none. */
export function requestIdBytes(text: string): Buffer | null {
  return text.startsWith(prefix) ? bytesOfText(text.slice(prefix.length), size) : null;
}

/** The one text of a requestId's bytes. */
export function requestIdText(bytes: Buffer): RequestId {
  return `${prefix}${bytes.toString("base64url")}` as RequestId;
}

/** Opens a requestId that is at hand as bytes; null as for `openRequestId`. */
export function openRequestIdBytes(keys: TokenKeys, bytes: Buffer): RequestFacts | null {
  if (bytes.length < size.least || bytes.length > size.most) return null;
  if (bytes[0] !== tokenVersion || bytes[1] !== tokenPurpose.requestId) return null;
  for (const secret of keys.opening(bytes[2] ?? 0)) {
    const facts = openWith(secret, bytes);
    if (facts !== null) return facts;
  }
  return null;
}

function openWith(secret: SecretKeys, bytes: Buffer): RequestFacts | null {
  const day = bytes.readUInt16BE(3);
  const key = secret.requestKey(day);
  const packed = decrypt(key, bytes);
  if (packed === null) return null;
  secret.keepRequestKey(day, key);
  const facts = unpackFacts(packed, day);
  return facts && { request: bytes.toString("base64url", headerBytes, nonceEnd), ...facts };
}

function decrypt(key: KeyObject, bytes: Buffer): Buffer | null {
  const tagAt = bytes.length - tagBytes;
  const nonce = bytes.subarray(headerBytes, nonceEnd);
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(bytes.subarray(0, headerBytes))
    .setAuthTag(bytes.subarray(tagAt));
  const packed = opening.update(bytes.subarray(nonceEnd, tagAt));
  try {
    opening.final();
  } catch {
    return null;
  }
  return packed;
}

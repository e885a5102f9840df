import { createCipheriv, createDecipheriv } from "node:crypto";
import type { RequestId } from "@offers/contract/ids";
import { packedFacts, packFacts, type SealedFacts, unpackFacts } from "./request-facts.ts";
import { requestTimeBytes, requestTimeOf } from "./request-key.ts";
import type { SecretKeys, TokenKeys } from "./token-keys.ts";
import { bytesOfText, tokenPurpose, tokenVersion } from "./token-text.ts";
import { dayNumber } from "./utc-day.ts";

/** What a requestId says of the decision that it was made at. */
export type RequestFacts = SealedFacts & {
  /** What `requestKeyOf` made, 16 characters: the key of all the request's events. */
  request: string;
};

/**
 * Layout: version, purpose, fingerprint; the request's key, which is the nonce; AES-256-GCM ciphertext; tag.
 * The first three bytes are its additional data. Header and key have lengths that three divides, so that in the
 * text the key stands as it is, behind the header's four characters.
 */
const prefix = "req_";
const headerBytes = 3;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = "aes-256-gcm";
const nonceEnd = headerBytes + nonceBytes;
const size = {
  least: nonceEnd + packedFacts.least + tagBytes,
  most: nonceEnd + packedFacts.most + tagBytes,
} as const;

/**
 * Seals what a decision found into a requestId that nobody else can read or make, at most 200 characters
 * (92 without a suppression).
 * @param request what `requestKeyOf` made for `facts.issuedAt`. One key must never seal two different facts.
 * @throws RangeError when a fact has the wrong size, or the key is none or is of another time.
 */
export function sealRequestId(keys: TokenKeys, facts: SealedFacts, request: string): RequestId {
  const { sealing } = keys;
  const nonce = Buffer.from(request, "base64url");
  if (nonce.length !== nonceBytes || request.length !== 16)
    throw new RangeError(`no request's key: ${request}`);
  if (requestTimeOf(nonce) !== facts.issuedAt) throw new RangeError("the request's key is of another time");
  const day = dayNumber(facts.issuedAt);
  const key = sealing.requestKey(day);
  sealing.keepRequestKey(day, key);
  const header = sealing.requestHeader;
  const bytes = packFacts(facts, tagBytes);
  const tagAt = bytes.length - tagBytes;
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(header.bytes);
  bytes.set(encryption.update(bytes.subarray(0, tagAt)));
  encryption.final();
  bytes.set(encryption.getAuthTag(), tagAt);
  return `${prefix}${header.text}${request}${bytes.toString("base64url")}` as RequestId;
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

/** When the request of a requestId's bytes was made, as its key has it: the first bytes of that key. */
export function requestTimeIn(bytes: Buffer): Buffer {
  return bytes.subarray(headerBytes, headerBytes + requestTimeBytes);
}

/** The request's key in a requestId's bytes, unproved. */
export function requestKeyIn(bytes: Buffer): string {
  return bytes.toString("base64url", headerBytes, nonceEnd);
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
  const nonce = bytes.subarray(headerBytes, nonceEnd);
  const issuedAt = requestTimeOf(nonce);
  const day = dayNumber(issuedAt);
  const key = secret.requestKey(day);
  const tagAt = bytes.length - tagBytes;
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
    .setAAD(bytes.subarray(0, headerBytes))
    .setAuthTag(bytes.subarray(tagAt));
  const packed = decryption.update(bytes.subarray(nonceEnd, tagAt));
  try {
    decryption.final();
  } catch {
    return null;
  }
  secret.keepRequestKey(day, key);
  const facts = unpackFacts(packed, issuedAt);
  return facts && { ...facts, request: nonce.toString("base64url") };
}

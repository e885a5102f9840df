import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { createKeyedHash, type KeyedHash } from "./keyed-hash.ts";
import { tokenPurpose, tokenVersion } from "./token-text.ts";

/** One secret's keys. Every key is derived (RFC 5869), so that no key serves two purposes. */
export type SecretKeys = {
  /** The byte that says in a token which secret it was made with. It is no secret. */
  fingerprint: number;
  /** What all requestIds that are sealed with it begin with: version, purpose, fingerprint. `text` is their base64url. */
  requestHeader: { bytes: Uint8Array; text: string };
  /** AES-256 key of the requestIds of one UTC day, so that no key comes near the limit of its random nonces. */
  requestKey(day: number): KeyObject;
  /** Keeps the key of a day at hand. Called once a token has proved the day: strangers cannot fill the memory. */
  keepRequestKey(day: number, key: KeyObject): void;
  /** HMAC-SHA256 under the key of the click tokens. */
  clickHash: KeyedHash;
  /** HMAC-SHA256 under the key of the previews' tokens. */
  previewHash: KeyedHash;
  /** HMAC-SHA256 under the key of the sessions' cookies. */
  sessionHash: KeyedHash;
  /** HMAC-SHA256 under the key of the names that callers have where nodes count their calls together. */
  callerHash: KeyedHash;
};

/** The keys that tokens are made and opened with. */
export type TokenKeys = {
  /** The keys of the current secret, which all new tokens are made with. */
  sealing: SecretKeys;
  /** The secrets that have this fingerprint, current first: usually one, none when the secret is retired. */
  opening(fingerprint: number): readonly SecretKeys[];
  /** Those of every secret, current first. */
  all: readonly SecretKeys[];
};

/** Tokens live a day, so two days are in use at a time; the rest is room for late ones. */
const daysAtHand = 8;

/**
 * Derives the keys of tokens from the service's secrets.
 * @param secrets.current makes and opens tokens.
 * @param secrets.others only open them: former ones, and one that other nodes may seal with already.
 * @throws RangeError when the current secret is empty.
 */
export function createTokenKeys(secrets: { current: string; others?: readonly string[] }): TokenKeys {
  const { current, others = [] } = secrets;
  if (current === "") throw new RangeError("the token secret is empty");
  const sealing = keysOf(current);
  const known = new Set(others.filter((text) => text !== "" && text !== current));
  const all = [sealing, ...[...known].map(keysOf)];
  return { sealing, opening: (fingerprint) => all.filter((keys) => keys.fingerprint === fingerprint), all };
}

function keysOf(secret: string): SecretKeys {
  const atHand = new Map<number, KeyObject>();
  const fingerprint = derive(secret, "fingerprint", 1)[0] ?? 0;
  const header = Buffer.from([tokenVersion, tokenPurpose.requestId, fingerprint]);
  return {
    fingerprint,
    requestHeader: { bytes: header, text: header.toString("base64url") },
    clickHash: createKeyedHash(derive(secret, "click-token", 32)),
    previewHash: createKeyedHash(derive(secret, "preview-token", 32)),
    sessionHash: createKeyedHash(derive(secret, "session-cookie", 32)),
    callerHash: createKeyedHash(derive(secret, "caller-name", 32)),
    requestKey: (day) => atHand.get(day) ?? createSecretKey(derive(secret, `request-id ${day}`, 32)),
    keepRequestKey(day, key) {
      if (atHand.has(day)) return;
      const oldest = atHand.keys().next();
      if (atHand.size >= daysAtHand && !oldest.done) atHand.delete(oldest.value);
      atHand.set(day, key);
    },
  };
}

function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `offer-service ${purpose}`, bytes));
}

import type { OfferId } from "@offers/contract/ids";
import { clickIdBytes, createClickTokens } from "./click-token.ts";
import type { SealedFacts } from "./request-facts.ts";
import { sealRequestId } from "./request-id.ts";
import { requestKeyOf, requestRandomBytes } from "./request-key.ts";
import { createTokenKeys } from "./token-keys.ts";

/** Keys for tests. */
export const sampleKeys = createTokenKeys({ current: "a secret of at least thirty-two characters" });

/** Facts for tests, of the fullest kind. */
export const sampleFacts: SealedFacts = {
  websiteId: 4_000_000_000,
  country: "US",
  region: "NJ",
  allowed: false,
  surface: "section",
  test: true,
  visitor: Buffer.alloc(16, 0xa7).toString("base64url"),
  issuedAt: Date.parse("2026-11-20T12:34:56.789Z"),
};

/** A sealed requestId and a click token of it, for tests. */
export function sampleTokens(keys = sampleKeys, facts = sampleFacts) {
  const request = requestKeyOf(facts.issuedAt, new Uint8Array(requestRandomBytes).fill(0x5c));
  const requestId = sealRequestId(keys, facts, request);
  const refs = {
    offerId: "offer_sample-1" as OfferId,
    placement: "standard" as const,
    position: 3,
  };
  const clickId = new Uint8Array(clickIdBytes).fill(0x3b);
  return { requestId, request, refs, token: createClickTokens(keys, requestId, clickId)(refs) };
}

/** Every text that differs from `text` in one bit of one byte. */
export function* bitFlipsOfText(text: string): Generator<string> {
  for (const flipped of bitFlips(Buffer.from(text, "latin1"))) yield flipped.toString("latin1");
}

/** The canonical text of all bytes that differ in one bit from those that `text` spells in base64url. */
export function* bitFlipsOfBytes(text: string): Generator<string> {
  for (const flipped of bitFlips(Buffer.from(text, "base64url"))) yield flipped.toString("base64url");
}

function* bitFlips(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield flipped;
  }
}

/** Other texts that a lenient decoder reads as the same bytes. */
export function otherSpellings(text: string): string[] {
  const last = alphabet.indexOf(text.at(-1) ?? "");
  return [
    `${text}=`,
    `${text}==`,
    `${text}\n`,
    ` ${text}`,
    `${text.slice(0, 9)} ${text.slice(9)}`,
    text.replaceAll("-", "+").replaceAll("_", "/").concat("="),
    `${text}A`,
    text.slice(0, -1),
    ...[1, 2, 3].map((stray) => text.slice(0, -1) + (alphabet[last ^ stray] ?? "")),
  ];
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

import { timingSafeEqual } from "node:crypto";
import type { ClickToken, OfferId, RequestId } from "@offers/contract/ids";
import type { Placement } from "@offers/contract/words";
import { placementNumber, placementOf } from "./handed-offers.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import {
  openRequestIdBytes,
  type RequestFacts,
  requestIdBytes,
  requestIdText,
  requestTimeIn,
} from "./request-id.ts";
import type { TokenKeys } from "./token-keys.ts";
import { bytesOfText, tokenPurpose, tokenVersion } from "./token-text.ts";

/** What a click token names. Price and destination are looked up, never carried. */
export type ClickRefs = {
  requestId: RequestId;
  offerId: OfferId;
  placement: Placement;
  /** From 1, within the placement. */
  position: number;
  /**
   * The token's own id, 16 bytes as 22 characters: what the advertiser gets as `{click_id}`. It begins with the five bytes
   * of its request's time, by which a click is found among all facts without an index; the other 88 bits are random.
   */
  clickId: string;
};

/** How many bytes a click id has. */
export const clickIdBytes = 16;

const offerPrefix = "offer_";
/** Half of HMAC-SHA256, the least that RFC 2104 section 5 advises; the token stays short in every link. */
const macBytes = 16;

/**
 * Where the parts stand. Version, purpose, fingerprint and the requestId with its length come first, and are the
 * same in all tokens of an answer. Behind them come placement, position, click id, the offer's id without its
 * prefix, and the MAC of it all.
 */
const offsetOf = { fingerprint: 2, requestLength: 3, request: 4 } as const;
const offsetBehindRequest = { placement: 0, position: 1, clickId: 3, offer: 3 + clickIdBytes } as const;
const mostOfferCharacters = 64;
const size = { least: offsetOf.request + offsetBehindRequest.offer + macBytes, most: 400 } as const;

/** Makes the token of one offer's link. */
export type ClickTokens = (slot: Pick<ClickRefs, "offerId" | "placement" | "position">) => ClickToken;

/**
 * Prepares the click tokens of one answer: signed references, no price, no destination. What all of them share is
 * read and written here once. The maker then takes a position of 1 to 65,535, and the next click id at each call.
 * @param random 16 random bytes for each token that will be made, of which its id keeps eleven.
 * @throws RangeError, from here or from the maker, when a reference has the wrong size or the random bytes are used
 * up: a mistake of the caller.
 */
export function createClickTokens(keys: TokenKeys, requestId: RequestId, random: Uint8Array): ClickTokens {
  const request = requestIdBytes(requestId);
  if (request === null) throw new RangeError("a click token refers to a sealed requestId");
  const { clickHash, fingerprint } = keys.sealing;
  const time = requestTimeIn(request);
  const at = offsetOf.request + request.length;
  const bytes = Buffer.alloc(at + offsetBehindRequest.offer + mostOfferCharacters + macBytes);
  bytes.set([tokenVersion, tokenPurpose.clickToken, fingerprint, request.length]);
  bytes.set(request, offsetOf.request);
  let used = 0;

  return ({ offerId, placement, position }) => {
    if (!/^offer_[A-Za-z0-9_-]{1,64}$/.test(offerId)) throw new RangeError(`no offer id: ${offerId}`);
    if (!(Number.isInteger(position) && position >= 1)) throw new RangeError(`no position: ${position}`);
    const clickId = random.subarray(used, used + clickIdBytes);
    if (clickId.length < clickIdBytes) throw new RangeError("no random bytes are left for a click id");
    used += clickIdBytes;
    bytes[at + offsetBehindRequest.placement] = placementNumber(placement) - 1;
    bytes.writeUInt16BE(position, at + offsetBehindRequest.position);
    bytes.set(clickId, at + offsetBehindRequest.clickId);
    bytes.set(time, at + offsetBehindRequest.clickId);
    const offerAt = at + offsetBehindRequest.offer;
    const macAt = offerAt + bytes.write(offerId.slice(offerPrefix.length), offerAt, "latin1");
    bytes.set(macOf(clickHash, bytes.subarray(0, macAt)), macAt);
    return bytes.toString("base64url", 0, macAt + macBytes) as ClickToken;
  };
}

/**
 * Opens a click token and the requestId within; null when it is malformed, forged, or made with a secret that is
 * neither the current nor the previous one. Its age is that of `facts.issuedAt`, and the caller's business.
 */
export function openClickToken(keys: TokenKeys, text: string): (ClickRefs & { facts: RequestFacts }) | null {
  const bytes = bytesOfText(text, size);
  if (bytes === null || !isAuthentic(keys, bytes)) return null;
  const at = offsetOf.request + (bytes[offsetOf.requestLength] ?? 0);
  const offerAt = at + offsetBehindRequest.offer;
  const request = bytes.subarray(offsetOf.request, at);
  const facts = openRequestIdBytes(keys, request);
  const placement = placementOf((bytes[at + offsetBehindRequest.placement] ?? 255) + 1);
  if (facts === null || placement === null) return null;
  return {
    requestId: requestIdText(request),
    offerId: `${offerPrefix}${bytes.toString("latin1", offerAt, bytes.length - macBytes)}` as OfferId,
    placement,
    position: bytes.readUInt16BE(at + offsetBehindRequest.position),
    clickId: bytes.toString("base64url", at + offsetBehindRequest.clickId, offerAt),
    facts,
  };
}

function isAuthentic(keys: TokenKeys, bytes: Buffer): boolean {
  if (bytes[0] !== tokenVersion || bytes[1] !== tokenPurpose.clickToken) return false;
  const macAt = bytes.length - macBytes;
  const signed = bytes.subarray(0, macAt);
  const mac = bytes.subarray(macAt);
  return keys
    .opening(bytes[offsetOf.fingerprint] ?? 0)
    .some(({ clickHash }) => timingSafeEqual(macOf(clickHash, signed), mac));
}

function macOf(clickHash: KeyedHash, bytes: Buffer): Buffer {
  return clickHash(bytes).subarray(0, macBytes);
}

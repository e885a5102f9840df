import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { ClickToken, OfferId, RequestId } from "@offers/contract/ids";
import { type Placement, placements } from "@offers/contract/words";
import { openRequestIdBytes, type RequestFacts, requestIdBytes, requestIdText } from "./request-id.ts";
import type { TokenKeys } from "./token-keys.ts";
import { bytesOfText, tokenPurpose, tokenVersion } from "./token-text.ts";

/** What a click token names. Price and destination are looked up, never carried. */
export type ClickRefs = {
  requestId: RequestId;
  offerId: OfferId;
  placement: Placement;
  /** From 1, within the placement. */
  position: number;
  /** The token's own id, 128 bits as 22 characters: what the advertiser gets as `{click_id}`. */
  clickId: string;
};

const offerPrefix = "offer_";
const clickIdBytes = 16;
/** Half of HMAC-SHA256, the least that RFC 2104 section 5 advises; the token stays short in every link. */
const macBytes = 16;

/** Where the parts stand; after the fixed ones come the requestId, the offer's id without its prefix, and the MAC. */
const offsetOf = {
  fingerprint: 2,
  placement: 3,
  position: 4,
  clickId: 6,
  requestLength: 22,
  request: 23,
} as const;
const size = { least: offsetOf.request + macBytes, most: 400 } as const;

/**
 * Makes the token of one offer's link: signed references, no price, no destination.
 * @param refs.position 1 to 65,535.
 * @param clickIdBytes 16 random bytes.
 * @throws RangeError when a reference has the wrong size: a mistake of the caller.
 */
export function sealClickToken(
  keys: TokenKeys,
  refs: Omit<ClickRefs, "clickId">,
  clickId: Buffer,
): ClickToken {
  const request = requestIdBytes(refs.requestId);
  if (request === null) throw new RangeError("a click token refers to a sealed requestId");
  if (clickId.length !== clickIdBytes) throw new RangeError(`a click id has ${clickIdBytes} bytes`);
  if (!/^offer_[A-Za-z0-9_-]{1,64}$/.test(refs.offerId)) throw new RangeError(`no offer id: ${refs.offerId}`);
  if (!(Number.isInteger(refs.position) && refs.position >= 1))
    throw new RangeError(`no position: ${refs.position}`);
  const offer = refs.offerId.slice(offerPrefix.length);
  const offerAt = offsetOf.request + request.length;
  const macAt = offerAt + offer.length;
  const bytes = Buffer.alloc(macAt + macBytes);
  bytes[0] = tokenVersion;
  bytes[1] = tokenPurpose.clickToken;
  bytes[offsetOf.fingerprint] = keys.sealing.fingerprint;
  bytes[offsetOf.placement] = placements.indexOf(refs.placement);
  bytes.writeUInt16BE(refs.position, offsetOf.position);
  bytes.set(clickId, offsetOf.clickId);
  bytes[offsetOf.requestLength] = request.length;
  bytes.set(request, offsetOf.request);
  bytes.write(offer, offerAt, "latin1");
  bytes.set(macOf(keys.sealing.clickKey, bytes.subarray(0, macAt)), macAt);
  return bytes.toString("base64url") as ClickToken;
}

/**
 * Opens a click token and the requestId within; null when it is malformed, forged, or made with a secret that is
 * neither the current nor the previous one. Its age is that of `facts.issuedAt`, and the caller's business.
 */
export function openClickToken(keys: TokenKeys, text: string): (ClickRefs & { facts: RequestFacts }) | null {
  const bytes = bytesOfText(text, size);
  if (bytes === null || !isAuthentic(keys, bytes)) return null;
  const offerAt = offsetOf.request + (bytes[offsetOf.requestLength] ?? 0);
  const macAt = bytes.length - macBytes;
  const request = bytes.subarray(offsetOf.request, offerAt);
  const facts = openRequestIdBytes(keys, request);
  const placement = placements[bytes[offsetOf.placement] ?? placements.length];
  if (facts === null || placement === undefined) return null;
  return {
    requestId: requestIdText(request),
    offerId: `${offerPrefix}${bytes.toString("latin1", offerAt, macAt)}` as OfferId,
    placement,
    position: bytes.readUInt16BE(offsetOf.position),
    clickId: bytes.toString("base64url", offsetOf.clickId, offsetOf.requestLength),
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
    .some((secret) => timingSafeEqual(macOf(secret.clickKey, signed), mac));
}

function macOf(key: KeyObject, bytes: Buffer): Buffer {
  return createHmac("sha256", key).update(bytes).digest().subarray(0, macBytes);
}

import { hash, timingSafeEqual } from "node:crypto";
import type { PublicKey } from "@offers/contract/ids";
import { previewSeconds } from "@offers/contract/words";
import type { TokenKeys } from "./token-keys.ts";
import { bytesOfText, tokenPurpose, tokenVersion } from "./token-text.ts";

/** How long a token is good. */
export const previewTokenMs = previewSeconds * 1000;

/** What a preview is for: one website, as one session sees it. */
export type PreviewClaim = {
  /** The website's number. */
  websiteId: number;
  /** What the session is known by, its cookie; the token holds a hash of it. */
  session: string;
};

/** What a token is worth. An expired one was made by this service, too. */
export type PreviewVerdict = "valid" | "expired" | "other_website" | "other_session" | "forged";

/**
 * It is written like a public key and stands in its place, so that the tag of a preview is a tag like any other. Layout:
 * version, purpose, fingerprint; the website's number; the end in milliseconds since the epoch; the session's hash; the MAC of
 * all that.
 */
const prefix = "pub_";
const offsetOf = { website: 3, end: 7, session: 13, mac: 29 } as const;
const partBytes = 16;
const size = offsetOf.mac + partBytes;
const range = { least: size, most: size };
const textLength = prefix.length + (size * 4) / 3;

/** Makes the token of a preview that begins at `now`, in milliseconds since the epoch. */
export function signPreviewToken(
  keys: TokenKeys,
  { websiteId, session }: PreviewClaim,
  now: number,
): PublicKey {
  const bytes = Buffer.alloc(size);
  bytes.set([tokenVersion, tokenPurpose.preview, keys.sealing.fingerprint]);
  bytes.writeUInt32BE(websiteId, offsetOf.website);
  bytes.writeUIntBE(now + previewTokenMs, offsetOf.end, offsetOf.session - offsetOf.end);
  bytes.set(hashOf(session), offsetOf.session);
  bytes.set(macOf(keys.sealing.previewHash, bytes), offsetOf.mac);
  return `${prefix}${bytes.toString("base64url")}` as PublicKey;
}

/** Whether a text has the form of such a token, which no public key that the service makes has. Cheap. */
export function isLikePreviewToken(text: string): boolean {
  return text.length === textLength && text.startsWith(beginning);
}

/**
 * Judges a token at `now` (milliseconds since the epoch).
 * @param claim.session left out: it was proved when the page of the preview was opened, whose calls have no cookie.
 */
export function previewVerdict(
  keys: TokenKeys,
  text: string,
  { websiteId, session }: Omit<PreviewClaim, "session"> & Partial<PreviewClaim>,
  now: number,
): PreviewVerdict {
  const bytes = text.startsWith(prefix) ? bytesOfText(text.slice(prefix.length), range) : null;
  if (bytes === null || !isAuthentic(keys, bytes)) return "forged";
  if (bytes.readUInt32BE(offsetOf.website) !== websiteId) return "other_website";
  const ownSession = bytes.subarray(offsetOf.session, offsetOf.mac);
  if (session !== undefined && !timingSafeEqual(hashOf(session), ownSession)) return "other_session";
  return now < bytes.readUIntBE(offsetOf.end, offsetOf.session - offsetOf.end) ? "valid" : "expired";
}

const beginning = `${prefix}${Buffer.from([tokenVersion, tokenPurpose.preview]).toString("base64url").slice(0, 2)}`;

const isAuthentic = (keys: TokenKeys, bytes: Buffer): boolean =>
  bytes[0] === tokenVersion &&
  bytes[1] === tokenPurpose.preview &&
  keys
    .opening(bytes[2] ?? 0)
    .some(({ previewHash }) => timingSafeEqual(macOf(previewHash, bytes), bytes.subarray(offsetOf.mac)));

const macOf = (previewHash: (bytes: Uint8Array) => Buffer, bytes: Buffer): Buffer =>
  previewHash(bytes.subarray(0, offsetOf.mac)).subarray(0, partBytes);

const hashOf = (session: string): Buffer => hash("sha256", session, "buffer").subarray(0, partBytes);

import type { Surface } from "@offers/contract/words";
import { mostSuppressedNames, type Suppression } from "./suppression.ts";
import { millisecondsIntoDay, startOfDay } from "./utc-day.ts";

/** What is sealed into a requestId at its decision. */
export type SealedFacts = {
  websiteId: number;
  /** As located at the decision: two capital letters, `ZZ` when unknown. */
  country: string;
  /** Bare subdivision code, `""` when unknown. */
  region: string;
  allowed: boolean;
  surface: Surface;
  test: boolean;
  /** The visitor's hash of the day, 22 characters; null when none may be made. */
  visitor: string | null;
  /** Of a decline: what this visitor is not shown. Absent: nothing is suppressed. */
  suppression?: Suppression;
  /** Milliseconds since the epoch. */
  issuedAt: number;
};

const flag = { allowed: 1, section: 2, test: 4, visitor: 8, decline: 64, suppression: 128 } as const;
/** Two bits between `visitor` and `decline`. */
const regionLength = { shift: 4, mask: 3 } as const;
const visitorBytes = 16;
const longestRegion = 3;
const hashBytes = 4;
/** In the byte before a suppression's hashes: beside their number, that all vulnerable verticals are meant. */
const vulnerableBit = 128;

/**
 * Where the parts stand: one byte of flags, milliseconds into the day, website id, country; then region, visitor,
 * and a suppression as one byte and its hashes.
 */
const offsetOf = { flags: 0, milliseconds: 1, websiteId: 5, country: 9, region: 11 } as const;

/** How many bytes `packFacts` yields, at the least and at the most. */
export const packedFacts = {
  least: offsetOf.region,
  most: offsetOf.region + longestRegion + visitorBytes + 1 + mostSuppressedNames * hashBytes,
} as const;

/**
 * Writes the facts as bytes, but for the day of `issuedAt`.
 * @throws RangeError when a fact has no room: a mistake of the caller. Website ids reach to 2^32 - 1, country and
 * region are as located, the visitor's hash is one that `visitorHash` made, the years are 1970 to 2149, and a
 * suppression has no more names than the contract allows.
 */
export function packFacts(facts: SealedFacts): Buffer {
  const { country, region, visitor, issuedAt, websiteId, suppression } = facts;
  if (!/^[A-Z]{2}$/.test(country)) throw new RangeError(`no country code: ${country}`);
  if (!/^[A-Z0-9]{0,3}$/.test(region)) throw new RangeError(`no region code: ${region}`);
  if (!Number.isInteger(issuedAt)) throw new RangeError(`no time of issue: ${issuedAt}`);
  if (!Number.isInteger(websiteId)) throw new RangeError(`no website id: ${websiteId}`);
  const visitorAt = offsetOf.region + region.length;
  const suppressionAt = visitorAt + (visitor === null ? 0 : visitorBytes);
  const bytes = Buffer.alloc(suppressionAt + suppressionBytes(suppression));
  bytes[offsetOf.flags] =
    (facts.allowed ? flag.allowed : 0) |
    (facts.surface === "section" ? flag.section : 0) |
    (facts.surface === "decline" ? flag.decline : 0) |
    (facts.test ? flag.test : 0) |
    (visitor === null ? 0 : flag.visitor) |
    (suppression === undefined ? 0 : flag.suppression) |
    (region.length << regionLength.shift);
  bytes.writeUInt32BE(millisecondsIntoDay(issuedAt), offsetOf.milliseconds);
  bytes.writeUInt32BE(websiteId, offsetOf.websiteId);
  bytes.write(country + region, offsetOf.country, "latin1");
  if (visitor !== null) writeVisitor(bytes.subarray(0, suppressionAt), visitor, visitorAt);
  if (suppression !== undefined) writeSuppression(bytes, suppression, suppressionAt);
  return bytes;
}

/** Reads what `packFacts` wrote; null when the bytes are nothing that it writes. `day`: a UTC day number. */
export function unpackFacts(bytes: Buffer, day: number): SealedFacts | null {
  const flags = bytes[offsetOf.flags] ?? 0;
  const visitorAt = offsetOf.region + ((flags >> regionLength.shift) & regionLength.mask);
  const hasVisitor = (flags & flag.visitor) !== 0;
  const suppressionAt = visitorAt + (hasVisitor ? visitorBytes : 0);
  const suppression = (flags & flag.suppression) === 0 ? undefined : readSuppression(bytes, suppressionAt);
  const surface = surfaceOf(flags);
  if (suppression === null || surface === null) return null;
  if (bytes.length !== suppressionAt + suppressionBytes(suppression)) return null;
  return {
    websiteId: bytes.readUInt32BE(offsetOf.websiteId),
    country: bytes.toString("latin1", offsetOf.country, offsetOf.region),
    region: bytes.toString("latin1", offsetOf.region, visitorAt),
    allowed: (flags & flag.allowed) !== 0,
    surface,
    test: (flags & flag.test) !== 0,
    visitor: hasVisitor ? bytes.toString("base64url", visitorAt, suppressionAt) : null,
    ...(suppression && { suppression }),
    issuedAt: startOfDay(day) + bytes.readUInt32BE(offsetOf.milliseconds),
  };
}

function surfaceOf(flags: number): Surface | null {
  const isSection = (flags & flag.section) !== 0;
  const isDecline = (flags & flag.decline) !== 0;
  if (isSection && isDecline) return null;
  if (isDecline) return "decline";
  return isSection ? "section" : "overlay";
}

function suppressionBytes(suppression: Suppression | undefined): number {
  return suppression === undefined ? 0 : 1 + suppression.names.length * hashBytes;
}

function writeSuppression(bytes: Buffer, { vulnerable, names }: Suppression, at: number): void {
  if (names.length > mostSuppressedNames) throw new RangeError(`too many suppressed: ${names.length}`);
  bytes[at] = names.length | (vulnerable ? vulnerableBit : 0);
  for (const [index, name] of names.entries()) bytes.writeUInt32BE(name, at + 1 + index * hashBytes);
}

/** Null when the bytes hold fewer hashes than they say, or more than there may be. */
function readSuppression(bytes: Buffer, at: number): Suppression | null {
  const head = bytes[at] ?? 0;
  const count = head & (vulnerableBit - 1);
  if (count > mostSuppressedNames || bytes.length < at + 1 + count * hashBytes) return null;
  const names = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(at + 1 + index * hashBytes));
  return { vulnerable: (head & vulnerableBit) !== 0, names };
}

function writeVisitor(bytes: Buffer, visitor: string, at: number): void {
  bytes.write(visitor, at, "base64url");
  if (bytes.toString("base64url", at) !== visitor) throw new RangeError("no visitor hash");
}

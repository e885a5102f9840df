import { millisecondsIntoDay, startOfDay } from "./utc-day.ts";

/** What is sealed into a requestId at its decision. */
export type SealedFacts = {
  websiteId: number;
  /** As located at the decision: two capital letters, `ZZ` when unknown. */
  country: string;
  /** Bare subdivision code, `""` when unknown. */
  region: string;
  allowed: boolean;
  surface: "overlay" | "section";
  test: boolean;
  /** The visitor's hash of the day, 22 characters; null when none may be made. */
  visitor: string | null;
  /** Milliseconds since the epoch. */
  issuedAt: number;
};

const flag = { allowed: 1, section: 2, test: 4, visitor: 8 } as const;
const regionLengthShift = 4;
const largestFlags = 0x3f;
const visitorBytes = 16;
const longestRegion = 3;

/** Where the parts stand: one byte of flags, milliseconds into the day, website id, country; then region, visitor. */
const offsetOf = { flags: 0, milliseconds: 1, websiteId: 5, country: 9, region: 11 } as const;

/** How many bytes `packFacts` yields, at the least and at the most. */
export const packedFacts = {
  least: offsetOf.region,
  most: offsetOf.region + longestRegion + visitorBytes,
} as const;

/**
 * Writes the facts as bytes, but for the day of `issuedAt`.
 * @throws RangeError when a fact has no room: a mistake of the caller. Website ids reach to 2^32 - 1, country and
 * region are as located, the visitor's hash is one that `visitorHash` made, the years are 1970 to 2149.
 */
export function packFacts(facts: SealedFacts): Buffer {
  const { country, region, visitor, issuedAt, websiteId } = facts;
  if (!/^[A-Z]{2}$/.test(country)) throw new RangeError(`no country code: ${country}`);
  if (!/^[A-Z0-9]{0,3}$/.test(region)) throw new RangeError(`no region code: ${region}`);
  if (!Number.isInteger(issuedAt)) throw new RangeError(`no time of issue: ${issuedAt}`);
  if (!Number.isInteger(websiteId)) throw new RangeError(`no website id: ${websiteId}`);
  const visitorAt = offsetOf.region + region.length;
  const bytes = Buffer.alloc(visitorAt + (visitor === null ? 0 : visitorBytes));
  bytes[offsetOf.flags] =
    (facts.allowed ? flag.allowed : 0) |
    (facts.surface === "section" ? flag.section : 0) |
    (facts.test ? flag.test : 0) |
    (visitor === null ? 0 : flag.visitor) |
    (region.length << regionLengthShift);
  bytes.writeUInt32BE(millisecondsIntoDay(issuedAt), offsetOf.milliseconds);
  bytes.writeUInt32BE(websiteId, offsetOf.websiteId);
  bytes.write(country + region, offsetOf.country, "latin1");
  if (visitor !== null) writeVisitor(bytes, visitor, visitorAt);
  return bytes;
}

/** Reads what `packFacts` wrote; null when the bytes are nothing that it writes. `day`: a UTC day number. */
export function unpackFacts(bytes: Buffer, day: number): SealedFacts | null {
  const flags = bytes[offsetOf.flags] ?? 0;
  const regionLength = flags >> regionLengthShift;
  const visitorAt = offsetOf.region + regionLength;
  const hasVisitor = (flags & flag.visitor) !== 0;
  if (flags > largestFlags || bytes.length !== visitorAt + (hasVisitor ? visitorBytes : 0)) return null;
  return {
    websiteId: bytes.readUInt32BE(offsetOf.websiteId),
    country: bytes.toString("latin1", offsetOf.country, offsetOf.region),
    region: bytes.toString("latin1", offsetOf.region, visitorAt),
    allowed: (flags & flag.allowed) !== 0,
    surface: (flags & flag.section) !== 0 ? "section" : "overlay",
    test: (flags & flag.test) !== 0,
    visitor: hasVisitor ? bytes.toString("base64url", visitorAt) : null,
    issuedAt: startOfDay(day) + bytes.readUInt32BE(offsetOf.milliseconds),
  };
}

function writeVisitor(bytes: Buffer, visitor: string, at: number): void {
  bytes.write(visitor, at, "base64url");
  if (bytes.toString("base64url", at) !== visitor) throw new RangeError("no visitor hash");
}

import { mostSuppressed } from "@offers/contract/decline";
import type { KnownNetwork, Surface } from "@offers/contract/words";
import type { DecidedBy } from "./geo-source.ts";
import type { Suppression } from "./suppression.ts";

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
  /** Absent: a requestId of before this was kept. */
  decidedBy?: DecidedBy;
  /** What the visitor's address was known to belong to. Absent: anybody's. Stands beside `decidedBy` alone. */
  network?: KnownNetwork;
  /** The time of the request's key, milliseconds since 1970; so it is not sealed a second time. */
  issuedAt: number;
};

/**
 * The layout of the sealed facts, as their first byte tells it. Each layout adds something to the one before: `decidedBy` what the
 * visit was decided by, `network` the known network that a few visitors come from. A requestId lives for a day, so whoever
 * seals something more adds a layout, and goes on reading the others.
 */
const factsVersion = { plain: 1, decidedBy: 2, network: 3 } as const;

const flag = { allowed: 1, section: 2, test: 4, visitor: 8, decline: 64, suppression: 128 } as const;
/** Two bits between `visitor` and `decline`. */
const regionLength = { shift: 4, mask: 3 } as const;
const visitorBytes = 16;
/** The one spelling of 16 bytes: the last of the 22 characters carries two bits. */
const visitorShape = /^[A-Za-z0-9_-]{21}[AQgw]$/;
const longestRegion = 3;
const hashBytes = 4;
/** The catalogue's version in four bytes, the number of the location's source in three. */
const decidedByBytes = 7;
/** The number of the known network, from 1 on. */
const networkBytes = 1;
/** Their places are sealed: a new one is only ever appended, wherever it stands in the contract's list. */
const sealedNetworks = ["datacenter", "search_engine"] as const;
/** The byte before a suppression's hashes is their number, and this bit where all vulnerable verticals are meant. */
const vulnerableBit = 128;

/**
 * Where the parts stand: version, one byte of flags, website id, country; then region, visitor, and a suppression
 * as one byte and its hashes, what the visit was decided by, and its network. What is absent takes no room.
 */
const offsetOf = { version: 0, flags: 1, websiteId: 2, country: 6, region: 8 } as const;

/** How many bytes `packFacts` yields, at the least and at the most. */
export const packedFacts = {
  least: offsetOf.region,
  most:
    offsetOf.region +
    longestRegion +
    visitorBytes +
    1 +
    mostSuppressed * hashBytes +
    decidedByBytes +
    networkBytes,
} as const;

/**
 * Writes the facts as bytes, but for `issuedAt`, into a buffer that has room for `spareBytes` more behind them.
 * @throws RangeError when a fact has no room: a mistake of the caller. Website ids reach to 2^32 - 1, country and
 * region are as located, the visitor's hash is one that `visitorHash` made, and a suppression has no more names
 * than the contract allows.
 */
export function packFacts(facts: SealedFacts, spareBytes = 0): Buffer {
  const { country, region, visitor, websiteId, suppression, decidedBy, network } = facts;
  if (!/^[A-Z]{2}$/.test(country)) throw new RangeError(`no country code: ${country}`);
  if (!/^[A-Z0-9]{0,3}$/.test(region)) throw new RangeError(`no region code: ${region}`);
  if (!Number.isInteger(websiteId)) throw new RangeError(`no website id: ${websiteId}`);
  if (visitor !== null && !visitorShape.test(visitor)) throw new RangeError("no visitor hash");
  const visitorAt = offsetOf.region + region.length;
  const suppressionAt = visitorAt + (visitor === null ? 0 : visitorBytes);
  const decidedByAt = suppressionAt + suppressionBytes(suppression);
  if (network !== undefined && decidedBy === undefined) throw new RangeError("a network beside nothing");
  const networkAt = decidedByAt + (decidedBy === undefined ? 0 : decidedByBytes);
  const size = networkAt + (network === undefined ? 0 : networkBytes);
  const bytes = Buffer.allocUnsafe(size + spareBytes);
  bytes[offsetOf.version] = versionOf(facts);
  bytes[offsetOf.flags] =
    (facts.allowed ? flag.allowed : 0) |
    (facts.surface === "section" ? flag.section : 0) |
    (facts.surface === "decline" ? flag.decline : 0) |
    (facts.test ? flag.test : 0) |
    (visitor === null ? 0 : flag.visitor) |
    (suppression === undefined ? 0 : flag.suppression) |
    (region.length << regionLength.shift);
  bytes.writeUInt32BE(websiteId, offsetOf.websiteId);
  bytes.write(country + region, offsetOf.country, "latin1");
  if (visitor !== null) bytes.write(visitor, visitorAt, "base64url");
  if (suppression !== undefined) writeSuppression(bytes, suppression, suppressionAt);
  if (decidedBy !== undefined) {
    bytes.writeUInt32BE(decidedBy.catalogue, decidedByAt);
    bytes.writeUIntBE(decidedBy.geoSource, decidedByAt + 4, 3);
  }
  if (network !== undefined) bytes[networkAt] = 1 + sealedNetworks.indexOf(network);
  return bytes;
}

/** Reads what `packFacts` wrote of a request that was made at `issuedAt`; null when it writes no such bytes. */
export function unpackFacts(bytes: Buffer, issuedAt: number): SealedFacts | null {
  const version = bytes[offsetOf.version] ?? 0;
  if (version < factsVersion.plain || version > factsVersion.network) return null;
  const flags = bytes[offsetOf.flags] ?? 0;
  const visitorAt = offsetOf.region + ((flags >> regionLength.shift) & regionLength.mask);
  const hasVisitor = (flags & flag.visitor) !== 0;
  const suppressionAt = visitorAt + (hasVisitor ? visitorBytes : 0);
  const suppression = (flags & flag.suppression) === 0 ? undefined : readSuppression(bytes, suppressionAt);
  const surface = surfaceOf(flags);
  if (suppression === null || surface === null) return null;
  const decidedByAt = suppressionAt + suppressionBytes(suppression);
  const hasDecidedBy = version !== factsVersion.plain;
  const networkAt = decidedByAt + (hasDecidedBy ? decidedByBytes : 0);
  const hasNetwork = version === factsVersion.network;
  const network = hasNetwork ? sealedNetworks[(bytes[networkAt] ?? 0) - 1] : undefined;
  if (bytes.length !== networkAt + (hasNetwork ? networkBytes : 0)) return null;
  if (hasNetwork && network === undefined) return null;
  return {
    websiteId: bytes.readUInt32BE(offsetOf.websiteId),
    country: bytes.toString("latin1", offsetOf.country, offsetOf.region),
    region: bytes.toString("latin1", offsetOf.region, visitorAt),
    allowed: (flags & flag.allowed) !== 0,
    surface,
    test: (flags & flag.test) !== 0,
    visitor: hasVisitor ? bytes.toString("base64url", visitorAt, suppressionAt) : null,
    ...(suppression && { suppression }),
    ...(hasDecidedBy && {
      decidedBy: {
        catalogue: bytes.readUInt32BE(decidedByAt),
        geoSource: bytes.readUIntBE(decidedByAt + 4, 3),
      },
    }),
    ...(network && { network }),
    issuedAt,
  };
}

function versionOf({ decidedBy, network }: SealedFacts): number {
  if (network !== undefined) return factsVersion.network;
  return decidedBy === undefined ? factsVersion.plain : factsVersion.decidedBy;
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
  if (names.length > mostSuppressed) throw new RangeError(`too many suppressed: ${names.length}`);
  bytes[at] = names.length | (vulnerable ? vulnerableBit : 0);
  for (const [index, name] of names.entries()) bytes.writeUInt32BE(name, at + 1 + index * hashBytes);
}

/** Null when the bytes hold fewer hashes than they say, or more than there may be. */
function readSuppression(bytes: Buffer, at: number): Suppression | null {
  const head = bytes[at] ?? 0;
  const count = head & (vulnerableBit - 1);
  if (count > mostSuppressed || bytes.length < at + 1 + count * hashBytes) return null;
  const names = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(at + 1 + index * hashBytes));
  return { vulnerable: (head & vulnerableBit) !== 0, names };
}

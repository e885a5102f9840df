import { Reader, type Response } from "mmdb-lib";
import type { RegionReader } from "./current-region.ts";
import { placeInRecord } from "./mmdb-place.ts";
import type { NamedPlace, SourceRange, SourceRanges } from "./range-maker.ts";

const ipv4Bits = 32;
/** No data tells places apart below the first 64 bits of an IPv6 address. */
const ipv6Bits = 64;
const ipv4End = 2 ** ipv4Bits;
/** 2000::/3: what IANA has given out to be routed. Below it the format keeps copies of the IPv4 addresses. */
const ipv6Routed = { first: 0x2000_0000_0000_0000n, end: 0x4000_0000_0000_0000n };
/** 2001::/32 (Teredo) and 2002::/16 (6to4), where databases keep further copies of all IPv4 addresses. */
const ipv6Copies = [
  { first: 0x2001_0000_0000_0000n, end: 0x2001_0001_0000_0000n },
  { first: 0x2002_0000_0000_0000n, end: 0x2003_0000_0000_0000n },
];

/**
 * Every network is behind a record of some node, so a tree has no more networks than nodes and one; a maker may hang what is the
 * same below several nodes. In a damaged one a record leads back up, and its networks have no end.
 */
const networksPerNode = 4;

/**
 * The ranges of a location database in MaxMind's format, https://maxmind.github.io/MaxMind-DB/. The library reads the
 * format and its records; the ranges are found by asking it for the first address of each network in turn.
 * @param named what the source is called where it is shown; left out, as the database calls itself.
 * @throws Error when the bytes are no such database, or one without a single country.
 */
export function mmdbRanges(
  file: Buffer,
  { version, regionOf, name }: { version: string; regionOf: RegionReader; name?: string },
): SourceRanges {
  const { reader, date } = read(() => openDatabase(file));
  const { metadata } = reader;
  const networkOf = networkReader(reader);
  const places = new Map<unknown, NamedPlace>();
  const placeOf = (record: unknown): NamedPlace => {
    const place = places.get(record) ?? placeInRecord(record, regionOf);
    places.set(record, place);
    return place;
  };
  return {
    name: name ?? (metadata.databaseType || "mmdb"),
    date,
    version,
    v4: networks4(networkOf, placeOf),
    v6: metadata.ipVersion === 6 ? networks6(networkOf, placeOf) : [],
  };
}

function openDatabase(file: Buffer): { reader: Reader<Response>; date: string } {
  const records = new Map<string | number, unknown>();
  // With a memory the library hands out the same object for the same record, however many networks share it.
  const reader = new Reader<Response>(file, {
    cache: { get: (at) => records.get(at), set: (at, record) => records.set(at, record) },
  });
  const { buildEpoch, searchTreeSize, nodeByteSize } = reader.metadata;
  if (searchTreeSize > file.length) throw new Error(`its tree alone has ${searchTreeSize} bytes`);
  // No record of a whole tree leads to its root, so no two of them beside each other are zeros: what a power cut leaves is.
  if (file.subarray(0, searchTreeSize).includes(Buffer.alloc(nodeByteSize)))
    throw new Error("its tree has a hole");
  return { reader, date: buildEpoch.toISOString().slice(0, 10) };
}

/** Whatever the library stumbles over, it does so in bytes that a whole database would not have. */
function read<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`it is no location database in MaxMind's format, or not a whole one (${reason})`);
  }
}

/** The record of the network that an address lies in, and the bits that it has in common with all of it. */
type NetworkReader = (address: string) => [record: Response | null, length: number];

function networkReader(reader: Reader<Response>): NetworkReader {
  let left = networksPerNode * (reader.metadata.nodeCount + 1);
  return (address) =>
    read(() => {
      if (left === 0) throw new Error("its networks have no end");
      left -= 1;
      return reader.getWithPrefixLength(address);
    });
}

function* networks4(
  networkOf: NetworkReader,
  placeOf: (record: unknown) => NamedPlace,
): Generator<SourceRange<number>> {
  for (let at = 0; at < ipv4End; ) {
    const address = `${at >>> 24}.${(at >>> 16) & 255}.${(at >>> 8) & 255}.${at & 255}`;
    const [record, length] = networkOf(address);
    const next = at + 2 ** (ipv4Bits - length);
    if (record !== null) yield { first: at, last: next - 1, place: placeOf(record) };
    at = next;
  }
}

function* networks6(
  networkOf: NetworkReader,
  placeOf: (record: unknown) => NamedPlace,
): Generator<SourceRange<bigint>> {
  for (let at = ipv6Routed.first; at < ipv6Routed.end; ) {
    const copies = ipv6Copies.find(({ first, end }) => first <= at && at < end);
    if (copies !== undefined) {
      at = copies.end;
      continue;
    }
    const [record, length] = networkOf(ipv6Text(at));
    const size = 1n << BigInt(Math.max(0, ipv6Bits - length));
    // Behind the copies the first address may lie within a network.
    const next = at - (at % size) + size;
    if (record !== null) yield { first: at, last: next - 1n, place: placeOf(record) };
    at = next;
  }
}

function ipv6Text(bits: bigint): string {
  const hex = bits.toString(16).padStart(16, "0");
  return `${hex.slice(0, 4)}:${hex.slice(4, 8)}:${hex.slice(8, 12)}:${hex.slice(12)}::`;
}

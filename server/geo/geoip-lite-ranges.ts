import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NamedPlace, SourceRange, SourceRanges } from "./range-maker.ts";

/** Bytes of a record: first and last address, number of the place, and what is of no use here. */
const recordBytes = { v4: 24, v6: 48 } as const;
const placeBytes = 88;
/** The number of no place. */
const unplaced = 0xffffffff;

/**
 * The location data that comes with geoip-lite, read from its files: asking the library itself for each range would
 * need an address within each. The layout is that of the installed version; a test compares it with the library's answers.
 */
export function geoipLiteRanges(): SourceRanges {
  const folder = fileURLToPath(new URL("..", import.meta.resolve("geoip-lite")));
  const read = (file: string): Buffer => readFileSync(join(folder, "data", file));
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const placeOf = placesIn(read("geoip-city-names.dat"));
  return {
    name: "geoip-lite",
    version,
    v4: rangesIn(read("geoip-city.dat"), recordBytes.v4, 4, (data, at) => data.readUInt32BE(at), placeOf),
    // Only the first 64 of the 128 bits: the library does not look at the others either.
    v6: rangesIn(
      read("geoip-city6.dat"),
      recordBytes.v6,
      16,
      (data, at) => data.readBigUInt64BE(at),
      placeOf,
    ),
  };
}

function* rangesIn<Bits extends number | bigint>(
  data: Buffer,
  size: number,
  addressBytes: number,
  bitsAt: (data: Buffer, at: number) => Bits,
  placeOf: (number: number) => NamedPlace,
): Generator<SourceRange<Bits>> {
  for (let at = 0; at < data.length; at += size) {
    const number = data.readUInt32BE(at + 2 * addressBytes);
    if (number === unplaced) continue;
    yield { first: bitsAt(data, at), last: bitsAt(data, at + addressBytes), place: placeOf(number) };
  }
}

function placesIn(names: Buffer): (number: number) => NamedPlace {
  const known = new Map<number, NamedPlace>();
  const textAt = (at: number, length: number): string =>
    names.toString("latin1", at, at + length).replace(/\0.*$/s, "");
  return (number) => {
    const place = known.get(number);
    if (place !== undefined) return place;
    const at = number * placeBytes;
    const named = { country: textAt(at, 2), region: textAt(at + 2, 3) };
    known.set(number, named);
    return named;
  };
}

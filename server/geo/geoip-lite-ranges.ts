import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RegionReader } from "./current-region.ts";
import type { NamedPlace, SourceRange, SourceRanges } from "./range-maker.ts";

/** Bytes of a record: first and last address, number of the place, and what is of no use here. */
const recordBytes = { v4: 24, v6: 48 } as const;
const placeBytes = 88;
/** The number of no place. */
const unplaced = 0xffffffff;

/**
 * The package tells no date. Its data names Kazakhstan's capital Nur-Sultan, so it is of March 2019 at the earliest,
 * and MaxMind's licence has let nobody pass on what is of 2020 or later.
 */
const date = "2019-12-31";

/**
 * The location data that comes with geoip-lite, read from its files: asking the library itself for each range would
 * need an address within each. The layout is that of the installed version; a test compares it with the library's answers.
 */
export function geoipLiteRanges(regionOf: RegionReader): SourceRanges {
  const folder = fileURLToPath(new URL("..", import.meta.resolve("geoip-lite")));
  const read = (file: string): Buffer => readFileSync(join(folder, "data", file));
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const placeOf = placesIn(read("geoip-city-names.dat"), regionOf);
  return {
    name: "geoip-lite",
    date,
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

function placesIn(names: Buffer, regionOf: RegionReader): (number: number) => NamedPlace {
  const known = new Map<number, NamedPlace>();
  const textAt = (at: number, length: number): string =>
    names.toString("utf8", at, at + length).replace(/\0.*$/s, "");
  return (number) => {
    const place = known.get(number);
    if (place !== undefined) return place;
    const at = number * placeBytes;
    const named = placeOfGeoipLite(
      { country: textAt(at, 2), region: textAt(at + 2, 3), city: textAt(at + 42, placeBytes - 42) },
      regionOf,
    );
    known.set(number, named);
    return named;
  };
}

/** A place as the data names it, with the region's code of today. */
export function placeOfGeoipLite(
  { country, region, city }: { country: string; region: string; city: string },
  regionOf: RegionReader,
): NamedPlace {
  // Iran gave its numbers anew on 2020-11-24: what was Tehran's then is Fars' now.
  const code = country === "IR" ? (iranSince2020[region] ?? "") : region;
  return { country, region: regionOf(country, code, city) };
}

/** By the number of before. */
const iranSince2020: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "01:03 02:04 03:24 04:10 05:16 06:18 07:23 08:14 10:06 11:19 12:20 13:11 14:07 15:08 16:12 17:05 18:17 19:01 " +
    "20:15 21:02 22:00 23:22 24:13 25:21 26:25 27:27 28:26 29:29 30:09 31:28 32:30"
  )
    .split(" ")
    .map((pair) => pair.split(":")),
);

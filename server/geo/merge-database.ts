import { readFileSync } from "node:fs";
import { replaceFile } from "../replace-file.ts";
import { createRegionReader } from "./current-region.ts";
import { databaseVersion } from "./geo-files.ts";
import { mmdbRanges } from "./mmdb-ranges.ts";
import { geoOf, type OpenGeo, openGeo } from "./open-geo.ts";
import { makeRanges, type SourceRange, type SourceRanges } from "./range-maker.ts";
import { encodeRanges, type MadeSource, placesIn, type Ranges, saidOf } from "./ranges.ts";

/**
 * Lays an operator's database on top of the data that the service comes with, and writes both as one file. Takes some
 * ten seconds and some hundred megabytes, so a running service leaves it to another process.
 * @throws Error when the database cannot be read, knows no country or contradicts what is known, and CannotWrite when the target
 * cannot be written; nothing is changed then.
 */
export async function mergeDatabase(
  database: string,
  target: string,
  bundled: OpenGeo = openGeo(),
): Promise<OpenGeo> {
  const version = await databaseVersion(database);
  const own = mmdbRanges(readFileSync(database), { version, regionOf: createRegionReader() });
  const ranges = makeRanges([
    own,
    ...bundled.ranges.sources.map((source, index) => sourceIn(bundled.ranges, source, index)),
  ]);
  if (!knowsSomething(ranges)) throw new Error("it names no country of any address");
  const geo = geoOf(ranges);
  writeRanges(target, ranges);
  return geo;
}

/** Whether the first source says anything at all. */
function knowsSomething({ sources, said }: Ranges): boolean {
  return said.some((name, at) => name !== 0 && at % sources.length === 0);
}

/**
 * Writes the file whole: whoever reads it meanwhile reads the one before.
 * @throws CannotWrite when it cannot be written.
 */
export function writeRanges(file: string, ranges: Ranges): number {
  const bytes = encodeRanges(ranges);
  replaceFile(file, bytes, { makesDirectory: true });
  return bytes.length;
}

/** One source out of ranges that are made already, to be merged with another one. */
function sourceIn(ranges: Ranges, { name, date, version }: MadeSource, source: number): SourceRanges {
  const places = Array.from({ length: placesIn(ranges) }, (_, place) => {
    const [country = "", region = ""] = (saidOf(ranges, place)[source] ?? "").split("-");
    return { country, region };
  });
  return { name, date, version, v4: ranges4(ranges.v4, places), v6: ranges6(ranges.v6, places) };
}

type Places = readonly { country: string; region: string }[];

function* ranges4({ starts, places }: Ranges["v4"], named: Places): Generator<SourceRange<number>> {
  for (let at = 0; at < starts.length; at += 1) {
    const place = named[places[at] ?? 0];
    const last = (starts[at + 1] ?? 2 ** 32) - 1;
    if (place !== undefined && place.country !== "") yield { first: starts[at] ?? 0, last, place };
  }
}

function* ranges6({ high, low, places }: Ranges["v6"], named: Places): Generator<SourceRange<bigint>> {
  const startAt = (at: number): bigint =>
    at === high.length ? 1n << 64n : (BigInt(high[at] ?? 0) << 32n) | BigInt(low[at] ?? 0);
  for (let at = 0; at < high.length; at += 1) {
    const place = named[places[at] ?? 0];
    if (place !== undefined && place.country !== "")
      yield { first: startAt(at), last: startAt(at + 1) - 1n, place };
  }
}

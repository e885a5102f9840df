import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { geoipLiteRanges } from "./geoip-lite-ranges.ts";
import { rangesFile } from "./open-geo.ts";
import { makeRanges, type SourceRanges } from "./range-maker.ts";
import { decodeRanges, encodeRanges } from "./ranges.ts";

/** Makes the one file that the running service locates addresses by. Part of the build; takes some seconds. */
const sources: readonly SourceRanges[] = [geoipLiteRanges()];

if (!isMadeOf(sources)) {
  const ranges = makeRanges(sources);
  const bytes = encodeRanges(ranges);
  mkdirSync(dirname(rangesFile), { recursive: true });
  // Under another name until it is whole: a service that starts meanwhile must not read half of it.
  writeFileSync(`${rangesFile}.partial`, bytes);
  renameSync(`${rangesFile}.partial`, rangesFile);
  process.stdout.write(
    `location data: ${ranges.v4.starts.length} ranges of IPv4, ${ranges.v6.high.length} of IPv6, ` +
      `${ranges.places.length - 1} places, ${(bytes.length / 1e6).toFixed(1)} MB\n`,
  );
}

/** Whether the file is there already, in this version's format and made of these versions of the sources. */
function isMadeOf(wanted: readonly SourceRanges[]): boolean {
  if (!existsSync(rangesFile)) return false;
  try {
    const made = decodeRanges(readFileSync(rangesFile)).sources;
    return isDeepStrictEqual(
      made,
      wanted.map(({ name, version }) => ({ name, version })),
    );
  } catch {
    return false;
  }
}

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { bundledSources, bundledVersions } from "./bundled-sources.ts";
import { writeRanges } from "./merge-database.ts";
import { geoOf, rangesFile } from "./open-geo.ts";
import { makeRanges } from "./range-maker.ts";
import { decodeRanges, placesIn } from "./ranges.ts";

/** Makes the one file that the running service locates addresses by. Part of the build; takes some ten seconds. */
if (!isMadeOf(bundledVersions())) {
  const ranges = makeRanges(bundledSources());
  geoOf(ranges);
  const bytes = writeRanges(rangesFile, ranges);
  process.stdout.write(
    `location data: ${ranges.v4.starts.length} ranges of IPv4, ${ranges.v6.high.length} of IPv6, ` +
      `${placesIn(ranges) - 1} places, ${(bytes / 1e6).toFixed(1)} MB\n`,
  );
}

/** Whether the file is there already, in this version's format and made of these versions of the sources. */
function isMadeOf(wanted: ReturnType<typeof bundledVersions>): boolean {
  try {
    const made = decodeRanges(readFileSync(rangesFile)).sources;
    return isDeepStrictEqual(
      made.map(({ name, version }) => ({ name, version })),
      wanted,
    );
  } catch {
    return false;
  }
}

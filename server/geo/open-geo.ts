import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addressBits } from "./address-bits.ts";
import type { Geo, Located } from "./geo.ts";
import { locatedPlace, nowhere } from "./located-place.ts";
import { decodeRanges, placeOfV4, placeOfV6, type Ranges } from "./ranges.ts";

/** Where the build puts the location data. */
export const rangesFile = fileURLToPath(new URL("./dist/ranges.bin", import.meta.url));

/** Addresses that have been where they are for as long as there is such data; a file that does not know them is none. */
const probes: readonly (readonly [address: string, country: string])[] = [
  ["8.8.8.8", "US"],
  ["81.2.69.160", "GB"],
  ["2001:4860:4860::8888", "US"],
  ["2001:67c:2e8:22::c100:68b", "CZ"],
];

/**
 * Loads the location data, some 10 MB, and answers from memory.
 * @throws Error when the file is missing, damaged or does not know the probes, with what to do about it.
 */
export function openGeo(file = rangesFile): Geo {
  const ranges = readRanges(file);
  const located: Located[] = ranges.places.map((place) => Object.freeze(locatedPlace(place)));
  const geo: Geo = {
    locate: (text) => {
      const address = addressBits(text);
      if (address === null) return nowhere;
      const place =
        address.version === 4
          ? placeOfV4(ranges.v4, address.bits)
          : placeOfV6(ranges.v6, address.high, address.low);
      return located[place] ?? nowhere;
    },
  };
  for (const [address, country] of probes) {
    const found = geo.locate(address).country;
    if (found !== country) throw unusable(file, `it places ${address} in ${found}, which is in ${country}`);
  }
  return geo;
}

function readRanges(file: string): Ranges {
  try {
    return decodeRanges(readFileSync(file));
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error));
  }
}

function unusable(file: string, reason: string): Error {
  return new Error(`the location data in ${file} cannot be used: ${reason}. \`npm run build\` makes it anew`);
}

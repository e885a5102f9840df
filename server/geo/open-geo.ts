import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addressBits } from "./address-bits.ts";
import type { Found, Geo } from "./geo.ts";
import { locatedPlace, nowhere } from "./located-place.ts";
import {
  answerOf,
  decodeRanges,
  isSameCountry,
  nameSaid,
  placeOfV4,
  placeOfV6,
  placesIn,
  type Ranges,
  saidOf,
} from "./ranges.ts";

/** Where the build puts the location data. */
export const rangesFile = fileURLToPath(new URL("./dist/ranges.bin", import.meta.url));

/** Location data in memory, with what only an operator asks. */
export type OpenGeo = Geo & {
  ranges: Ranges;
  /** What each source says of an address, in the order of the sources: `""`, `DE` or `US-NJ`. */
  said(address: string): string[];
  /** Every country and region (`DE`, `US-NJ`) that some address is in. Goes through all places. */
  everywhere(): ReadonlySet<string>;
};

/**
 * Addresses that have been where they are for as long as there is such data; a file that does not know them is none. Of IPv6
 * they are a provider's own lines: of a resolver that stands in many places at once makers of data name any of these, though of
 * the first here all name its owner's country.
 */
const probes: readonly (readonly [address: string, country: string])[] = [
  ["8.8.8.8", "US"],
  ["81.2.69.160", "GB"],
  ["2601:600::1", "US"],
  ["2003:d0::1", "DE"],
];

/** A file of location data cannot be used; the message says why, and what makes it anew. */
export class UnusableLocationData extends Error {
  override readonly name = "UnusableLocationData";
}

/**
 * Loads location data, some 20 MB, and answers from memory.
 * @param mend what makes the file anew.
 * @throws UnusableLocationData when the file is missing, damaged or does not know the probes.
 */
export function openGeo(file = rangesFile, mend = "`npm run build` makes it anew"): OpenGeo {
  try {
    return geoOf(decodeRanges(readFileSync(file)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableLocationData(`the location data in ${file} cannot be used: ${reason}. ${mend}`);
  }
}

/**
 * Answers by ranges.
 * @throws Error when they place an address elsewhere that is known to be somewhere.
 */
export function geoOf(ranges: Ranges): OpenGeo {
  const { sources } = ranges;
  const [first] = sources;
  if (first === undefined) throw new Error("it is made of no data set");
  const unplaced: Found = { located: nowhere, dataSet: first, isDisputed: false };
  const answers = answersOf(ranges, unplaced);
  const placeAt = (text: string): number => {
    const address = addressBits(text);
    if (address === null) return 0;
    return address.version === 4
      ? placeOfV4(ranges.v4, address.bits)
      : placeOfV6(ranges.v6, address.high, address.low);
  };
  const find = (text: string): Found => answers[placeAt(text)] ?? unplaced;
  const geo: OpenGeo = {
    ranges,
    locate: (text) => find(text).located,
    find,
    sources: () => sources,
    said: (text) => saidOf(ranges, placeAt(text)),
    everywhere: () =>
      new Set(
        [...new Set(answers)]
          .filter((found) => found !== unplaced)
          .flatMap(({ located: { country, region } }) =>
            region === "" ? [country] : [country, `${country}-${region}`],
          ),
      ),
  };
  for (const [address, country] of probes) {
    const found = geo.locate(address).country;
    if (found !== country) throw new Error(`it places ${address} in ${found}, which is in ${country}`);
  }
  return geo;
}

/** The answer of every place, `unplaced` where no source has one. Places of one answer share it. */
function answersOf(ranges: Ranges, unplaced: Found): Found[] {
  const count = placesIn(ranges);
  const knownOf = ranges.sources.map(() => new Map<string, Found>());
  const disputedOf = ranges.sources.map(() => new Map<string, Found>());
  const answers = Array<Found>(count).fill(unplaced);
  const said = ranges.sources.map(() => "");
  for (let place = 0; place < count; place += 1) {
    // One row for all: tens of thousands of them would stay in memory until somebody needs it.
    for (let index = 0; index < said.length; index += 1) said[index] = nameSaid(ranges, place, index);
    const { name, source } = answerOf(ranges.sources, said);
    const isDisputed = said.some((other) => other !== "" && !isSameCountry(other, name));
    const [dataSet, known] = [ranges.sources[source], (isDisputed ? disputedOf : knownOf)[source]];
    if (dataSet === undefined || known === undefined) continue;
    let found = known.get(name);
    if (found === undefined) {
      const [country = "", region = ""] = name.split("-");
      found = { located: Object.freeze(locatedPlace({ country, region })), dataSet, isDisputed };
      known.set(name, found);
    }
    answers[place] = found;
  }
  return answers;
}

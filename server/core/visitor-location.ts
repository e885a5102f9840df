import type { Location } from "@offers/contract/location";
import { unknownCountry } from "@offers/contract/words";

/** A country, a region or both, as a request names them. */
export type NamedLocation = { country?: string | undefined; region?: string | undefined };

/**
 * Settles where a visitor is: simulated on a development website, else where the address is, else, when that is
 * unknown, where the page says. What a page says never overrides a located address.
 * @param args.simulated null on a live website. `ZZ` simulates an unknown location.
 */
export function visitorLocation(args: {
  located: Location;
  hinted: NamedLocation;
  simulated: NamedLocation | null;
}): Location {
  const { located, hinted, simulated } = args;
  if (simulated?.country !== undefined) return place(simulated.country, simulated.region);
  const actual =
    located.country === unknownCountry && hinted.country !== undefined
      ? place(hinted.country, hinted.region)
      : place(located.country, located.region);
  return simulated?.region === undefined ? actual : place(actual.country, simulated.region);
}

/** A region without a country is nowhere. */
function place(country: string, region = ""): Location {
  return { country, region: country === unknownCountry ? "" : region };
}

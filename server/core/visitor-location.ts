import type { Location } from "@offers/contract/location";
import { type GeoBasis, unknownCountry } from "@offers/contract/words";

/** A country, a region or both, as a request names them. */
export type NamedLocation = { country?: string | undefined; region?: string | undefined };

/** Where a visitor is, and how that is known. */
export type FoundLocation = { location: Location; basis: GeoBasis };

/**
 * Settles where a visitor is: simulated on a development website, else where the address is, else, when that is
 * unknown, where the page says. What a page says never overrides a located address.
 * @param args.simulated null on a live website. `ZZ` simulates an unknown location.
 */
export function visitorLocation(args: {
  located: Location;
  hinted: NamedLocation;
  simulated: NamedLocation | null;
}): FoundLocation {
  const { located, hinted, simulated } = args;
  if (simulated?.country !== undefined) {
    return { location: place(simulated.country, simulated.region), basis: "simulated" };
  }
  const isLocated = located.country !== unknownCountry;
  const isHinted = !isLocated && hinted.country !== undefined;
  const { country = located.country, region } = isHinted ? hinted : located;
  if (simulated?.region !== undefined) {
    return { location: place(country, simulated.region), basis: "simulated" };
  }
  return { location: place(country, region), basis: isHinted ? "hint" : isLocated ? "address" : "none" };
}

/** A region without a country is nowhere. */
function place(country: string, region = ""): Location {
  return { country, region: country === unknownCountry ? "" : region };
}

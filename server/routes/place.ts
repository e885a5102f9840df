import { simulatedLocation } from "@offers/contract/decision";
import { type Location, regionWithin } from "@offers/contract/location";
import { unknownCountry } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { type DecidedBy, type GeoDataSet, geoSourceNumber } from "../core/geo-source.ts";
import { placeProblem } from "../core/place-problem.ts";
import { type FoundLocation, type NamedLocation, visitorLocation } from "../core/visitor-location.ts";
import type { Call } from "../http/call.ts";
import type { ClientAddress } from "../http/client-address.ts";
import { previewedWebsite } from "../http/preview-call.ts";
import { parameterProblem } from "../http/problem.ts";
import { fromQuery, parseQuery } from "../http/read.ts";
import { admitSite, type SiteClaim } from "../http/site-origin.ts";

type Places = { hinted: NamedLocation; simulated: NamedLocation | null };

const simulation = fromQuery(simulatedLocation);

/**
 * Lets in the call that a visit begins with: its site, and where its page says that the visitor is. What a development
 * website pretends is looked at there alone.
 */
export function admitArrival(
  query: SiteClaim & NamedLocation,
  call: Call,
  context: Context,
): { website: Website; places: Places } {
  const website = admitSite(context, call, query);
  return { website, places: placesOf(query, call, context, website.development) };
}

/** The same where a preview of the dashboard may begin a visit as well, which may pretend to be anywhere. */
export function admitVisit(
  query: SiteClaim & NamedLocation,
  call: Call,
  context: Context,
): { website: Website; places: Places; isPreview: boolean } {
  const website = previewedWebsite(context, call, query);
  if (website === null) return { ...admitArrival(query, call, context), isPreview: false };
  return { website, places: placesOf(query, call, context, true), isPreview: true };
}

const placesOf = (query: NamedLocation, call: Call, context: Context, mayPretend: boolean): Places => {
  const pretended = mayPretend ? simulation.read(parseQuery(call)) : null;
  return {
    hinted: checkedPlace(context, "", query),
    simulated:
      pretended &&
      checkedPlace(context, "dev-", { country: pretended["dev-country"], region: pretended["dev-region"] }),
  };
};

/** Where the visitor of such a call is, and by what their visit is decided. */
export function locateVisitor(context: Context, address: string, places: Places): Located {
  const { located, dataSet } = context.geo.find(address);
  const { location, basis } = visitorLocation({ located, ...places });
  const { country, region } = location;
  // A region alone is simulated in the country where the visitor is.
  const isSimulated = basis === "simulated" && region !== "";
  if (isSimulated) checkPlace(context, "dev-", location);
  return {
    location: isSimulated ? { country, region: bareRegion(location) } : location,
    decidedBy: decidedBy(context, dataSet, basis),
  };
}

type Located = { location: Location; decidedBy: DecidedBy };

const decidedBy = ({ store }: Context, dataSet: GeoDataSet, basis: FoundLocation["basis"]): DecidedBy => ({
  catalogue: store.catalogue().version,
  geoSource: geoSourceNumber(basis, basis === "address" ? dataSet : null),
});

/**
 * Where the visitor is whom a server speaks of: at the address that it names, else, and then the answer's header says
 * so, at its own.
 * @param named what `addressOf` has read; null: it names none.
 */
export function locateNamedVisitor(
  context: Context,
  call: Call,
  named: ClientAddress | null,
): Located & { basis: readonly string[] } {
  const { address } = named ?? context.clientOf(call);
  const { located, dataSet } = context.geo.find(address);
  const { country, region } = located;
  return {
    location: { country, region },
    decidedBy: decidedBy(context, dataSet, country === unknownCountry ? "none" : "address"),
    basis: named === null ? ["X-Geo-Basis", "caller-ip"] : [],
  };
}

/** Refuses a place that ISO 3166 does not know; `ZZ` says that the country is unknown. */
export function checkPlace(context: Context, prefix: "" | "dev-", place: NamedLocation): void {
  const problem = placeProblem(place, context);
  if (problem === null) return;
  const { field, message } = problem;
  throw parameterProblem("invalid_parameter", { parameter: `${prefix}${field}`, message });
}

/**
 * The place that a request names, its region without the country. Refuses one that ISO 3166 does not know; a region alone is
 * looked at where its country is known (`locateVisitor`).
 */
export function checkedPlace(
  context: Context,
  prefix: "" | "dev-",
  { country, region }: NamedLocation,
): NamedLocation {
  if (country === unknownCountry) return { country };
  if (country === undefined) return { country, region };
  checkPlace(context, prefix, { country, region });
  return { country, region: region && bareRegion({ country, region }) };
}

/** A region without its country, which it is known to be of. */
const bareRegion = ({ country, region }: Location): string => regionWithin(country, region) ?? region;

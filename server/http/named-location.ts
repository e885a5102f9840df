import { simulatedLocation } from "@offers/contract/decision";
import type { Request } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { checkPlace } from "./country.ts";
import { readQuery } from "./read.ts";

type Hints = { country?: string | undefined; region?: string | undefined };

/** Where the page says that the visitor is, and where a development website pretends; elsewhere that is not looked at. */
export function namedLocations(context: Context, req: Request, hints: Hints, website: Website) {
  const simulated = website.development ? readQuery(simulatedLocation, req) : null;
  const places = {
    hinted: { country: hints.country, region: hints.region },
    simulated: simulated && { country: simulated["dev-country"], region: simulated["dev-region"] },
  };
  checkPlace(context, "", places.hinted);
  if (places.simulated) checkPlace(context, "dev-", places.simulated);
  return places;
}

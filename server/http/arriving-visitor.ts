import type { RateLimitName } from "@offers/contract/endpoints";
import type { Request, Response } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import type { VisitorHashes } from "../core/journal-entry.ts";
import { type NamedLocation, visitorLocation } from "../core/visitor-location.ts";
import { clientAddress } from "./client-address.ts";
import { namedLocations } from "./named-location.ts";
import { takeTurn } from "./rate-limit.ts";
import { admitSite, type SiteClaim } from "./site-origin.ts";
import { visitorHashes } from "./visitor.ts";

/** Whose page a visit begins on, and who visits from where. */
export type Arrival = { website: Website; country: string; region: string; visitor: VisitorHashes | null };

/** Lets in the call that a visit begins with: its site admitted, its place checked, counted, located and named. */
export async function admitArrival(
  context: Context,
  req: Request,
  res: Response,
  { limit, query }: { limit: RateLimitName; query: SiteClaim & NamedLocation },
): Promise<Arrival> {
  const website = admitSite(context, req, query);
  const named = namedLocations(context, req, query, website);
  const client = clientAddress(req, context.trustProxyHops);
  await takeTurn(context, res, limit, { websiteId: website.id, client });
  const { country, region } = visitorLocation({ located: context.geo.locate(client.address), ...named });
  const visitor = visitorHashes(context, req, { websiteId: website.id, client });
  return { website, country, region, visitor };
}

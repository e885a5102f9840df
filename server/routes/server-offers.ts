import type { Location } from "@offers/contract/location";
import {
  type ServerOffersAnswer,
  type ServerOffersQuery,
  serverOffersQuery,
} from "@offers/contract/server-offers";
import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { publisherOffers } from "../core/publisher-offers.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { callerOf, requireApiKey } from "../http/api-key.ts";
import { checkCountry } from "../http/country.ts";
import { locateNamedVisitor } from "../http/named-visitor.ts";
import { ownWebsites } from "../http/own-website.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** GET /v1/offers with an API key: what could be shown to a visitor of this place, page by page. */
export function serverOffersRoute(context: Context): RouteHandlers {
  return [allowMethods("GET"), requireApiKey(context, "offers:read"), listOffers(context)];
}

const listOffers =
  (context: Context): RequestHandler =>
  (req, res) => {
    const query = readQuery(serverOffersQuery, req);
    checkCountry(context, "country", query.country);
    const websites = ownWebsites(context, callerOf(res), { parameter: "website", key: query.website });
    const location = locationOf(context, req, res, query);
    const { catalogue, hasBudget } = context.store;
    const found = publisherOffers({ catalogue: catalogue(), websites, location, hasBudget }, query);
    const { page, pageSize } = query;
    const items = found.slice((page - 1) * pageSize, page * pageSize).map(itemOf);
    res.setHeader("Cache-Control", "private, no-store");
    replyJson(res, { items, page, pageSize, total: found.length } satisfies ServerOffersAnswer);
  };

/** A country that the query names is a filter; else it is the visitor's, at the named address or the caller's own. */
const locationOf = (context: Context, req: Request, res: Response, query: ServerOffersQuery): Location => {
  if (query.country === undefined) return locateNamedVisitor(context, req, res, query);
  if (query.ip === undefined) return { country: query.country, region: "" };
  const located = locateNamedVisitor(context, req, res, query);
  return located.country === query.country ? located : { country: query.country, region: "" };
};

const itemOf = ({ id, vertical, brand, geoCoverage, payoutModel, title }: Offer) => ({
  id,
  vertical,
  brand,
  geoCoverage,
  payoutModel,
  title,
});

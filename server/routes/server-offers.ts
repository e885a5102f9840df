import {
  type CatalogueItem,
  type ServerOffersAnswer,
  type ServerOffersQuery,
  serverOffersQuery,
} from "@offers/contract/server-offers";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { textsFor, type WantedLocale, wantedLocale } from "../core/offer-words.ts";
import { publisherOffers } from "../core/publisher-offers.ts";
import type { Answer, Call } from "../http/call.ts";
import { type KeyCall, keyRoute } from "../http/key-route.ts";
import { fromQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { ownWebsites } from "./own-website.ts";
import { checkCountry, locateNamedVisitor } from "./place.ts";
import { standingOf } from "./standing.ts";

/** GET /v1/offers with an API key: what could be shown to a visitor of this place, page by page. */
export function serverOffersRoute(context: Context): Route {
  return keyRoute(context, "/v1/offers", { asks: fromQuery(serverOffersQuery), reply: listOffers });
}

function listOffers({ asked, caller, call }: KeyCall<ServerOffersQuery>, context: Context): Answer {
  checkCountry(context, "country", asked.country);
  const websites = ownWebsites(context, caller, { parameter: "website", key: asked.website });
  const { location, basis } = placeOf(context, call, asked);
  const found = publisherOffers({ ...standingOf(context), websites, location }, asked);
  const { page, pageSize } = asked;
  const wanted = wantedLocale(asked.lang, call.headers["accept-language"]);
  const items = found.slice((page - 1) * pageSize, page * pageSize).map((offer) => itemOf(offer, wanted));
  const answer: ServerOffersAnswer = { items, page, pageSize, total: found.length };
  return replyJson(answer, ["Cache-Control", "private, no-store", ...basis]);
}

/** A country that the query names is a filter; else it is the visitor's, at the named address or the caller's own. */
const placeOf = (
  context: Context,
  call: Call,
  query: ServerOffersQuery,
): Pick<ReturnType<typeof locateNamedVisitor>, "location" | "basis"> => {
  if (query.country === undefined) return locateNamedVisitor(context, call, query);
  const anywhere = { location: { country: query.country, region: "" }, basis: [] };
  if (query.ip === undefined) return anywhere;
  const located = locateNamedVisitor(context, call, query);
  return located.location.country === query.country ? located : anywhere;
};

const itemOf = (offer: Offer, wanted: WantedLocale): CatalogueItem => {
  const { id, vertical, brand, geoCoverage, payoutModel } = offer;
  const { texts, lang } = textsFor(offer, wanted);
  return { id, vertical, brand, geoCoverage, payoutModel, title: texts.title, lang };
};

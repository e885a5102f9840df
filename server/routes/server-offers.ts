import {
  type CatalogueItem,
  type ServerOffersAnswer,
  type ServerOffersQuery,
  serverOffersQuery,
} from "@offers/contract/server-offers";
import type { Context } from "../context.ts";
import type { Offer } from "../core/catalogue.ts";
import { visitRefusals } from "../core/edge-refusals.ts";
import { handedOut, type PlacedOffer } from "../core/handed-out.ts";
import type { Standing } from "../core/offer-choice.ts";
import { inEachLocale, type SaidTexts, type WantedLocale, wantedLocale } from "../core/offer-words.ts";
import { publisherOffers, visitOffers } from "../core/publisher-offers.ts";
import type { RequestFacts } from "../core/request-id.ts";
import type { Answer, Call } from "../http/call.ts";
import { type KeyCall, keyRoute } from "../http/key-route.ts";
import { fromQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { linksOf } from "./handed-out.ts";
import { onceFor } from "./once-for.ts";
import { openFreshRequestOfAny } from "./own-request.ts";
import { ownWebsites } from "./own-website.ts";
import { checkPlace, locateNamedVisitor } from "./place.ts";
import { standingOf } from "./standing.ts";
import { addressOf, laterVisit } from "./visit.ts";

/** GET /v1/offers with an API key: what could be shown to a visitor of this place, page by page. */
export function serverOffersRoute(context: Context): Route {
  const saidBy = onceFor((offer: Offer) => inEachLocale(offer, (said) => said));
  // decisions.md#servers-queries-are-closed
  const asks = fromQuery(serverOffersQuery, { refusesOthers: true, mayBeBlank: ["lang"] });
  return keyRoute(context, "/v1/offers", {
    asks,
    reply: (given) => listOffers(given, context, saidBy),
  });
}

async function listOffers(
  { asked, caller, call }: KeyCall<ServerOffersQuery>,
  context: Context,
  saidBy: (offer: Offer) => (wanted: WantedLocale) => SaidTexts,
): Promise<Answer> {
  checkPlace(context, "", { country: asked.country });
  const websites = ownWebsites(context, caller, { parameter: "website", key: asked.website });
  const { page, pageSize, requestId } = asked;
  const wanted = wantedLocale(asked.lang, call.headers["accept-language"]);
  const wordsOf = (offer: Offer) => saidBy(offer)(wanted);
  const pageOf = (found: readonly Offer[]) => placedIn(found, (page - 1) * pageSize, pageSize);
  const answer = (
    placed: readonly PlacedOffer[],
    total: number,
    linkOf?: (placed: PlacedOffer) => string,
  ): ServerOffersAnswer => ({
    items: placed.map((one) => itemOf(one, wordsOf(one.offer), linkOf)),
    page,
    pageSize,
    total,
  });
  const standing = standingOf(context);
  if (requestId === undefined) {
    const { location, basis } = placeOf(context, call, asked);
    const found = publisherOffers({ ...standing, websites, location }, asked);
    return replyJson(answer(pageOf(found), found.length), ["Cache-Control", "private, no-store", ...basis]);
  }
  const visited = openFreshRequestOfAny(context, requestId, websites);
  const found = visitOffers({ ...standing, ...visited }, asked);
  const placed = pageOf(found);
  await note(context, placed, visited.facts, standing);
  const linkOf = linksOf(context, requestId, placed.length);
  return replyJson(answer(placed, found.length, linkOf), ["Cache-Control", "private, no-store"]);
}

/** Where they stand on the publisher's own page nobody knows, so no place's click rates learn from them. */
const placedIn = (found: readonly Offer[], from: number, most: number): PlacedOffer[] =>
  found
    .slice(from, from + most)
    .map((offer, at) => ({ offer, placement: "section", position: from + at + 1 }));

/** Fixes the prices of what a server may show its visitor, before it has the links. */
const note = async (
  context: Context,
  offers: readonly PlacedOffer[],
  facts: RequestFacts,
  { catalogue, rates }: Standing,
): Promise<void> => {
  if (offers.length === 0) return;
  const { decidedBy } = facts;
  await context.store.journal.append({
    kind: "noted",
    visit: laterVisit(context, facts, undefined),
    offers: offers.map(handedOut),
    rates: rates.version,
    catalogue: catalogue.version,
    ...(decidedBy && { decidedBy }),
    observed: visitRefusals(facts.network ?? null),
  });
};

/** A country that the query names is a filter; else it is the visitor's, at the named address or the caller's own. */
const placeOf = (
  context: Context,
  call: Call,
  query: ServerOffersQuery,
): Pick<ReturnType<typeof locateNamedVisitor>, "location" | "basis"> => {
  const client = addressOf(query);
  if (query.country === undefined) return locateNamedVisitor(context, call, client);
  const anywhere = { location: { country: query.country, region: "" }, basis: [] };
  if (client === null) return anywhere;
  const located = locateNamedVisitor(context, call, client);
  return located.location.country === query.country ? located : anywhere;
};

const itemOf = (
  placed: PlacedOffer,
  { texts, lang, langOf }: SaidTexts,
  linkOf: ((placed: PlacedOffer) => string) | undefined,
): CatalogueItem => {
  const { id, vertical, brand, geoCoverage, payoutModel, imageUrl } = placed.offer;
  const others = Object.keys(langOf).length > 0 && { langOf };
  const url = linkOf && { url: linkOf(placed) };
  return { id, vertical, brand, geoCoverage, payoutModel, ...texts, imageUrl, lang, ...others, ...url };
};

import { clickToken } from "@offers/contract/ids";
import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import type { Offer, Website } from "../core/catalogue.ts";
import { type ClickRefs, openClickToken } from "../core/click-token.ts";
import { edgeRefusals } from "../core/edge-refusals.ts";
import { createHopDestinations, type HopDestination } from "../core/hop-destination.ts";
import type { Mark } from "../core/journal-entry.ts";
import { canonicalOrigin } from "../core/origin.ts";
import type { RequestFacts } from "../core/request-id.ts";
import { isSuppressed } from "../core/suppression.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { clientAddress } from "../http/client-address.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { Problem } from "../http/problem.ts";
import { rateLimitKey } from "../http/rate-limit.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { smallPage } from "../http/small-page.ts";
import { refuseSpeculation } from "../http/speculation.ts";
import { laterVisit, visitorHashes } from "../http/visitor.ts";
import { writeProblemPages } from "../http/write-problems.ts";

/** GET /v1/r: the click itself, on its way from the publisher's page to the advertiser's. */
export function hopRoute(context: Context): RouteHandlers {
  return [
    setHopHeaders,
    allowMethods("GET", "HEAD"),
    refuseSpeculation,
    refuseWhenFull(context),
    takeClick(context),
    writeProblemPages(context),
  ];
}

const setHopHeaders: RequestHandler = (_req, res, next) => {
  // The advertiser may know the publisher's site, not the page.
  res.setHeader("Referrer-Policy", "origin");
  res.setHeader("X-Robots-Tag", "noindex");
  next();
};

const takeClick = (context: Context): RequestHandler => {
  const destinationOf = createHopDestinations(context);
  return async (req, res) => {
    const click = openClick(context, req);
    const destination = destinationOf({
      ...click,
      suppression: click.facts.suppression,
      values: macrosOf(click),
    });
    if (req.method === "GET") await recordHop(context, req, click, destination);
    leave(res, destination);
  };
};

type Click = { refs: ClickRefs; facts: RequestFacts; offer: Offer; website: Website };

/** Whatever else stands in the query is not looked at: where the click goes is looked up, never told. */
const openClick = (context: Context, req: Request): Click => {
  const token = clickToken.safeParse(req.query.t);
  const opened = token.success ? openClickToken(context.tokenKeys, token.data) : null;
  if (opened === null) throw new Problem("invalid_token", "t must be a click token that this service made.");
  const { facts, ...refs } = opened;
  const catalogue = context.store.catalogue();
  const offer = catalogue.offer(refs.offerId);
  const website = catalogue.websiteById(facts.websiteId);
  if (!offer || !website) throw new Problem("offer_gone", "The offer no longer exists.");
  return { refs, facts, offer, website };
};

const macrosOf = ({ refs, facts, offer, website }: Click) => ({
  click_id: refs.clickId,
  request_id: refs.requestId,
  offer_id: offer.id,
  website: website.key,
  country: facts.country,
  region: facts.region,
  vertical: offer.vertical,
  placement: refs.placement,
});

const recordHop = async (
  context: Context,
  req: Request,
  { refs, facts, offer, website }: Click,
  destination: HopDestination,
): Promise<void> => {
  const client = clientAddress(req, context.trustProxyHops);
  // Silent: above the limit the visitor still arrives, and the advertiser does not pay.
  const turn = await context.rateLimits.take("hop", rateLimitKey({ websiteId: website.id, client }));
  const visitors = visitorHashes(context, req, { websiteId: website.id, client });
  // With Global Privacy Control nothing about the visitor may be stored, and each click would be a first one.
  const isRepeated = visitors === null && context.unnamedClicks(`${client.prefix} ${offer.id}`).calls > 1;
  const observed = edgeRefusals({
    ageMs: context.clock() - facts.issuedAt,
    isAboveRate: !turn.admitted,
    offer,
    isPermitted:
      context.store.catalogue().permits(website, offer) && !isSuppressed(facts.suppression, offer.vertical),
    isPaused: destination.kind !== "landing",
    isRepeated,
    location: facts.test ? null : context.geo.locate(client.address),
  });
  await context.store.journal.append({
    kind: "click_hop",
    visit: laterVisit(context, facts),
    visitors,
    offer: offer.number,
    vertical: offer.vertical,
    placement: refs.placement,
    position: refs.position,
    observed,
    clickId: refs.clickId,
    mark: markReferrer(context, req, website),
  });
};

/** Worth knowing, never decisive: pages and browsers may withhold or shorten the Referer. */
const markReferrer = (context: Context, req: Request, website: Website): Mark | null => {
  const referrer = req.headers.referer;
  if (referrer === undefined) return null;
  const origin = canonicalOrigin(URL.parse(referrer)?.origin ?? "");
  const isRegistered = origin !== null && context.store.catalogue().hasOrigin(website, origin);
  return isRegistered ? null : "unregistered_referrer";
};

const leave = (res: Response, destination: HopDestination): void => {
  switch (destination.kind) {
    case "landing":
    case "fallback":
      res.writeHead(302, { Location: destination.url, "Content-Length": "0" }).end();
      return;
    case "page":
      smallPage(res, {
        title: "This offer is taking a break",
        text: "The advertiser has paused it for now. Go back to the page that you came from to see what else is there.",
      });
      return;
    default:
      destination satisfies never;
  }
};

import type { EventMark } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Offer, Website } from "../core/catalogue.ts";
import { type ClickRefs, openClickToken } from "../core/click-token.ts";
import { edgeRefusals } from "../core/edge-refusals.ts";
import { createHopDestinations, type HopDestination } from "../core/hop-destination.ts";
import type { RefusedClick } from "../core/journal-entry.ts";
import { isNavigation, isSpeculative } from "../core/navigation.ts";
import type { RequestFacts } from "../core/request-id.ts";
import type { Answer, Call } from "../http/call.ts";
import { baselineWith } from "../http/head.ts";
import { type OpenCall, openRoute } from "../http/open-route.ts";
import { preferredType } from "../http/preferred-type.ts";
import { Problem } from "../http/problem.ts";
import { type Turn, visitorKey } from "../http/rate-limits.ts";
import { parseQuery } from "../http/read.ts";
import type { Route } from "../http/route.ts";
import { pageType, problemPage, smallPage } from "../http/small-page.ts";
import { agentOf, callerOf, laterVisit, payerOf, visitorOf } from "./visit.ts";

/** GET /v1/r: the click itself, on its way from the publisher's page to the advertiser's. */
export function hopRoute(context: Context): Route {
  const destinationOf = createHopDestinations(context);
  return openRoute(context, "/v1/r", {
    // The advertiser may know the publisher's site, not the page.
    head: baselineWith(["Referrer-Policy", "origin"], ["X-Robots-Tag", "noindex"]),
    refuse: refuseSpeculation,
    problemPage: (problem, { headers }) =>
      preferredType(headers.accept, ["application/json", pageType]) === pageType
        ? problemPage(problem)
        : null,
    reply: (given) => takeClick(given, context, destinationOf),
  });
}

/**
 * Refuses a request that a browser makes ahead of the visitor: nobody clicked. With 503 and no-store the browser keeps nothing and
 * asks again when the visitor really comes; there is no Retry-After, for a program is not to (decisions.md#speculation).
 */
const refuseSpeculation = ({ headers }: Call): void => {
  if (!isSpeculative(headers)) return;
  throw new Problem("speculative_request", "Follow the link itself; it is not answered ahead of a click.");
};

function takeClick(
  given: OpenCall,
  context: Context,
  destinationOf: ReturnType<typeof createHopDestinations>,
): Answer | Promise<Answer> {
  const click = openClick(context, given.call);
  const destination = destinationOf({
    ...click,
    suppression: click.facts.suppression,
    values: macrosOf(click),
  });
  if (given.call.method === "HEAD") return leaveTo(destination);
  // Silent: above the limit the visitor still arrives, and the advertiser does not pay (decisions.md#hop-has-no-429).
  const turn = context.rateLimits.take("hop", visitorKey(click.website.id, given.client));
  const leave = ({ admitted }: Turn) =>
    admitted
      ? leaveRecorded(context, given, click, destination)
      : leaveRefused(context, given, click, destination);
  return turn instanceof Promise ? turn.then(leave) : leave(turn);
}

const leaveRefused = (
  context: Context,
  { call }: OpenCall,
  click: Click,
  destination: HopDestination,
): Answer => {
  const { device } = agentOf(context, call.headers["user-agent"]);
  context.store.noteRefusedClick(refusedClick(click, device), context.clock());
  return leaveTo(destination);
};

const leaveRecorded = (
  context: Context,
  given: OpenCall,
  click: Click,
  destination: HopDestination,
): Promise<Answer> =>
  recordHop(context, given, click, destination).then(
    () => leaveTo(destination),
    () => {
      // Nobody is stranded by our disk (decisions.md#hop-outlasts-a-lock).
      context.unstoredClicks.count();
      return leaveTo(destination);
    },
  );

type Click = { refs: ClickRefs; facts: RequestFacts; offer: Offer; website: Website };

/** Whatever else stands in the query is not looked at: where the click goes is looked up, never told. */
const openClick = (context: Context, call: Call): Click => {
  const { t } = parseQuery(call);
  const opened = typeof t === "string" ? openClickToken(context.tokenKeys, t) : null;
  if (opened === null) throw new Problem("invalid_token", "t must be a click token that this service made.");
  const { facts } = opened;
  const catalogue = context.store.catalogue();
  const offer = catalogue.offer(opened.offerId);
  const website = catalogue.websiteById(facts.websiteId);
  if (!offer || !website) throw new Problem("offer_gone", "The offer no longer exists.");
  return { refs: opened, facts, offer, website };
};

/** Where a click counts that is not looked at any further: what it was handed at is in the store alone. */
const refusedClick = ({ refs, facts, offer }: Click, device: number): RefusedClick => {
  const { websiteId, country, region, surface, test } = facts;
  const cell = { websiteId, country, region, vertical: offer.vertical, surface, test, currency: "", device };
  return { cell, offer: offer.number, placement: refs.placement };
};

const macrosOf = ({ refs, facts, offer, website }: Click) => ({
  click_id: refs.clickId,
  request_id: refs.requestId,
  offer_id: offer.id,
  publisher: website.publisherId,
  website: website.key,
  country: facts.country,
  region: facts.region,
  vertical: offer.vertical,
  surface: facts.surface,
  placement: refs.placement,
});

const recordHop = (
  context: Context,
  { call, client }: OpenCall,
  { refs, facts, offer, website }: Click,
  destination: HopDestination,
): Promise<unknown> => {
  const observed = edgeRefusals({
    caller: {
      ...callerOf(context, call, { client, test: facts.test }),
      isNavigation: isNavigation(call.headers),
    },
    decidedAt: facts.network ?? null,
    ageMs: context.clock() - facts.issuedAt,
    offer,
    isPermitted: context.store.catalogue().permits(website, offer),
    suppression: facts.suppression,
    isPaused: destination.kind !== "landing",
    location: facts.test ? null : context.geo.locate(client.address),
  });
  const payer = payerOf(context, call, { websiteId: website.id, client, offer: offer.number });
  return context.store.journal.append({
    kind: "click_hop",
    visit: laterVisit(context, facts, call.headers["user-agent"]),
    payer,
    // As viewerOf has it.
    viewer: { visitor: visitorOf(call, facts), network: payer.networks.today },
    offer: offer.number,
    vertical: offer.vertical,
    placement: refs.placement,
    position: refs.position,
    observed,
    clickId: refs.clickId,
    mark: markReferrer(context, call, website),
  });
};

/** Worth knowing, never decisive: pages and browsers may withhold or shorten the Referer. */
const markReferrer = (context: Context, call: Call, website: Website): EventMark | null => {
  const referrer = call.headers.referer;
  if (referrer === undefined || isPageAt(website, referrer)) return null;
  const origin = URL.parse(referrer)?.origin ?? "";
  return context.store.catalogue().hasOrigin(website, origin) ? null : "unregistered_referrer";
};

/** Told without reading the address, where it is spelled as browsers do. */
const isPageAt = ({ origins }: Website, address: string): boolean =>
  origins.some(
    (origin) => address.startsWith(origin) && address[origin.length] === "/" && !origin.includes("*"),
  );

const leaveTo = (destination: HopDestination): Answer => {
  switch (destination.kind) {
    case "landing":
    case "fallback":
      return { status: 302, headers: ["Location", destination.url, "Content-Length", "0"], body: null };
    case "page":
      return smallPage({
        title: "This offer is taking a break",
        text: "The advertiser has paused it for now. Go back to the page that you came from to see what else is there.",
      });
    default:
      return destination satisfies never;
  }
};

import {
  type ClickBody,
  clickBody,
  type DismissBody,
  type DrawnBody,
  dismissBody,
  drawnBody,
  type ImpressionBody,
  impressionBody,
  type SnippetPingBody,
  snippetPingBody,
} from "@offers/contract/events";
import { requestLifetimes } from "@offers/contract/words";
import type { Context } from "../context.ts";
import { edgeRefusals } from "../core/edge-refusals.ts";
import { keptHints } from "../core/kept-hints.ts";
import { billedEvent } from "../core/price.ts";
import type { RequestFacts } from "../core/request-id.ts";
import { notedPage } from "../core/snippet-ping.ts";
import type { Answer } from "../http/call.ts";
import { type PageCall, pageRoute } from "../http/page-route.ts";
import { previewedWebsite } from "../http/preview-call.ts";
import { fromBodyOrQuery } from "../http/read.ts";
import { replyRecorded } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { admitSite, pageOrigin } from "../http/site-origin.ts";
import { openEventRequest } from "./own-request.ts";
import { callerOf, laterVisit, viewerOf, visitorOf } from "./visit.ts";

/** POST /v1/events/impression: an offer was seen. */
export function impressionRoute(context: Context): Route {
  return pageRoute(context, "/v1/events/impression", {
    asks: fromBodyOrQuery(impressionBody, keysInQuery),
    admit: openEventRequest,
    reply: recordImpression,
  });
}

/** POST /v1/events/drawn: offers stand in the page. */
export function drawnRoute(context: Context): Route {
  return pageRoute(context, "/v1/events/drawn", {
    asks: fromBodyOrQuery(drawnBody, keysInQuery),
    admit: openEventRequest,
    reply: recordDrawn,
  });
}

/** POST /v1/events/click: a visitor is about to follow an offer's link. */
export function clickRoute(context: Context): Route {
  return pageRoute(context, "/v1/events/click", {
    asks: fromBodyOrQuery(clickBody, keysInQuery),
    admit: openEventRequest,
    reply: recordClick,
  });
}

/** POST /v1/events/dismiss: a visitor does not want the overlay again today. */
export function dismissRoute(context: Context): Route {
  return pageRoute(context, "/v1/events/dismiss", {
    asks: fromBodyOrQuery(dismissBody, keysInQuery),
    admit: openEventRequest,
    reply: recordDismissal,
  });
}

/** POST /v1/events/snippet-ping: the script is on a page. */
export function snippetPingRoute(context: Context): Route {
  return pageRoute(context, "/v1/events/snippet-ping", {
    asks: fromBodyOrQuery(snippetPingBody, { pub: "pub", website: "websiteKey" }),
    admit: ({ websiteKey, pub }, call) => {
      const claim = { website: websiteKey, pub };
      const previewed = previewedWebsite(context, call, claim);
      return { website: previewed ?? admitSite(context, call, claim), isPreview: previewed !== null };
    },
    reply: recordSnippetPing,
  });
}

/** Where a page's two keys may stand instead of in the body. */
const keysInQuery = { pub: "pub", website: "website" } as const;

type EventCall<Body> = PageCall<Body> & { facts: RequestFacts };

async function recordImpression(given: EventCall<ImpressionBody>, context: Context): Promise<Answer> {
  const { clientHints } = given.asked;
  const seen = seenOffer(given, context, false);
  const offer = context.store.catalogue().offer(given.asked.offerId);
  await context.store.journal.append({
    kind: "impression",
    ...seen,
    clientHints: clientHints === undefined ? null : keptHints(clientHints),
    viewer: viewerOf(context, given.call, { facts: given.facts, client: given.client, offer: seen.offer }),
    isBilledByViews: offer !== undefined && billedEvent(offer.payoutModel) === "impression",
  });
  return replyRecorded();
}

/** After the lifetime of its request a mark says nothing that anybody would read. */
async function recordDrawn({ asked, facts, call }: EventCall<DrawnBody>, context: Context): Promise<Answer> {
  const catalogue = context.store.catalogue();
  const offers = asked.offerIds.flatMap((id) => catalogue.offer(id)?.number ?? []);
  const visit = laterVisit(context, facts, call.headers["user-agent"]);
  if (visit.at - facts.issuedAt <= requestLifetimes.eventsSeconds * 1000) {
    await context.store.journal.append({ kind: "drawn", visit, offers });
  }
  return replyRecorded();
}

async function recordClick(given: EventCall<ClickBody>, context: Context): Promise<Answer> {
  const seen = seenOffer(given, context, !given.facts.test);
  await context.store.journal.append({ kind: "click_beacon", ...seen, isReported: false });
  return replyRecorded();
}

async function recordDismissal({ facts, call }: EventCall<DismissBody>, context: Context): Promise<Answer> {
  const visitor = visitorOf(call, facts);
  // Who asks by Global Privacy Control to have no name is not remembered either.
  if (visitor !== null) await context.store.dismiss({ visitor, at: facts.issuedAt });
  return replyRecorded();
}

async function recordSnippetPing(
  { asked, website, isPreview, call }: PageCall<SnippetPingBody> & { isPreview: boolean },
  context: Context,
): Promise<Answer> {
  // A preview is no page that carries the tag: there is nothing to record.
  if (isPreview) return replyRecorded();
  const origin = pageOrigin(call) ?? "";
  await context.store.journal.append({
    kind: "snippet_ping",
    websiteId: website.id,
    ...notedPage(origin, { url: asked.url, scriptVersion: asked.scriptVersion }),
    surface: asked.surface ?? "overlay",
    at: context.clock(),
  });
  return replyRecorded();
}

/** What impression and click share: whose event it is, and what can be seen against it before it is stored. */
const seenOffer = (
  { asked, website, facts, client, call }: EventCall<ImpressionBody | ClickBody>,
  context: Context,
  isRelocated: boolean,
) => {
  const catalogue = context.store.catalogue();
  const offer = catalogue.offer(asked.offerId);
  const observed = edgeRefusals({
    // A beacon is a call of `fetch`, and no navigation.
    caller: { ...callerOf(context, call, { client, test: facts.test }), isNavigation: true },
    decidedAt: facts.network ?? null,
    ageMs: context.clock() - facts.issuedAt,
    offer,
    isPermitted: offer !== undefined && catalogue.permits(website, offer),
    suppression: facts.suppression,
    isPaused: offer?.status === "paused",
    location: isRelocated ? context.geo.locate(client.address) : null,
  });
  return {
    visit: laterVisit(context, facts, call.headers["user-agent"]),
    offer: offer?.number ?? 0,
    vertical: offer?.vertical ?? website.vertical,
    placement: asked.placement ?? null,
    position: asked.position ?? null,
    observed,
  };
};

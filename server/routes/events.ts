import { type ClickBody, clickBody, impressionBody, snippetPingBody } from "@offers/contract/events";
import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import { edgeRefusals } from "../core/edge-refusals.ts";
import { isSuppressed } from "../core/suppression.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { clientAddress } from "../http/client-address.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { openEventRequest } from "../http/own-request.ts";
import { limitRefusals, takeTurn } from "../http/rate-limit.ts";
import { readBody } from "../http/read.ts";
import { replyRecorded } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { admitSite, pageOrigin } from "../http/site-origin.ts";
import { laterVisit } from "../http/visitor.ts";

/** POST /v1/events/impression: an offer was seen. */
export function impressionRoute(context: Context): RouteHandlers {
  return [...eventGuards(context), recordImpression(context), limitRefusals(context, "impression")];
}

/** POST /v1/events/click: a visitor is about to follow an offer's link. */
export function clickRoute(context: Context): RouteHandlers {
  return [...eventGuards(context), recordClick(context), limitRefusals(context, "click")];
}

/** POST /v1/events/snippet-ping: the script is on a page. */
export function snippetPingRoute(context: Context): RouteHandlers {
  return [...eventGuards(context), recordSnippetPing(context), limitRefusals(context, "snippet_ping")];
}

const eventGuards = (context: Context): RouteHandlers => [
  allowMethods("POST"),
  refuseWhenFull(context),
  ...parseJsonBody(),
];

const recordImpression =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const body = readBody(impressionBody, req);
    const seen = await seeOffer(context, req, res, { name: "impression", body });
    const { clientHints = null } = body;
    await context.store.journal.append({ kind: "impression", ...seen, clientHints });
    replyRecorded(res);
  };

const recordClick =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const body = readBody(clickBody, req);
    const seen = await seeOffer(context, req, res, { name: "click", body });
    await context.store.journal.append({ kind: "click_beacon", ...seen });
    replyRecorded(res);
  };

const recordSnippetPing =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const body = readBody(snippetPingBody, req);
    const website = admitSite(context, req, { website: body.websiteKey, pub: body.pub });
    const client = clientAddress(req, context.trustProxyHops);
    await takeTurn(context, res, "snippet_ping", { websiteId: website.id, client });
    const origin = pageOrigin(req) ?? "";
    await context.store.journal.append({
      kind: "snippet_ping",
      websiteId: website.id,
      // The browser's word for where the page is, not the page's own.
      host: origin.slice(origin.indexOf("://") + 3),
      url: body.url ?? origin,
      scriptVersion: body.scriptVersion ?? "",
      surface: body.surface ?? "overlay",
      at: context.clock(),
    });
    replyRecorded(res);
  };

/** What impression and click share: whose event it is, and what can be seen against it before it is stored. */
const seeOffer = async (
  context: Context,
  req: Request,
  res: Response,
  { name, body }: { name: "impression" | "click"; body: ClickBody },
) => {
  const { facts, website } = openEventRequest(context, req, body);
  const client = clientAddress(req, context.trustProxyHops);
  await takeTurn(context, res, name, { websiteId: website.id, client });
  const catalogue = context.store.catalogue();
  const offer = catalogue.offer(body.offerId);
  const isRelocated = name === "click" && !facts.test;
  const observed = edgeRefusals({
    ageMs: context.clock() - facts.issuedAt,
    isAboveRate: false,
    offer,
    isPermitted:
      offer !== undefined &&
      catalogue.permits(website, offer) &&
      !isSuppressed(facts.suppression, offer.vertical),
    isPaused: offer?.status === "paused",
    isRepeated: false,
    location: isRelocated ? context.geo.locate(client.address) : null,
  });
  return {
    visit: laterVisit(context, facts),
    offer: offer?.number ?? 0,
    vertical: offer?.vertical ?? website.vertical,
    placement: body.placement ?? null,
    position: body.position ?? null,
    observed,
  };
};

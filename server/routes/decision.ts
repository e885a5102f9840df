import { type DecisionAnswer, decisionQuery } from "@offers/contract/decision";
import type { RequestId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { decideByLocation, type GeoVerdict } from "../core/geo-decision.ts";
import { sealRequestId } from "../core/request-id.ts";
import { visitorLocation } from "../core/visitor-location.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { clientAddress } from "../http/client-address.ts";
import { namedLocations } from "../http/named-location.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { limitRefusals, takeTurn } from "../http/rate-limit.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { admitSite } from "../http/site-origin.ts";
import { visitorHashes } from "../http/visitor.ts";

/** GET /v1/decision: does this visitor see the page as it is? */
export const decisionRoute = (context: Context): RouteHandlers => [
  allowMethods("GET"),
  refuseWhenFull(context),
  decide(context),
  limitRefusals(context, "decision"),
];

/** Without what only a development website simulates: elsewhere that is not even looked at. */
const liveQuery = decisionQuery.omit({ "dev-country": true, "dev-region": true });
/** Of every requestId: random, never used twice. */
export const requestNonceBytes = 12;
/** How long an answer waits for the disk. The verdict never depends on it: the entry stays queued. */
export const recordWaitMs = 75;

const decide =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(liveQuery, req);
    const website = admitSite(context, req, query);
    const named = namedLocations(context, req, query, website);
    const client = clientAddress(req, context.trustProxyHops);
    await takeTurn(context, res, "decision", { websiteId: website.id, client });

    const { country, region } = visitorLocation({ located: context.geo.locate(client.address), ...named });
    const verdict = decideByLocation(website.geoRule, { country, region });
    const visitor = visitorHashes(context, req, { websiteId: website.id, client });
    const at = context.clock();
    const shared = {
      websiteId: website.id,
      country,
      region,
      surface: query.mode ?? ("overlay" as const),
      test: website.development,
    };
    const { requestId, request } = sealRequestId(
      context.tokenKeys,
      { ...shared, allowed: verdict.allowed, visitor: visitor?.today ?? null, issuedAt: at },
      context.randomBytes(requestNonceBytes),
    );
    if (!verdict.allowed && shared.surface === "overlay") {
      const visit = { ...shared, request, visitor, at };
      await context.store.ledger.keep({ kind: "blocked", visit, vertical: website.vertical }, recordWaitMs);
    }
    replyJson(res, answerOf(website, requestId, { country, region }, verdict));
  };

const answerOf = (
  { settings }: Website,
  requestId: RequestId,
  { country, region }: Location,
  verdict: GeoVerdict,
): DecisionAnswer => ({
  allowed: verdict.allowed,
  requestId,
  country,
  region,
  ...(!verdict.allowed && {
    blocked: {
      reason: verdict.reason,
      title: settings.title,
      message: settings.message,
      supportContact: settings.supportContact,
      dismissible: settings.dismissible,
    },
  }),
  settings: { theme: settings.theme, language: settings.language, trigger: settings.trigger },
});

import { type DecisionAnswer, decisionQuery } from "@offers/contract/decision";
import type { RequestId } from "@offers/contract/ids";
import type { Location } from "@offers/contract/location";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { decideByLocation, type GeoVerdict } from "../core/geo-decision.ts";
import { sealRequestId } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { admitArrival } from "../http/arriving-visitor.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { limitRefusals } from "../http/rate-limit.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** GET /v1/decision: does this visitor see the page as it is? */
export function decisionRoute(context: Context): RouteHandlers {
  return [allowMethods("GET"), refuseWhenFull(context), decide(context), limitRefusals(context, "decision")];
}

/** Without what only a development website simulates: elsewhere that is not even looked at. */
const liveQuery = decisionQuery.omit({ "dev-country": true, "dev-region": true });
/** How long an answer waits for the disk. The verdict never depends on it: the entry stays queued. */
export const recordWaitMs = 75;

const decide =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(liveQuery, req);
    const arrival = await admitArrival(context, req, res, { limit: "decision", query });
    const { website, country, region, visitor } = arrival;
    const verdict = decideByLocation(website.geoRule, { country, region });
    const at = context.clock();
    const shared = {
      websiteId: website.id,
      country,
      region,
      surface: query.mode ?? ("overlay" as const),
      test: website.development,
    };
    const request = requestKeyOf(at, context.randomBytes(requestRandomBytes));
    const requestId = sealRequestId(
      context.tokenKeys,
      { ...shared, allowed: verdict.allowed, visitor: visitor?.today ?? null, issuedAt: at },
      request,
    );
    if (!verdict.allowed && shared.surface === "overlay") {
      const visit = { ...shared, request, at };
      await context.store.journal.keep({ kind: "blocked", visit, vertical: website.vertical }, recordWaitMs);
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

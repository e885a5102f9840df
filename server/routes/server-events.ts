import { type ServerEventBody, serverEventBody } from "@offers/contract/server-events";
import { unknownCountry } from "@offers/contract/words";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import type { Offer, Website } from "../core/catalogue.ts";
import { edgeRefusals } from "../core/edge-refusals.ts";
import { eventTime, visitEventTime } from "../core/event-time.ts";
import { eventFingerprint } from "../core/idempotency.ts";
import type { Visit } from "../core/journal-entry.ts";
import { billablePriceMicros } from "../core/price.ts";
import type { RequestFacts } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { serverEventAnswer } from "../core/server-event-answer.ts";
import { isSuppressed } from "../core/suppression.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { callerOf, requireApiKey } from "../http/api-key.ts";
import { checkCountry } from "../http/country.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { openOwnRequest } from "../http/own-request.ts";
import { ownWebsite } from "../http/own-website.ts";
import { Problem } from "../http/problem.ts";
import { readBody } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** POST /v1/events with an API key: a publisher's server reports what its visitor saw or did. */
export function serverEventsRoute(context: Context): RouteHandlers {
  return [
    allowMethods("POST"),
    refuseWhenFull(context),
    requireApiKey(context, "events:write"),
    ...parseJsonBody(["application/json"]),
    recordEvent(context),
  ];
}

const recordEvent =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const { keyId, publisherId } = callerOf(res);
    const body = readBody(serverEventBody, req);
    checkCountry(context, "country", body.country);
    const key = readIdempotencyKey(req);
    const website = ownWebsite(
      context,
      { keyId, publisherId },
      { parameter: "websiteKey", key: body.websiteKey },
    );
    const offer = requireOffer(context, body.offerId);
    const receivedAt = context.clock();
    const at = requireTime(body.ts, receivedAt);
    const facts = body.requestId === undefined ? null : openOwnRequest(context, body.requestId, website);

    const outcome = await context.store.journal.append({
      kind: "server_event",
      type: body.type,
      visit:
        facts === null ? visitOfItsOwn(context, body, website, at) : reportedVisit(facts, { at, receivedAt }),
      offer: {
        offer: offer.number,
        vertical: offer.vertical,
        payoutModel: offer.payoutModel,
        priceMicros: billablePriceMicros(offer),
        currency: offer.currency,
      },
      observed: edgeRefusals({
        ageMs: facts === null ? 0 : receivedAt - facts.issuedAt,
        isAboveRate: false,
        offer,
        isPermitted:
          context.store.catalogue().permits(website, offer) &&
          !isSuppressed(facts?.suppression, offer.vertical),
        isRepeated: false,
        isPaused: offer.status === "paused",
        location: null,
      }),
      standsAlone: facts === null,
      idempotency:
        key === null ? null : { scope: `${keyId} events`, key, fingerprint: eventFingerprint(body) },
      receivedAt,
    });
    if (outcome.idempotency === "mismatch") {
      throw new Problem(
        "idempotency_mismatch",
        "This Idempotency-Key came with another body within 24 hours.",
      );
    }
    res.statusCode = outcome.idempotency === "repeated" ? 200 : 201;
    replyJson(res, serverEventAnswer(outcome));
  };

const requireOffer = (context: Context, offerId: string): Offer => {
  const offer = context.store.catalogue().offer(offerId);
  if (offer !== undefined) return offer;
  const message = "must be the id of an offer";
  throw new Problem("not_found", `offerId ${message}.`, { errors: [{ parameter: "offerId", message }] });
};

const requireTime = (ts: string | undefined, now: number): number => {
  const at = eventTime(ts, now);
  if (at !== null) return at;
  const message = "must be within the last seven days and at most five minutes ahead";
  throw new Problem("timestamp_out_of_range", `ts ${message}.`, { errors: [{ parameter: "ts", message }] });
};

/** The visit of a decision: where and who it was stands there. */
const reportedVisit = (facts: RequestFacts, times: { at: number; receivedAt: number }): Visit => ({
  request: facts.request,
  websiteId: facts.websiteId,
  country: facts.country,
  region: facts.region,
  surface: facts.surface,
  test: facts.test,
  at: visitEventTime(times.at, { issuedAt: facts.issuedAt, receivedAt: times.receivedAt }),
});

const visitOfItsOwn = (context: Context, body: ServerEventBody, website: Website, at: number): Visit => ({
  request: requestKeyOf(context.clock(), context.randomBytes(requestRandomBytes)),
  websiteId: website.id,
  country: body.country ?? unknownCountry,
  region: "",
  surface: "overlay",
  test: website.development,
  at,
});

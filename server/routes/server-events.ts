import { durationWords } from "@offers/contract/duration-words";
import {
  eventSlips,
  idempotencyKey,
  mustBeInWindow,
  type ServerEventBody,
  serverEventBody,
} from "@offers/contract/server-events";
import { idempotencySeconds, unknownCountry } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Offer, Website } from "../core/catalogue.ts";
import { reportedRefusals } from "../core/edge-refusals.ts";
import { eventTime, visitEventTime } from "../core/event-time.ts";
import { eventFingerprint, eventScope } from "../core/idempotency.ts";
import type { Visit } from "../core/journal-entry.ts";
import { billablePriceMicros } from "../core/price.ts";
import type { RequestFacts } from "../core/request-id.ts";
import { serverEventAnswer } from "../core/server-event-answer.ts";
import type { Answer, Call } from "../http/call.ts";
import { type KeyCall, keyRoute } from "../http/key-route.ts";
import { Problem, parameterProblem } from "../http/problem.ts";
import { fromBody } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { openOwnRequest } from "./own-request.ts";
import { ownWebsite } from "./own-website.ts";
import { checkPlace } from "./place.ts";
import { newRequestKey } from "./visit.ts";

/** POST /v1/events with an API key: a publisher's server reports what its visitor saw or did. */
export function serverEventsRoute(context: Context): Route {
  return keyRoute(context, "/v1/events", { asks: fromBody(serverEventBody, eventSlips), reply: recordEvent });
}

async function recordEvent(
  { asked, caller, call }: KeyCall<ServerEventBody>,
  context: Context,
): Promise<Answer> {
  checkPlace(context, "", { country: asked.country });
  const key = readIdempotencyKey(call);
  const website = ownWebsite(context, caller, { parameter: "websiteKey", key: asked.websiteKey });
  const offer = requireOffer(context, asked.offerId);
  const receivedAt = context.clock();
  const time = eventTime(asked.ts, receivedAt);
  if (time === null || (time.isTooOld && key === null)) throw outOfRange();
  const { at, isTooOld } = time;
  const facts = asked.requestId === undefined ? null : openOwnRequest(context, asked.requestId, website);
  const outcome = await context.store.journal.append({
    kind: "server_event",
    type: asked.type,
    visit:
      facts === null ? visitOfItsOwn(context, asked, website, at) : reportedVisit(facts, { at, receivedAt }),
    offer: {
      offer: offer.number,
      vertical: offer.vertical,
      payoutModel: offer.payoutModel,
      priceMicros: billablePriceMicros(offer),
      currency: offer.currency,
    },
    observed: observedOf(context, { type: asked.type, website, offer, facts, receivedAt }),
    viewer: facts && { visitor: facts.visitor, network: null },
    standsAlone: facts === null,
    idempotency:
      key === null
        ? null
        : { scope: eventScope(caller), key, fingerprint: eventFingerprint(asked), isTooOld },
    receivedAt,
  });
  if (outcome.idempotency === "mismatch") {
    throw new Problem(
      "idempotency_mismatch",
      `This Idempotency-Key came with another body within ${durationWords(idempotencySeconds)}.`,
    );
  }
  if (outcome.idempotency === "too_old") throw outOfRange();
  return replyJson(serverEventAnswer(outcome), [], outcome.idempotency === "repeated" ? 200 : 201);
}

/** The request's Idempotency-Key; null when it has none. */
const readIdempotencyKey = (call: Call): string | null => {
  const [given, ...others] = call.every("idempotency-key");
  if (given === undefined) return null;
  const parsed = idempotencyKey.safeParse(others.length === 0 ? given : undefined);
  if (parsed.success) return parsed.data;
  throw parameterProblem("invalid_parameter", {
    parameter: "Idempotency-Key",
    message: "must be given once, as 1 to 255 visible ASCII characters",
  });
};

const observedOf = (
  context: Context,
  {
    type,
    website,
    offer,
    facts,
    receivedAt,
  }: {
    type: ServerEventBody["type"];
    website: Website;
    offer: Offer;
    facts: RequestFacts | null;
    receivedAt: number;
  },
) =>
  reportedRefusals(type, {
    caller: null,
    decidedAt: facts?.network ?? null,
    ageMs: facts === null ? 0 : receivedAt - facts.issuedAt,
    offer,
    isPermitted: context.store.catalogue().permits(website, offer),
    suppression: facts?.suppression,
    isPaused: offer.status === "paused",
    location: null,
  });

const requireOffer = (context: Context, offerId: string): Offer => {
  const offer = context.store.catalogue().offer(offerId);
  if (offer !== undefined) return offer;
  throw parameterProblem("not_found", { parameter: "offerId", message: "must be the id of an offer" });
};

const outOfRange = (): Problem =>
  parameterProblem("timestamp_out_of_range", {
    parameter: "ts",
    message: mustBeInWindow,
  });

/** The visit of a decision: where and who it was stands there. */
const reportedVisit = (facts: RequestFacts, times: { at: number; receivedAt: number }): Visit => ({
  request: facts.request,
  websiteId: facts.websiteId,
  country: facts.country,
  region: facts.region,
  surface: facts.surface,
  test: facts.test,
  browser: null,
  device: 0,
  at: visitEventTime(times.at, { issuedAt: facts.issuedAt, receivedAt: times.receivedAt }),
});

const visitOfItsOwn = (context: Context, body: ServerEventBody, website: Website, at: number): Visit => ({
  request: newRequestKey(context, at),
  websiteId: website.id,
  country: body.country ?? unknownCountry,
  region: "",
  surface: "overlay",
  test: website.development,
  browser: null,
  device: 0,
  at,
});

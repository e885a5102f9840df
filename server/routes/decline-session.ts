import {
  type OpenedSession,
  openSessionQuery,
  pollSessionQuery,
  type SessionState,
} from "@offers/contract/decline";
import { declineSession } from "@offers/contract/words";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import {
  type DeclineSession,
  expiryOf,
  factsOfSession,
  type PollVerdict,
  pollVerdict,
  sessionIdBytes,
  sessionIdOf,
} from "../core/decline-session.ts";
import { sealRequestId } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { admitArrival } from "../http/arriving-visitor.ts";
import { clientAddress } from "../http/client-address.ts";
import { overloaded } from "../http/known-problem.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { Problem } from "../http/problem.ts";
import { limitRefusals, takeTurn } from "../http/rate-limit.ts";
import { readQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { admitSite, pageOrigin } from "../http/site-origin.ts";

/** POST /v1/widget-decline/session: a page waits for its website's server to decline the visitor. */
export function openSessionRoute(context: Context): RouteHandlers {
  return [
    allowMethods("POST"),
    refuseWhenFull(context),
    openSession(context),
    limitRefusals(context, "session_open"),
  ];
}

/** GET /v1/widget-decline/session/:sessionId: has it? */
export function pollSessionRoute(context: Context): RouteHandlers {
  return [
    allowMethods("GET"),
    pollSession(context) as RequestHandler,
    limitRefusals(context, "session_poll"),
  ];
}

/** Without what only a development website simulates: elsewhere that is not even looked at. */
const liveQuery = openSessionQuery.omit({ "dev-country": true, "dev-region": true });

const openSession =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(liveQuery, req);
    const arrival = await admitArrival(context, req, res, { limit: "session_open", query });
    const { website, country, region, visitor } = arrival;
    const openedAt = context.clock();
    const session = {
      sessionId: sessionIdOf(context.randomBytes(sessionIdBytes)),
      websiteId: website.id,
      origin: pageOrigin(req) ?? "",
      request: requestKeyOf(openedAt, context.randomBytes(requestRandomBytes)),
      country,
      region,
      test: website.development,
      visitor: visitor?.today ?? null,
      openedAt,
      expiresAt: expiryOf(openedAt),
    };
    const outcome = await context.store.journal.append({ kind: "decline_opened", session });
    if (outcome.session === "too_many") throw overloaded();
    res.statusCode = 201;
    replyJson(res, { ...stateOf(session), status: "pending" } satisfies OpenedSession);
  };

const pollSession =
  (context: Context): RequestHandler<{ sessionId: string }> =>
  async (req, res) => {
    const query = readQuery(pollSessionQuery, req);
    const website = admitSite(context, req, query);
    const client = clientAddress(req, context.trustProxyHops);
    await takeTurn(context, res, "session_poll", { websiteId: website.id, client });
    const session = await context.store.declineSession(req.params.sessionId);
    const origin = pageOrigin(req) ?? "";
    const verdict = pollVerdict(session, { websiteId: website.id, origin, now: context.clock() });
    replyJson(res, answerOf(context, verdict));
  };

const answerOf = (context: Context, verdict: PollVerdict): SessionState => {
  switch (verdict.outcome) {
    case "unknown":
      throw sessionNotFound();
    case "pending":
      return { ...stateOf(verdict.session), status: "pending" };
    case "expired":
      return { ...stateOf(verdict.session), status: "expired" };
    case "ready": {
      const { session } = verdict;
      const { country, region } = session;
      const requestId = sealRequestId(context.tokenKeys, factsOfSession(session), session.request);
      return { ...stateOf(session), status: "ready", requestId, country, region };
    }
    default:
      return verdict satisfies never;
  }
};

const stateOf = ({ sessionId, expiresAt }: Pick<DeclineSession, "sessionId" | "expiresAt">) => ({
  sessionId,
  expiresAt: new Date(expiresAt).toISOString(),
  pollAfterMs: declineSession.pollAfterMs,
});

/** Of nobody, of another website, of another page: the answer is the same to the byte. */
export function sessionNotFound(): Problem {
  return new Problem("not_found", "The website has no decline session with this id.");
}

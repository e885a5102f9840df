import {
  type OpenedSession,
  openSessionQuery,
  pollSessionQuery,
  type SessionState,
} from "@offers/contract/decline";
import { declineSession } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import {
  type DeclineSession,
  expiryOf,
  factsOfSession,
  type PollVerdict,
  pollVerdict,
  sessionIdBytes,
  sessionIdOf,
} from "../core/decline-session.ts";
import { createKeyedHash } from "../core/keyed-hash.ts";
import { sealRequestId } from "../core/request-id.ts";
import type { Answer } from "../http/call.ts";
import { networkOf } from "../http/client-address.ts";
import { type PageCall, pageRoute } from "../http/page-route.ts";
import { overloaded, Problem } from "../http/problem.ts";
import { fromQuery } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { admitSite, pageOrigin } from "../http/site-origin.ts";
import { admitArrival, locateVisitor } from "./place.ts";
import { agentOf, hashVisitor, newRequestKey } from "./visit.ts";

/** POST /v1/widget-decline/session: a page waits for its website's server to decline the visitor. */
export function openSessionRoute(context: Context): Route {
  const nameOf = networkNames(context.randomBytes);
  return pageRoute(context, "/v1/widget-decline/session", {
    asks: fromQuery(liveQuery),
    admit: admitArrival,
    reply: (arrival) => openSession(arrival, context, nameOf(networkOf(arrival.client))),
  });
}

/** GET /v1/widget-decline/session/:sessionId: has it? */
export function pollSessionRoute(context: Context): Route {
  return pageRoute(context, "/v1/widget-decline/session/:sessionId", {
    asks: fromQuery(pollSessionQuery),
    admit: (query, call) => ({ website: admitSite(context, call, query) }),
    reply: pollSession,
  });
}

/** Without what only a development website simulates: elsewhere that is not even looked at. */
const liveQuery = openSessionQuery.omit({ "dev-country": true, "dev-region": true });

type Arrival = PageCall<unknown> & ReturnType<typeof admitArrival>;

/**
 * Names of networks under a key that is never written: who has the disk can tell which sessions one network opened, and
 * nobody can tell which network that was. Another process, and this one after a restart, has other names.
 */
const networkNames = (randomBytes: Context["randomBytes"]): ((network: string) => string) => {
  const keyedHash = createKeyedHash(randomBytes(32));
  return (network) => keyedHash(network).toString("base64url", 0, networkNameBytes);
};

/** 96 bits: two networks do not meet in them. */
const networkNameBytes = 12;

async function openSession(
  { website, places, client, call }: Arrival,
  context: Context,
  opener: string,
): Promise<Answer> {
  const { location, decidedBy } = locateVisitor(context, client.address, places);
  const visitor = hashVisitor(context, call, { websiteId: website.id, client });
  const openedAt = context.clock();
  const session = {
    sessionId: sessionIdOf(context.randomBytes(sessionIdBytes)),
    websiteId: website.id,
    origin: pageOrigin(call) ?? "",
    request: newRequestKey(context, openedAt),
    ...location,
    test: website.development,
    device: agentOf(context, call.headers["user-agent"]).device,
    visitor,
    decidedBy,
    openedAt,
    expiresAt: expiryOf(openedAt),
  };
  const outcome = await context.store.journal.append({ kind: "decline_opened", session, opener });
  if (outcome.session === "too_many") throw overloaded();
  return replyJson({ ...stateOf(session, website), status: "pending" } satisfies OpenedSession, [], 201);
}

async function pollSession({ website, call }: PageCall<unknown>, context: Context): Promise<Answer> {
  const sessionId = decodeURIComponent(call.path.slice(call.path.lastIndexOf("/") + 1));
  const session = await context.store.declineSession(sessionId);
  const origin = pageOrigin(call) ?? "";
  const verdict = pollVerdict(session, { websiteId: website.id, origin, now: context.clock() });
  return replyJson(answerOf(context, verdict, website));
}

const answerOf = (context: Context, verdict: PollVerdict, website: Website): SessionState => {
  switch (verdict.outcome) {
    case "unknown":
      throw sessionNotFound();
    case "pending":
      return { ...stateOf(verdict.session, website), status: "pending" };
    case "expired":
      return { ...stateOf(verdict.session, website), status: "expired" };
    case "ready": {
      const { session } = verdict;
      const { country, region } = session;
      const requestId = sealRequestId(context.tokenKeys, factsOfSession(session), session.request);
      return { ...stateOf(session, website), status: "ready", requestId, country, region };
    }
    default:
      return verdict satisfies never;
  }
};

const stateOf = (
  { sessionId, expiresAt }: Pick<DeclineSession, "sessionId" | "expiresAt">,
  { settings }: Website,
) => ({
  sessionId,
  expiresAt: new Date(expiresAt).toISOString(),
  pollAfterMs: declineSession.pollAfterMs,
  language: settings.language,
});

/** Of nobody, of another website, of another page: the answer is the same to the byte. */
export function sessionNotFound(): Problem {
  return new Problem("not_found", "The website has no decline session with this id.");
}

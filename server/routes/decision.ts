import { decisionQuery } from "@offers/contract/decision";
import type { Frequency } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { visitRefusals } from "../core/edge-refusals.ts";
import { decideFor, type GeoVerdict } from "../core/geo-decision.ts";
import { showingFor } from "../core/showing.ts";
import type { Answer } from "../http/call.ts";
import { type PageCall, pageRoute } from "../http/page-route.ts";
import { fromQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { createDecisionText } from "./answer-text.ts";
import { admitVisit, locateVisitor } from "./place.ts";
import { beginVisit, hashVisitor, knownNetworkOf } from "./visit.ts";

/** GET /v1/decision: does this visitor see the page as it is? */
export function decisionRoute(context: Context): Route {
  const textOf = createDecisionText();
  return pageRoute(context, "/v1/decision", {
    asks: fromQuery(liveQuery),
    admit: admitVisit,
    reply: (given) => decide(given, context, textOf),
  });
}

/** Without what only a development website simulates: elsewhere that is not even looked at. */
const liveQuery = decisionQuery.omit({ "dev-country": true, "dev-region": true });
/**
 * How long an answer waits for the disk. The verdict never depends on it: the entry stays queued
 * (decisions.md#verdict-before-disk).
 */
export const recordWaitMs = 75;

type Arrival = PageCall<{ mode?: "section" | undefined; frequency?: Frequency | undefined }> &
  ReturnType<typeof admitVisit>;

function decide(
  { asked, website, places, isPreview, client, call }: Arrival,
  context: Context,
  textOf: ReturnType<typeof createDecisionText>,
): Answer | Promise<Answer> {
  const { location, decidedBy } = locateVisitor(context, client.address, places);
  const verdict = decideFor(website, location);
  const test = website.development || isPreview;
  const network = knownNetworkOf(context, { client, test });
  const facts = {
    websiteId: website.id,
    ...location,
    allowed: verdict.allowed,
    surface: asked.mode ?? ("overlay" as const),
    test,
    // Whoever looks at a preview is no visitor: what they close there they are shown again.
    visitor: isPreview ? null : hashVisitor(context, call, { websiteId: website.id, client }),
    decidedBy,
    ...(network && { network }),
  };
  const { requestId, visit } = beginVisit(context, facts, call.headers["user-agent"]);
  const frequency = asked.frequency ?? website.settings.frequency;
  const showing = showingFor({
    frequency,
    hasDismissed: facts.visitor !== null && context.store.hasDismissed(facts.visitor),
    surface: visit.surface,
    website,
    origin: call.headers.origin ?? "",
  });
  const answer = replyJsonText(
    textOf(isPreview ? onEveryPage(website) : website, requestId, location, verdict, {
      frequency,
      ...showing,
    }),
  );
  answer.outcome = decidedAs(verdict);
  if (verdict.allowed || visit.surface !== "overlay") return answer;
  const { vertical } = website;
  const observed = visitRefusals(network);
  return context.store.journal
    .keep({ kind: "blocked", visit, vertical, rates: null, decidedBy, observed }, recordWaitMs)
    .then(() => answer);
}

/** What a verdict is counted as. */
export function decidedAs(verdict: GeoVerdict): Answer["outcome"] {
  return { kind: "decided", by: verdict.allowed ? "allowed" : verdict.reason };
}

/** A preview's page has a path that the website knows nothing of. */
const onEveryPage = (website: Website): Website => ({
  ...website,
  settings: { ...website.settings, pages: { include: [], exclude: [] } },
});

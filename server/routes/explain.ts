import { type ExplainQuery, explainQuery } from "@offers/contract/explain";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { explainRequest, isTold } from "../core/explanation.ts";
import { permittedWebsites } from "../core/permitted-websites.ts";
import { openRequestId } from "../core/request-id.ts";
import { askedRequest } from "../core/request-story.ts";
import type { Answer } from "../http/call.ts";
import { type ApiCaller, keyRoute } from "../http/key-route.ts";
import { overloaded, Problem, parameterProblem } from "../http/problem.ts";
import { fromQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { createTurns, explanationText, type InTurn } from "./explanation-text.ts";
import { standingOf } from "./standing.ts";

/** GET /v1/explain: why a visitor was shown what they were, and why an event counts or not. */
export function explainRoute(context: Context): Route {
  const inTurn = createTurns(mostWaiting);
  return keyRoute(context, "/v1/explain", {
    // decisions.md#servers-queries-are-closed
    asks: fromQuery(explainQuery, { refusesOthers: true, mayBeBlank: [] }),
    reply: ({ asked, caller }) => explain(asked, caller, context, inTurn),
  });
}

/** Whose requests may be explained: those of a publisher's websites, or of the one that its key is good for. */
type Owner = Pick<ApiCaller, "publisherId" | "websiteId"> & {
  /** Whether it is an operator who asks, who is told of every offer. */
  isOperator?: boolean;
};

/** How many explanations may wait, as many as reports: each takes some tens of milliseconds where there are very many offers. */
const mostWaiting = 20;

/** Explains one request of a publisher to it. `inTurn` is the row of those who wait for an explanation. */
export async function explain(
  asked: ExplainQuery,
  caller: Owner,
  context: Context,
  inTurn: InTurn,
): Promise<Answer> {
  const parameter = theOne(asked);
  const sealed = asked.requestId === undefined ? null : openRequestId(context.tokenKeys, asked.requestId);
  const wanted = askedRequest(asked, sealed);
  // Nothing is looked up for a stranger: how long that takes could tell what there is.
  const isOthers = sealed !== null && ownWebsite(context, caller, sealed.websiteId) === null;
  if (wanted === null || isOthers) throw unknownId(parameter);
  const text = inTurn(async () => {
    const read = await context.store.explain(wanted);
    if (read === null) throw overloaded();
    const websiteId = sealed?.websiteId ?? read.story?.place?.websiteId;
    const website = websiteId === undefined ? null : ownWebsite(context, caller, websiteId);
    if (read.story === null || website === null) throw unknownId(parameter);
    const { language, device } = asked;
    const explanation = explainRequest(
      { story: read.story, sealed, website, dataSets: context.geo.sources(), visitor: { language, device } },
      standingOf(context),
    );
    if (caller.isOperator) return explanationText(explanation);
    const served = new Set(explanation.told.served.map(({ offerId }) => offerId));
    return explanationText({ ...explanation, isTold: (explained) => isTold(explained, served) });
  });
  if (text === null) throw overloaded();
  return replyJsonText(await text, ["Cache-Control", "private, no-store"]);
}

const parameters = ["requestId", "eventId", "clickId"] as const;
type Parameter = (typeof parameters)[number];

/** The one parameter that is given. */
const theOne = (asked: ExplainQuery): Parameter => {
  const [given, ...others] = parameters.filter((name) => asked[name] !== undefined);
  if (given === undefined) {
    const message = "one of requestId, eventId and clickId must be given";
    throw new Problem("missing_parameter", `${message}.`, { errors: [{ parameter: "requestId", message }] });
  }
  if (others.length === 0) return given;
  const message = "must be given alone: one of requestId, eventId and clickId";
  throw parameterProblem("invalid_parameter", ...others.map((parameter) => ({ parameter, message })));
};

/** The website of this number, where the caller's key is good for it. */
const ownWebsite = (context: Context, caller: Owner, websiteId: number): Website | null => {
  const catalogue = context.store.catalogue();
  const website = catalogue.websiteById(websiteId);
  return website && permittedWebsites(catalogue, caller, website.key) !== null ? website : null;
};

/** Of nobody and of another publisher: the answer is the same to the byte. */
const unknownId = (parameter: Parameter): Problem =>
  parameterProblem("not_found", {
    parameter,
    message: `must be ${articles[parameter]} ${parameter} of this publisher that is still kept`,
  });

const articles: Readonly<Record<Parameter, string>> = { requestId: "a", eventId: "an", clickId: "a" };

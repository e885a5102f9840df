import { type ExplainQuery, explainQuery } from "@offers/contract/explain";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { type Explanation, explainRequest, toldOffer } from "../core/explanation.ts";
import { permittedWebsites } from "../core/permitted-websites.ts";
import { openRequestId } from "../core/request-id.ts";
import { type AskedRequest, askedRequest } from "../core/request-story.ts";
import type { Answer } from "../http/call.ts";
import { type ApiCaller, type KeyCall, keyRoute } from "../http/key-route.ts";
import { overloaded, type Problem, parameterProblem, unavailable } from "../http/problem.ts";
import { fromQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { JournalUnavailable } from "../store/journal/journal.ts";

/** GET /v1/explain: why a visitor was shown what they were, and why an event counts or not. */
export function explainRoute(context: Context): Route {
  return keyRoute(context, "/v1/explain", {
    asks: fromQuery(explainQuery, { refusesOthers: true }),
    reply: explain,
  });
}

async function explain({ asked, caller }: KeyCall<ExplainQuery>, context: Context): Promise<Answer> {
  const parameter = theOne(asked);
  const sealed = asked.requestId === undefined ? null : openRequestId(context.tokenKeys, asked.requestId);
  const wanted = askedRequest(asked, sealed);
  // Nothing is looked up for a stranger: how long that takes could tell what there is.
  const isOthers = sealed !== null && ownWebsite(context, caller, sealed.websiteId) === null;
  const read = wanted === null || isOthers ? { story: null } : await storyOf(context, wanted);
  if (read === null) throw overloaded();
  const websiteId = sealed?.websiteId ?? read.story?.place?.websiteId;
  const website = websiteId === undefined ? null : ownWebsite(context, caller, websiteId);
  if (read.story === null || website === null) throw unknownId(parameter);
  const { catalogue, rates, hasBudget } = context.store;
  const explanation = explainRequest(
    { story: read.story, sealed, website, dataSets: context.geo.sources() },
    { catalogue: catalogue(), rates: rates(), hasBudget },
  );
  return replyJsonText(await textOf(explanation), ["Cache-Control", "private, no-store"]);
}

const parameters = ["requestId", "eventId", "clickId"] as const;
type Parameter = (typeof parameters)[number];

/** The one parameter that is given. */
const theOne = (asked: ExplainQuery): Parameter => {
  const [given, ...others] = parameters.filter((name) => asked[name] !== undefined);
  const message = "must be given alone: one of requestId, eventId and clickId";
  if (given === undefined) throw parameterProblem("missing_parameter", { parameter: "requestId", message });
  if (others.length === 0) return given;
  throw parameterProblem("invalid_parameter", ...others.map((parameter) => ({ parameter, message })));
};

const storyOf = (context: Context, wanted: AskedRequest): ReturnType<Context["store"]["explain"]> =>
  context.store.explain(wanted).catch((error: unknown) => {
    throw error instanceof JournalUnavailable
      ? unavailable("The request cannot be read now. Try again.")
      : error;
  });

/** The website of this number, where the caller's key is good for it. */
const ownWebsite = (context: Context, caller: ApiCaller, websiteId: number): Website | null => {
  const catalogue = context.store.catalogue();
  const website = catalogue.websiteById(websiteId);
  return website && permittedWebsites(catalogue, caller, website.key) !== null ? website : null;
};

/** Of nobody and of another publisher: the answer is the same to the byte. */
const unknownId = (parameter: Parameter): Problem =>
  parameterProblem("not_found", { parameter, message: "must be an id of a website of this publisher" });

/** So many offers are told in one go, some milliseconds: a catalogue may have tens of thousands. */
const toldAtOnce = 1000;

/** The explanation as it is sent. Between parts of the catalogue others have their turn. */
const textOf = async ({ told, offers }: Explanation): Promise<string> => {
  let text = `${JSON.stringify(told).slice(0, -1)},"offers":[`;
  let [considered, removed] = [0, 0];
  for (const explained of offers) {
    const separator = considered + removed > 0 ? "," : "";
    text += `${separator}${JSON.stringify(toldOffer(explained))}`;
    if (explained.rank === null) removed += 1;
    else considered += 1;
    if ((considered + removed) % toldAtOnce === 0) await new Promise(setImmediate);
  }
  return `${text}],"considered":${considered},"removed":${removed}}`;
};

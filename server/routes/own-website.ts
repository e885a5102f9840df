import type { WebsiteKey } from "@offers/contract/ids";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { permittedWebsites, reportedWebsites } from "../core/permitted-websites.ts";
import type { ApiCaller } from "../http/key-route.ts";
import { type Problem, parameterProblem } from "../http/problem.ts";

/** How the request calls the website's key, and the key itself where it is given. */
type Named = { parameter: "website" | "websiteKey"; key: WebsiteKey | undefined };

/** The websites that a call is about: the named one, or all that the caller's key is good for. */
export function ownWebsites(context: Context, caller: ApiCaller, named: Named): readonly Website[] {
  const websites = permittedWebsites(context.store.catalogue(), caller, named.key);
  // Another publisher's and an unknown one are the same answer: it does not tell which keys exist.
  if (websites === null) throw notOwn(named.parameter);
  return websites;
}

/** The same for reports, which deleted websites stay in. */
export function ownReportedWebsites(context: Context, caller: ApiCaller, named: Named): readonly Website[] {
  const websites = reportedWebsites(context.store.catalogue(), caller, named.key);
  if (websites === null) throw notOwn(named.parameter);
  return websites;
}

/** The one website that a call is about; it must be named when the publisher has several. */
export function ownWebsite(context: Context, caller: ApiCaller, named: Named): Website {
  const [website, ...others] = ownWebsites(context, caller, named);
  if (website === undefined) throw notOwn(named.parameter);
  if (others.length === 0) return website;
  throw parameterProblem("missing_parameter", {
    parameter: named.parameter,
    message: "is required: the publisher has several websites",
  });
}

const notOwn = (parameter: string): Problem =>
  parameterProblem("not_found", { parameter, message: "must be the key of a website of this publisher" });

import type { Context } from "../context.ts";
import { openRoute } from "../http/open-route.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";

/** The day since which the service has honoured the signal as it does now. */
const since = "2026-11-20";

/** GET /.well-known/gpc.json: says that Global Privacy Control is honoured (decisions.md#global-privacy-control). */
export function gpcRoute(context: Context): Route {
  const answer = replyJson({ gpc: true, lastUpdate: since });
  return openRoute(context, "/.well-known/gpc.json", { reply: () => answer });
}

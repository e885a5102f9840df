import type { ReadyAnswer } from "@offers/contract/open";
import type { Context } from "../context.ts";
import type { Answer } from "../http/call.ts";
import { openRoute } from "../http/open-route.ts";
import { unavailable } from "../http/problem.ts";
import { readinessWarnings, refusalToServe } from "../http/readiness.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";

/** /healthz: the process answers. It touches nothing, so that a slow disk does not get the process killed. */
export function healthRoute(context: Context): Route {
  return openRoute(context, "/healthz", { reply: tellAlive });
}

export function tellAlive(): Answer {
  return replyJson({ status: "ok" });
}

/** /readyz: whether new visitors may be sent here. */
export function readyRoute(context: Context): Route {
  return openRoute(context, "/readyz", { reply: tellReady });
}

function tellReady(_: unknown, context: Context): Answer {
  const refusal = refusalToServe(context);
  if (refusal !== null) throw unavailable(refusal);
  const warnings = readinessWarnings(context);
  return replyJson({ status: "ready", ...(warnings.length > 0 && { warnings }) } satisfies ReadyAnswer);
}

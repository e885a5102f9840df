import type { ReadyAnswer } from "@offers/contract/health";
import type { Context } from "../context.ts";
import { oldDataWarning, oldListWarning } from "../core/data-age.ts";
import type { Answer } from "../http/call.ts";
import { openRoute } from "../http/open-route.ts";
import { unavailable } from "../http/problem.ts";
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
  if (context.isDraining()) throw unavailable("The service is shutting down.");
  if (!context.store.isReady()) throw unavailable("The service is without its database.");
  const now = context.clock();
  const warnings = [
    oldDataWarning(context.geo.sources()[0], now),
    ...context.networks.lists().map((list) => oldListWarning(list, now)),
    ...context.store.warnings(),
  ].filter((warning) => warning !== null);
  return replyJson({ status: "ready", ...(warnings.length > 0 && { warnings }) } satisfies ReadyAnswer);
}

import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { unavailable } from "../http/known-problem.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";

/** /healthz: the process answers. It touches nothing, so that a slow disk does not get the process killed. */
export function healthRoute(): RouteHandlers {
  const tellAlive: RequestHandler = (_req, res) => replyJson(res, { status: "ok" });
  return [allowMethods("GET", "HEAD"), tellAlive];
}

/** /readyz: whether new visitors may be sent here. */
export function readyRoute(context: {
  isDraining: Context["isDraining"];
  store: Pick<Context["store"], "isReady">;
}): RouteHandlers {
  const tellReady: RequestHandler = (_req, res) => {
    if (context.isDraining()) throw unavailable("The service is shutting down.");
    if (!context.store.isReady()) throw unavailable("The service is without its database.");
    replyJson(res, { status: "ready" });
  };
  return [allowMethods("GET", "HEAD"), tellReady];
}

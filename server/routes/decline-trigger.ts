import { type TriggerAnswer, triggerBody } from "@offers/contract/decline";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { suppressionOf } from "../core/suppression.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { refuseBrowsers } from "../http/caller-group.ts";
import { refuseWrongSecretHeader, requireSecretOwner } from "../http/integration-secret.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { refuseWhenFull } from "../http/overload.ts";
import { Problem } from "../http/problem.ts";
import { readBody } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { sessionNotFound } from "./decline-session.ts";

/** POST /v1/widget-decline/trigger: the website's own server declines the visitor who waits. */
export function triggerRoute(context: Context): RouteHandlers {
  return [
    allowMethods("POST"),
    refuseBrowsers,
    refuseWhenFull(context),
    refuseWrongSecretHeader(context),
    ...parseJsonBody(["application/json"]),
    trigger(context),
  ];
}

const trigger =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const website = await requireSecretOwner(context, req, res, req.body.secret);
    const { sessionId, reason = null, suppressVerticals = [] } = readBody(triggerBody, req);
    const { session } = await context.store.journal.append({
      kind: "decline_triggered",
      sessionId,
      websiteId: website.id,
      vertical: website.vertical,
      reason,
      suppression: suppressionOf({ reason, verticals: suppressVerticals }),
      at: context.clock(),
    });
    if (session === "expired") {
      throw new Problem("session_expired", "The session expired before it was triggered, or has since.");
    }
    if (session !== "ready") throw sessionNotFound();
    replyJson(res, { sessionId, status: "ready" } satisfies TriggerAnswer);
  };

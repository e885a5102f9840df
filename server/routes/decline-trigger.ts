import { type TriggerAnswer, type TriggerBody, triggerBody, triggerSlips } from "@offers/contract/decline";
import type { Context } from "../context.ts";
import { suppressionOf } from "../core/suppression.ts";
import { type BackendCall, backendRoute } from "../http/backend-route.ts";
import type { Answer } from "../http/call.ts";
import { Problem } from "../http/problem.ts";
import { fromBody } from "../http/read.ts";
import { replyJson } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { sessionNotFound } from "./decline-session.ts";

/** POST /v1/widget-decline/trigger: the website's own server declines the visitor who waits. */
export function triggerRoute(context: Context): Route {
  const asks = fromBody(triggerBody, triggerSlips);
  return backendRoute(context, "/v1/widget-decline/trigger", { asks, reply: trigger });
}

async function trigger({ asked, website }: BackendCall<TriggerBody>, context: Context): Promise<Answer> {
  const { sessionId, reason = null, suppressVerticals = [] } = asked;
  const { session } = await context.store.journal.append({
    kind: "decline_triggered",
    sessionId,
    websiteId: website.id,
    vertical: website.vertical,
    suppression: suppressionOf({ reason, verticals: suppressVerticals }),
    isPaused: website.paused,
    at: context.clock(),
  });
  if (session === "expired") {
    throw new Problem("session_expired", "The session expired before it was triggered, or has since.");
  }
  if (session !== "ready") throw sessionNotFound();
  return replyJson({ sessionId, status: "ready" } satisfies TriggerAnswer);
}

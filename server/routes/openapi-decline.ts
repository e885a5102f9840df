import { openSessionQuery, pollSessionQuery, sessionPath, triggerBody } from "@offers/contract/decline";
import { always, body, type Operation, page, query } from "./openapi-operation.ts";

/** The routes of a decline session. */
export const declineOperations = {
  "/v1/widget-decline/session": {
    post: {
      id: "openSession",
      tag: "Decline",
      summary: "A page waits for its website's server to decline the visitor",
      description:
        "The session is bound to the website and to the page's origin, and lives 15 minutes. There is no body.",
      security: [page],
      query: openSessionQuery,
      headers: ["Sec-GPC"],
      answers: { 201: "openedSession" },
      problems: [
        ...always,
        ...query,
        "unauthorized",
        "browser_not_allowed",
        "origin_not_allowed",
        "rate_limited",
        "overloaded",
      ],
    },
  },
  "/v1/widget-decline/session/:sessionId": {
    get: {
      id: "pollSession",
      tag: "Decline",
      summary: "Has the visitor been declined?",
      description:
        "Once `ready` it names the visit, whose offers are then fetched as after a decision. `expired` is final: polling ends. " +
        "An unknown session and one of another website or page are the same 404.",
      security: [page],
      query: pollSessionQuery,
      path: sessionPath,
      answers: { 200: "sessionState" },
      problems: [
        ...always,
        ...query,
        "unauthorized",
        "browser_not_allowed",
        "origin_not_allowed",
        "not_found",
        "rate_limited",
      ],
    },
  },
  "/v1/widget-decline/trigger": {
    post: {
      id: "triggerSession",
      tag: "Decline",
      summary: "Decline the visitor who waits",
      description:
        "From the website's own server, with its integration secret: as a bearer token, in `X-Integration-Secret`, or as `secret` in the body. " +
        "Repeating it changes nothing and is answered alike. Until it expires the session is then `ready`.",
      security: [{ integrationSecret: [] }, { integrationSecretHeader: [] }, {}],
      body: { schema: triggerBody, types: ["application/json"] },
      answers: { 200: "triggered" },
      problems: [
        ...always,
        ...body,
        "unauthorized",
        "browser_not_allowed",
        "not_found",
        "session_expired",
        "rate_limited",
        "overloaded",
      ],
    },
  },
} as const satisfies Record<string, Partial<Record<"get" | "post", Operation>>>;

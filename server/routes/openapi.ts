import type { Context } from "../context.ts";
import { openRoute } from "../http/open-route.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { createOpenapiDocument } from "./openapi-document.ts";

/** GET /v1/openapi.json: what this service answers, for people and for programs that write clients. */
export function openapiRoute(context: Context): Route {
  // Once: it depends on nothing that changes.
  const text = Buffer.from(JSON.stringify(createOpenapiDocument(context.baseUrl)));
  // Public, and any tool may read it from wherever it runs.
  const readableByAnyone = [
    "Access-Control-Allow-Origin",
    "*",
    "Cross-Origin-Resource-Policy",
    "cross-origin",
  ];
  return openRoute(context, "/v1/openapi.json", { reply: () => replyJsonText(text, readableByAnyone) });
}

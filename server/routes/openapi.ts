import { openapiQuery } from "@offers/contract/open";
import type { Context } from "../context.ts";
import { openRoute } from "../http/open-route.ts";
import { fromQuery, parseQuery } from "../http/read.ts";
import { replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { createOpenapiDocument, type DocumentGroup } from "./openapi-document.ts";

/** GET /v1/openapi.json: what this service answers, for people and for programs that write clients. */
export function openapiRoute(context: Context): Route {
  // Once: they depend on nothing that changes.
  const textOf = (group: DocumentGroup) =>
    Buffer.from(JSON.stringify(createOpenapiDocument(context.baseUrl, group)));
  const texts = { all: textOf("all"), server: textOf("server") };
  // Public, and any tool may read it from wherever it runs.
  const readableByAnyone = [
    "Access-Control-Allow-Origin",
    "*",
    "Cross-Origin-Resource-Policy",
    "cross-origin",
  ];
  const asks = fromQuery(openapiQuery);
  return openRoute(context, "/v1/openapi.json", {
    reply: ({ call }) => replyJsonText(texts[asks.read(parseQuery(call)).group ?? "all"], readableByAnyone),
  });
}

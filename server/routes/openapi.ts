import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { createOpenapiDocument } from "./openapi-document.ts";

/** GET /v1/openapi.json: what this service answers, for people and for programs that write clients. */
export function openapiRoute(context: Pick<Context, "baseUrl">): RouteHandlers {
  // Once: it depends on nothing that changes.
  const text = Buffer.from(JSON.stringify(createOpenapiDocument(context.baseUrl)));
  const describe: RequestHandler = (_req, res) => {
    res.setHeader("Content-Type", "application/json; charset=utf-8");
    // Public, and any tool may read it from wherever it runs.
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    res.setHeader("Content-Length", text.length);
    res.end(text);
  };
  return [allowMethods("GET", "HEAD"), describe];
}

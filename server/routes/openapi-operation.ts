import type { ErrorCode } from "@offers/contract/problem";
import type { ZodOpenApiObject, ZodOpenApiParameters } from "zod-openapi";
import type { AnswerName } from "./openapi-answers.ts";

/** One method of one path, as the document tells it: callers of both groups share it. */
export type Operation = {
  id: string;
  tag: "Decision" | "Offers" | "Events" | "Reports" | "Decline" | "Click" | "Diagnostics";
  summary: string;
  description: string;
  security: ZodOpenApiObject["security"];
  query?: NonNullable<ZodOpenApiParameters["query"]>;
  path?: NonNullable<ZodOpenApiParameters["path"]>;
  /** A body of JSON, under these types. */
  body?: { schema: NonNullable<ZodOpenApiParameters["query"]>; types: readonly string[] };
  headers?: readonly ("Idempotency-Key" | "Sec-GPC")[];
  /** Good answers by status. */
  answers: Readonly<Record<number, AnswerName>>;
  problems: readonly ErrorCode[];
};

/** Credentials of a call from a page: its keys in the query. */
export const page = { publicKey: [], websiteKey: [], origin: [] };
/** The same where the keys stand in the body. */
export const pageOfBody = { origin: [] };
/** An API key with the scope. */
export function key(scope: string) {
  return { apiKey: [scope] };
}

/** Problems of every route, */
export const always = [
  "malformed_request",
  "internal_error",
  "unavailable",
] as const satisfies readonly ErrorCode[];
/** of a query, */
export const query = [
  "missing_parameter",
  "invalid_parameter",
  "repeated_parameter",
] as const satisfies readonly ErrorCode[];
/** of a route for API keys, */
export const keyed = ["unauthorized", "browser_not_allowed", "insufficient_scope", "rate_limited"] as const;
/** of a body, */
export const body = [
  "missing_parameter",
  "invalid_parameter",
  "invalid_body",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ErrorCode[];
/** of a page's event. */
export const pageEvent = [
  ...always,
  ...body,
  "invalid_request_id",
  "unauthorized",
  "browser_not_allowed",
  "origin_not_allowed",
  "rate_limited",
  "overloaded",
] as const satisfies readonly ErrorCode[];
/** Bodies that a page may send without asking first. */
export const pageTypes = ["application/json", "text/plain"] as const;

import { z } from "zod";
import { openWord } from "./open-word.ts";

/** Every error code of /v1 with its HTTP status and title. */
export const errorCodes = {
  missing_parameter: { status: 400, title: "A required parameter is missing" },
  invalid_parameter: { status: 400, title: "A parameter is not valid" },
  repeated_parameter: { status: 400, title: "A parameter was given more than once" },
  invalid_body: { status: 400, title: "The body is not a JSON object" },
  invalid_request_id: { status: 400, title: "The requestId is not valid here" },
  invalid_token: { status: 400, title: "The click token is not valid" },
  timestamp_out_of_range: { status: 400, title: "The timestamp is out of range" },
  malformed_request: { status: 400, title: "The request cannot be read" },
  unauthorized: { status: 401, title: "A valid credential is required" },
  origin_not_allowed: { status: 403, title: "The origin is not registered for this website" },
  browser_not_allowed: { status: 403, title: "This route is not for browsers" },
  insufficient_scope: { status: 403, title: "The credential lacks the scope" },
  not_found: { status: 404, title: "Nothing is here" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  request_timeout: { status: 408, title: "The request took too long to arrive" },
  conflict: { status: 409, title: "The request conflicts with another one" },
  request_expired: { status: 410, title: "The requestId has expired" },
  session_expired: { status: 410, title: "The session has expired" },
  offer_gone: { status: 410, title: "The offer no longer exists" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body's type is not supported" },
  idempotency_mismatch: { status: 422, title: "The idempotency key was used with another body" },
  rate_limited: { status: 429, title: "Too many requests" },
  headers_too_large: { status: 431, title: "The request's headers are too large" },
  internal_error: { status: 500, title: "The service failed" },
  overloaded: { status: 503, title: "The service is overloaded" },
  unavailable: { status: 503, title: "The service cannot store this now" },
  speculative_request: { status: 503, title: "A click is not taken from a speculative request" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Further codes, of the dashboard's own interface alone. */
export const dashErrorCodes = {
  cross_site: { status: 403, title: "Only the dashboard's own pages may do this" },
  role_too_low: { status: 403, title: "Your role does not allow this" },
  sign_in_again: { status: 403, title: "The password must be given again" },
  version_conflict: { status: 412, title: "Somebody else has changed this meanwhile" },
} as const satisfies Record<string, { status: number; title: string }>;

export type DashErrorCode = keyof typeof dashErrorCodes;

export const errorCode = openWord(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).describe(
  "What is wrong, for programs to go by.",
);

/** One parameter that is wrong, and what to change. */
export const parameterError = z.object({
  parameter: z.string().describe("The name of the parameter, of the header, or of the member of the body."),
  message: z.string().describe("What it must be; a text for people."),
});
export type ParameterError = z.infer<typeof parameterError>;

/** RFC 9457 problem details, the shape of every error answer. */
export const problem = z.object({
  type: z.url().describe("The address at which the code is explained."),
  title: z.string().describe("What the code means; a text for people."),
  status: z.int().min(400).max(599).describe("The status of the answer."),
  detail: z.string().describe("What to change; a text for people."),
  instance: z
    .string()
    .describe("The answer's Request-Id: the one member in which two equal refusals differ."),
  code: errorCode,
  errors: z.array(parameterError).describe("Each parameter that is wrong.").optional(),
});
export type ProblemBody = z.infer<typeof problem>;

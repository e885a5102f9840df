import type { Answer } from "./call.ts";

export const jsonType = "application/json; charset=utf-8";

/** Answers with JSON. `more`: names and values of further headers, in turn. */
export function replyJson(body: object, more: readonly string[] = [], status = 200): Answer {
  return replyJsonText(JSON.stringify(body), more, status);
}

/** The same where the JSON is at hand as text. */
export function replyJsonText(body: string | Uint8Array, more: readonly string[] = [], status = 200): Answer {
  return { status, headers: ["Content-Type", jsonType, ...more], body };
}

/** Answers 204: it is on disk, counted or refused. */
export function replyRecorded(): Answer {
  return { status: 204, headers: [], body: null };
}

import { durationWords } from "@offers/contract/duration-words";
import { type ErrorCode, errorCodes } from "@offers/contract/problem";
import { mustBeInWindow } from "@offers/contract/server-events";
import { declineSession, idempotencySeconds, requestLifetimes } from "@offers/contract/words";
import { docsPage } from "./docs-page.ts";

/** What each code means and what the caller does about it: what a problem's `type` leads to. */
export const explainedCodes: Readonly<Record<ErrorCode, string>> = {
  missing_parameter: "The call lacks a parameter that it needs. The member errors names each one.",
  invalid_parameter:
    "A parameter has a value that it cannot have, or the route has no parameter of this name. The member errors names each one and says what it must be.",
  repeated_parameter: "A parameter stands in the query more than once. Send it once.",
  invalid_body: "The body must be one JSON object in UTF-8, with at most 64 members.",
  invalid_request_id:
    "The requestId is none of this website's: forged, cut, or another website's. Ask for a decision and send its requestId unchanged.",
  invalid_token: "The link's token was cut or changed. Use the link as the offer has it.",
  timestamp_out_of_range: `ts ${mustBeInWindow}.`,
  malformed_request:
    "The request cannot be read: no proper HTTP, a broken body, a path that is no valid percent-encoding, or an endless query.",
  unauthorized:
    "The credential is missing, unknown, revoked or expired: send the API key or access token as Authorization: Bearer, and for the trigger the integration secret in the place that the website has settled on. Or the route takes none, as those that pages call: leave Authorization out.",
  origin_not_allowed:
    "The website, its public key and the page's origin do not belong together. Register the page's origin for the website, and check both keys.",
  browser_not_allowed:
    "A page called a route of servers, or sent a credential. Call it from a server, and replace a key that stood in a page.",
  insufficient_scope:
    "The API key or access token was not given the scope that the route needs. Use one that has it.",
  not_found: "Nothing has this path, or what the call names is unknown or belongs to somebody else.",
  method_not_allowed: "The route has other methods; the header Allow lists them.",
  request_timeout: "A request's headers must arrive within five seconds, and all of it within ten.",
  conflict: "Kept for calls that conflict with one another; no route answers with it yet.",
  request_expired: `Offers are fetched within ${durationWords(requestLifetimes.offersSeconds)} of the decision. Ask for a new one.`,
  session_expired: `A decline session lives ${durationWords(declineSession.lifeSeconds)}. The page opens a new one.`,
  offer_gone: "The offer no longer exists.",
  body_too_large: "A body has at most 16 KiB, unpacked too.",
  unsupported_media_type: "The body's type, character set or encoding is none that the route takes.",
  idempotency_mismatch: `The Idempotency-Key came with another body within ${durationWords(idempotencySeconds)}. Send a new key for a new event.`,
  rate_limited: "The limit of the minute is used up. Wait as long as the header Retry-After says.",
  headers_too_large: "The headers of a request, its path included, have at most 16 KiB.",
  internal_error: "The service failed, and has logged it under the id in the member instance.",
  overloaded: "Too much is under way. Wait as long as the header Retry-After says.",
  unavailable: "The service cannot store or read this now. Wait as long as the header Retry-After says.",
  speculative_request:
    "The browser fetched the link before anybody followed it. Nothing was counted, and it is not to be sent again.",
};

/** A page with an anchor for each code. Only fixed texts stand in it. */
export function explainedCodesPage(): string {
  const entries = Object.entries(errorCodes).map(
    ([code, { status, title }]) =>
      `<section id="${code}"><h2>${code} <small>${status}</small></h2>` +
      `<p><strong>${title}.</strong> ${explainedCodes[code as ErrorCode]}</p></section>`,
  );
  const body = `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457). Go by its code; the same call may be sent again after a 429 or a 503 with <code>Retry-After</code>.</p>
${entries.join("\n")}`;
  return docsPage({ path: "/docs/errors", title: "errors", bodyClass: "errors", body });
}

import { bearerToken } from "../core/bearer.ts";
import type { Call } from "./call.ts";
import { Problem } from "./problem.ts";

/** Whether a page made the call: a browser says so itself. */
export function isFromPage({ headers }: Pick<Call, "headers">): boolean {
  const site = headers["sec-fetch-site"];
  return headers.origin !== undefined || site === "cross-site" || site === "same-site";
}

/** A browser must not hold a credential, so a call of the interface that a page made with one gets no further. */
export function browserProblem(call: Pick<Call, "headers" | "path">): Problem | null {
  const isOfInterface = call.path.startsWith("/v1/") || call.path === "/v1";
  if (call.headers.authorization === undefined || !isOfInterface || !isFromPage(call)) return null;
  return new Problem("browser_not_allowed", "A credential must never be sent from a browser.");
}

/** A call with a credential is never taken for a page's, nor for a visitor's. The credential is not looked at. */
export function refuseCredential(call: Call): void {
  if (call.headers.authorization === undefined) return;
  throw unauthorized("This route takes no credential: leave Authorization out.");
}

/** Unknown, revoked, expired, malformed or missing: the answer is the same to the byte. */
export function credentialRefused(): Problem {
  return unauthorized("A valid credential is required: Authorization: Bearer <API key>.");
}

/** That of an integration secret: it is one text for every website, whichever place its secret may stand in. */
export function secretRefused(): Problem {
  return unauthorized(
    "A valid integration secret is required: Authorization: Bearer, X-Integration-Secret, or secret in the body. " +
      "Where the website has settled on one of these places, it must stand there.",
  );
}

const unauthorized = (detail: string): Problem =>
  new Problem("unauthorized", detail, { headers: [["WWW-Authenticate", "Bearer"]] });

/** The one token of a call's one Authorization header; null for none, several, or another scheme. */
export function bearerTokenOf(call: Call): string | null {
  // Of two headers Node would keep the first.
  const values = call.every("authorization");
  return values.length === 1 ? bearerToken(values[0]) : null;
}

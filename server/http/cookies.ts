import type { Context } from "../context.ts";
import { type CookieSession, readSessionCookie, signSessionToken } from "../core/session-cookie.ts";
import type { Call } from "./call.ts";
import type { Header } from "./head.ts";

/**
 * The name of the session's cookie. `__Host-` lets no neighbour below the same domain write it (RFC 6265bis section
 * 4.1.3.2), and wants TLS, which a service at a loopback address does not have.
 */
const nameOf = (baseUrl: string): string => (baseUrl.startsWith("https:") ? "__Host-offers" : "offers");

type Made = Pick<Context, "baseUrl" | "tokenKeys">;

/**
 * The session that a call's cookie names, whether or not there is one; null when there is no cookie, or one that cannot be right.
 * Of two cookies of one name nobody can say which one is true.
 */
export function cookieSessionOf(
  { headers }: Pick<Call, "headers">,
  { baseUrl, tokenKeys }: Made,
): CookieSession | null {
  const beginning = `${nameOf(baseUrl)}=`;
  const [value, other] = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(beginning))
    .map((pair) => pair.slice(beginning.length));
  return value === undefined || other !== undefined ? null : readSessionCookie(tokenKeys, value);
}

/** Has a browser keep a session's token, out of reach of any script; null takes it away. */
export function sessionCookie(token: string | null, { baseUrl, tokenKeys }: Made): Header {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  const life = token === null ? "; Max-Age=0" : "";
  const value = token === null ? "" : signSessionToken(tokenKeys, token);
  return ["Set-Cookie", `${nameOf(baseUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${life}`];
}

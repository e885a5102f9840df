import { tokenHash } from "../core/session-life.ts";
import type { Call } from "./call.ts";
import type { Header } from "./head.ts";

/**
 * The name of the session's cookie. `__Host-` lets no neighbour below the same domain write it (RFC 6265bis section
 * 4.1.3.2), and wants TLS, which a service at a loopback address does not have.
 */
const nameOf = (baseUrl: string): string => (baseUrl.startsWith("https:") ? "__Host-offers" : "offers");

/**
 * What is kept of the token in the session's cookie; null when there is none, or one that cannot be right. Of two cookies of
 * one name nobody can say which one is true.
 */
export function sessionHashOf({ headers }: Pick<Call, "headers">, baseUrl: string): string | null {
  const beginning = `${nameOf(baseUrl)}=`;
  const [token, other] = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(beginning))
    .map((pair) => pair.slice(beginning.length));
  return token === undefined || other !== undefined ? null : tokenHash(token);
}

/** Has a browser keep a session's token, out of reach of any script; null takes it away. */
export function sessionCookie(token: string | null, baseUrl: string): Header {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  const life = token === null ? "; Max-Age=0" : "";
  return ["Set-Cookie", `${nameOf(baseUrl)}=${token ?? ""}; Path=/; HttpOnly; SameSite=Lax${secure}${life}`];
}

import type { ApplicationType } from "@offers/contract/oauth";
import { isLoopbackHost } from "./loopback-host.ts";

/** As of a landing page: longer ones do not survive every server on the way. */
const mostBytes = 2048;

/** Those at which any port is taken for the registered one. */
const nativeLoopbackHosts: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

/**
 * What is wrong with an address that a partner wants its visitors to be sent back to; null: nothing. It is registered
 * as it is written, because it is compared byte by byte (RFC 9700 section 2.1), so it must be written as browsers do.
 */
export function redirectAddressProblem(text: string, applicationType: ApplicationType): string | null {
  if (Buffer.byteLength(text) > mostBytes) return `must have at most ${mostBytes} bytes`;
  if (!URL.canParse(text)) return "must be a whole address, such as https://partner.example/callback";
  const url = new URL(text);
  const { hostname, protocol } = url;
  if (url.username !== "" || url.password !== "") return "must hold no user name and no password";
  // RFC 6749 section 3.1.2; a lone # has an empty fragment.
  if (text.includes("#")) return "must have no fragment (#…)";
  if (hostname.includes("*")) return "must name one host: there are no patterns";
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackHost(hostname))) {
    return "must begin with https:// (http:// is for loopback hosts alone, such as http://127.0.0.1:9000/callback)";
  }
  if (applicationType === "native") {
    const isLoopback = nativeLoopbackHosts.includes(hostname);
    if (isLoopback && protocol === "https:") return "must begin with http:// on a loopback host";
    if (!isLoopback && protocol === "http:") return `must be on ${nativeLoopbackHosts.join(", ")}, or https`;
  }
  return url.href === text ? null : `must be written as browsers write it: ${url.href}`;
}

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * An address of the public internet in the plainest spelling, IPv4 also when it came mapped into IPv6;
 * null when the text is no address, or one of a private, loopback or otherwise special range,
 * or one with a zone (RFC 4007), which means something to its own machine only.
 */
export function publicAddress(text: string): string | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  const address = ipaddr.process(text);
  return special.has(address.range()) ? null : address.toString();
}

const special: ReadonlySet<string> = new Set([
  "unspecified",
  "broadcast",
  "multicast",
  "linkLocal",
  "loopback",
  "carrierGradeNat",
  "private",
  "uniqueLocal",
  "reserved",
]);

import ipaddr from "ipaddr.js";
import type { Call } from "./call.ts";

/** Who is calling: the one address that location, limits and visitor hashes are made from. */
export type ClientAddress = {
  /** Canonical text; an IPv4 address that was mapped into IPv6 stands as IPv4. */
  address: string;
  /** What a household or a phone keeps: the IPv4 address, or the IPv6 /64. */
  prefix: string;
};

/**
 * The client's address: the socket's, or the one that stands `trustedHops` entries from the right of
 * X-Forwarded-For. An entry that is no address ends the walk: what is left of it was written by a stranger,
 * so the nearest trusted hop is the client then. No other header is ever read.
 */
export function clientAddress(call: Pick<Call, "peer" | "headers">, trustedHops: number): ClientAddress {
  const socket = parseSocketAddress(call.peer);
  const forwarded = call.headers["x-forwarded-for"];
  if (trustedHops === 0 || forwarded === undefined) return socket;
  const entries = String(forwarded).split(",");
  let client = socket;
  for (let hop = 1; hop <= trustedHops; hop += 1) {
    const entry = entries[entries.length - hop]?.trim();
    const parsed = entry === undefined ? null : parseAddress(entry);
    if (parsed === null) return client;
    client = parsed;
  }
  return client;
}

/** A socket that is already gone has no address any more; nobody will read the answer. */
const nowhere: ClientAddress = { address: "0.0.0.0", prefix: "0.0.0.0" };

const parseSocketAddress = (text: string | undefined): ClientAddress =>
  // A link-local address carries its interface: fe80::1%eth0.
  (text && parseAddress(text.replace(/%.*$/, ""))) || nowhere;

/** Longest of all: eight groups of four, or six of them before a dotted IPv4 part. */
const longestAddress = 45;
/** ipaddr.js also takes octal, hexadecimal and short forms, in which one address has many spellings. */
const dottedDecimal = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const colonForm = /^[0-9a-f:]+(?:(?:\d{1,3}\.){3}\d{1,3})?$/i;

/** An address in its one spelling; null when the text is none. */
export function parseAddress(text: string): ClientAddress | null {
  if (text.length > longestAddress) return null;
  if (dottedDecimal.test(text)) return { address: text, prefix: text };
  if (!colonForm.test(text) || !ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) {
    const mapped = address.toIPv4Address().toString();
    return { address: mapped, prefix: mapped };
  }
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return { address: address.toRFC5952String(), prefix: `${network.join(":")}::/64` };
}

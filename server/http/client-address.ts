import { isIPv6 } from "node:net";
import type { Log } from "../core/log-events.ts";
import { ipv6Groups, mappedBits } from "../geo/address-bits.ts";
import { createTally } from "../log/tally.ts";
import type { Call } from "./call.ts";

/** Who is calling: the one address that location, limits and visitor hashes are made from. */
export type ClientAddress = {
  /** Canonical text; an IPv4 address that was mapped into IPv6 stands as IPv4. */
  address: string;
  /** What a household or a phone keeps: the IPv4 address, or the IPv6 /64. */
  prefix: string;
  /** Which trusted proxy, 1 being the nearest, wrote something that is no address; absent when none did. */
  unreadableHop?: number;
};

/** The address of whoever makes a call. */
export type ClientOf = (call: Pick<Call, "peer" | "headers">) => ClientAddress;

/** How often it is said at the most that a proxy writes no addresses, in milliseconds. */
const sayEveryMs = 60_000;

/**
 * The one way to a client's address, behind so many trusted proxies as write X-Forwarded-For. A trusted proxy that
 * writes no address makes itself the client of all its visitors: that is logged, at most once a minute, with how many
 * calls it has met and without what was written.
 */
export function createClientOf({ trustProxyHops, log }: { trustProxyHops: number; log: Log }): ClientOf {
  let hop = 0;
  const unreadable = createTally(sayEveryMs, (calls) =>
    log({ event: "forwarded_for_unreadable", hop, calls }),
  );
  return (call) => {
    const client = clientAddress(call, trustProxyHops);
    if (client.unreadableHop !== undefined) {
      hop = client.unreadableHop;
      unreadable.count();
    }
    return client;
  };
}

/**
 * The client's address: the socket's, or the one that stands `trustedHops` entries from the right of
 * X-Forwarded-For, read with or without a port. An entry that is no address ends the walk: what is left of it was
 * written by a stranger, so the nearest trusted hop is the client then. No other header is ever read.
 */
export function clientAddress(call: Pick<Call, "peer" | "headers">, trustedHops: number): ClientAddress {
  const socket = parseSocketAddress(call.peer);
  const forwarded = call.headers["x-forwarded-for"];
  if (trustedHops === 0 || forwarded === undefined) return socket;
  const entries = String(forwarded).split(",");
  let client = socket;
  for (let hop = 1; hop <= trustedHops; hop += 1) {
    const entry = entries[entries.length - hop]?.trim();
    if (entry === undefined) return client;
    const parsed = parseAddress(entry) ?? parseAddress(withoutPort(entry));
    if (parsed === null) return { ...client, unreadableHop: hop };
    client = parsed;
  }
  return client;
}

/**
 * The network that a client is in: its IPv4 address, or its IPv6 /48. One line is given up to 65,536 prefixes of 64 bits,
 * and whoever holds them must not pass for so many callers.
 */
export function networkOf({ prefix }: ClientAddress): string {
  const groups = prefix.split(":");
  return groups.length === 1 ? prefix : `${groups.slice(0, 3).join(":")}::/48`;
}

/** A socket that is already gone has no address any more; nobody will read the answer. */
const nowhere: ClientAddress = { address: "0.0.0.0", prefix: "0.0.0.0" };

const parseSocketAddress = (text: string | undefined): ClientAddress =>
  // A link-local address carries its interface: fe80::1%eth0.
  (text && parseAddress(text.replace(/%.*$/, ""))) || nowhere;

/**
 * An IPv4 address with the port that some gateways write behind it, or an IPv6 address in brackets, with or without one
 * (RFC 3986 section 3.2.2). IPv6 without brackets has no port: nobody could tell it from a last group.
 */
const ported = /^(?:\[(?=[^\]]*:)([^\]]*)\]|([\d.]+)(?=:))(?::([1-9]\d{0,4}))?$/;
const mostPort = 65_535;

const withoutPort = (entry: string): string => {
  const [, bracketed, dotted, port] = ported.exec(entry) ?? [];
  const isPort = port === undefined || Number(port) <= mostPort;
  return (isPort && (bracketed ?? dotted)) || entry;
};

/** Longest of all: eight groups of four, or six of them before a dotted IPv4 part. */
const longestAddress = 45;
/** An octal, hexadecimal or short form would be one more spelling of the same address. */
const dottedDecimal = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const colonForm = /^[0-9a-f:]+(?:(?:\d{1,3}\.){3}\d{1,3})?$/i;

/** An address in its one spelling; null when the text is none. */
export function parseAddress(text: string): ClientAddress | null {
  if (text.length > longestAddress) return null;
  if (dottedDecimal.test(text)) return { address: text, prefix: text };
  if (!colonForm.test(text)) return null;
  const spelled = text.includes(".") ? withPlainEnd(text) : text;
  return isIPv6(spelled) ? ofGroups(ipv6Groups(spelled)) : null;
}

/**
 * An IPv6 address that ends in an IPv4 address, as Node takes it: without zeros before a number. One that has nothing but
 * `::` before its end, a form that RFC 4291 has given up, is read as the mapped one (`::ffff:198.51.100.7`).
 */
const withPlainEnd = (text: string): string =>
  text.replace(/^::(?=\d+\.)/, "::ffff:").replace(/(?<=[:.])0+(?=\d+(?:\.|$))/g, "");

const ofGroups = (groups: readonly number[]): ClientAddress => {
  const mapped = mappedBits(groups);
  if (mapped !== null) {
    const dotted = [24, 16, 8, 0].map((shift) => (mapped >>> shift) & 255).join(".");
    return { address: dotted, prefix: dotted };
  }
  const written = groups.map((group) => group.toString(16));
  return { address: shortest(groups, written), prefix: `${written.slice(0, 4).join(":")}::/64` };
};

/** RFC 5952 section 4.2: `::` stands for the longest run of zeros, the first of several, and for no single one. */
const shortest = (groups: readonly number[], written: readonly string[]): string => {
  let from = 0;
  let length = 1;
  let run = 0;
  groups.forEach((group, at) => {
    run = group === 0 ? run + 1 : 0;
    if (run > length) {
      length = run;
      from = at + 1 - run;
    }
  });
  if (length === 1) return written.join(":");
  return `${written.slice(0, from).join(":")}::${written.slice(from + length).join(":")}`;
};

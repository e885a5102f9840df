import type { RequestId } from "@offers/contract/ids";
import { type KnownNetwork, longestUserAgent } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { Caller } from "../core/edge-refusals.ts";
import type { Payer, Viewer, Visit } from "../core/journal-entry.ts";
import type { SealedFacts } from "../core/request-facts.ts";
import { type RequestFacts, sealRequestId } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { networkHash, type SaltKey, visitorHash } from "../core/visitor-hash.ts";
import type { Call } from "../http/call.ts";
import { type ClientAddress, networkOf, parseAddress } from "../http/client-address.ts";
import { parameterProblem } from "../http/problem.ts";

/** The key of a request that begins at `at`, in milliseconds since the epoch. */
export function newRequestKey(context: Context, at: number): string {
  return requestKeyOf(at, context.randomBytes(requestRandomBytes));
}

/** Begins a visit: seals what was decided about it into a requestId. `userAgent`: undefined where it is not known. */
export function beginVisit(
  context: Context,
  facts: Omit<SealedFacts, "issuedAt">,
  userAgent: string | undefined,
): { requestId: RequestId; visit: Visit } {
  const at = context.clock();
  const request = newRequestKey(context, at);
  const requestId = sealRequestId(context.tokenKeys, { ...facts, issuedAt: at }, request);
  const { websiteId, country, region, surface, test } = facts;
  const agent = agentOf(context, userAgent);
  return { requestId, visit: { request, websiteId, country, region, surface, test, ...agent, at } };
}

/**
 * A later call of a visit that was decided before: its place is the decision's.
 * @param userAgent the visitor's; undefined: a server calls.
 */
export function laterVisit(context: Context, facts: RequestFacts, userAgent: string | undefined): Visit {
  return {
    request: facts.request,
    websiteId: facts.websiteId,
    country: facts.country,
    region: facts.region,
    surface: facts.surface,
    test: facts.test,
    ...agentOf(context, userAgent),
    at: context.clock(),
  };
}

/** What a visitor's user agent says of browser and device; undefined: it is not known. */
export function agentOf(
  { userAgents }: Context,
  userAgent: string | undefined,
): Pick<Visit, "browser" | "device"> {
  if (userAgent === undefined) return { browser: null, device: 0 };
  const { browser, device } = userAgents(userAgent);
  return { browser, device };
}

/** What a call of a visitor says of them; a visit of a development website is not the operator's own. */
export function callerOf(
  context: Context,
  { headers }: Call,
  { client, test }: { client: ClientAddress; test: boolean },
): Omit<Caller, "isNavigation"> {
  const userAgent = headers["user-agent"] ?? "";
  return {
    isBot: context.userAgents(userAgent).isBot,
    hasUserAgent: userAgent.trim() !== "",
    isInternal: !test && context.isInternal(client.address),
    network: knownNetworkOf(context, { client, test }),
  };
}

/**
 * What the visitor's address is known to belong to. Null also where it is not known, and on a development website: its
 * author may well work on a machine in a data centre.
 */
export function knownNetworkOf(
  { networks }: Context,
  { client, test }: { client: ClientAddress | null; test: boolean },
): KnownNetwork | null {
  return test || client === null ? null : networks.kindOf(client.address);
}

/** The visitor's name of this day on one website, or null for one who asked by Global Privacy Control not to have any. */
export function hashVisitor(context: Context, call: Call, seen: Seen): string | null {
  return hasNoName(call) ? null : hashOf(context.store.salts().today, seen, userAgentOf(call));
}

/** Who clicks, by the salts of two days: who was billed before midnight is still known after it. */
export function payerOf(context: Context, call: Call, seen: Seen & { offer: number }): Payer {
  const { today, yesterday } = context.store.salts();
  const ofTwoDays = (hash: (saltKey: SaltKey) => string) => ({
    today: hash(today),
    yesterday: hash(yesterday),
  });
  const network = networkOf(seen.client);
  return {
    visitors: hasNoName(call) ? null : ofTwoDays((saltKey) => hashOf(saltKey, seen, userAgentOf(call))),
    networks: ofTwoDays((saltKey) => networkHash({ saltKey, network, offer: seen.offer })),
  };
}

/**
 * The decision's visitor, as far as a later call of theirs lets them be known: null also where that asks for no name
 * (decisions.md#global-privacy-control).
 */
export function visitorOf(call: Call, { visitor }: Pick<SealedFacts, "visitor">): string | null {
  return hasNoName(call) ? null : visitor;
}

/**
 * By what the billed views of an offer are limited: the visitor of the decision, and their network. Whatever the offer costs
 * by now: a view is billed by what it cost when it was handed out.
 */
export function viewerOf(
  context: Context,
  call: Call,
  { facts, client, offer }: { facts: SealedFacts; client: ClientAddress; offer: number },
): Viewer {
  const saltKey = context.store.salts().today;
  return {
    visitor: visitorOf(call, facts),
    network: networkHash({ saltKey, network: networkOf(client), offer }),
  };
}

/** The visitor as a publisher's server saw them; its address as `addressOf` has read it. */
type Named = { websiteId: number; client: ClientAddress | null; userAgent: string | undefined };

/** The hash of a visitor whom a server names; null also when too little is known to tell one visitor from the next. */
export function hashNamedVisitor(
  context: Context,
  call: Call,
  { websiteId, client, userAgent }: Named,
): string | null {
  if (client === null || userAgent === undefined || hasNoName(call)) return null;
  return hashOf(context.store.salts().today, { websiteId, client }, userAgent);
}

/** The address that a server names its visitor by; null when it names none. */
export function addressOf({ ip }: { ip?: string | undefined }): ClientAddress | null {
  if (ip === undefined) return null;
  const client = parseAddress(ip);
  if (client !== null) return client;
  throw parameterProblem("invalid_parameter", {
    parameter: "ip",
    message: "must be an IPv4 or IPv6 address",
  });
}

/** Who is seen on which website. */
type Seen = { websiteId: number; client: ClientAddress };

/** Who asks by Global Privacy Control, or by the older `DNT`, not to be followed. */
const hasNoName = ({ headers }: Call): boolean => headers["sec-gpc"] === "1" || headers.dnt === "1";

/** As much of it as counts where a server names it, so that the visitor of a page is the same one there. */
const userAgentOf = ({ headers }: Call): string => (headers["user-agent"] ?? "").slice(0, longestUserAgent);

const hashOf = (saltKey: SaltKey, { websiteId, client }: Seen, userAgent: string): string =>
  visitorHash({ saltKey, websiteId, addressPrefix: client.prefix, userAgent });

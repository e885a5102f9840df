import type { RequestId } from "@offers/contract/ids";
import type { Context } from "../context.ts";
import type { Visit, VisitorHashes } from "../core/journal-entry.ts";
import type { SealedFacts } from "../core/request-facts.ts";
import { type RequestFacts, sealRequestId } from "../core/request-id.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { type SaltKey, visitorHash } from "../core/visitor-hash.ts";
import type { Call } from "../http/call.ts";
import { type ClientAddress, parseAddress } from "../http/client-address.ts";
import { parameterProblem } from "../http/problem.ts";

/** The key of a request that begins at `at`, in milliseconds since the epoch. */
export function newRequestKey(context: Context, at: number): string {
  return requestKeyOf(at, context.randomBytes(requestRandomBytes));
}

/** Begins a visit: seals what was decided about it into a requestId. */
export function beginVisit(
  context: Context,
  facts: Omit<SealedFacts, "issuedAt">,
): { requestId: RequestId; visit: Visit } {
  const at = context.clock();
  const request = newRequestKey(context, at);
  const requestId = sealRequestId(context.tokenKeys, { ...facts, issuedAt: at }, request);
  const { websiteId, country, region, surface, test } = facts;
  return { requestId, visit: { request, websiteId, country, region, surface, test, at } };
}

/** A later call of a visit that was decided before: its place is the decision's. */
export function laterVisit(context: Context, facts: RequestFacts): Visit {
  return {
    request: facts.request,
    websiteId: facts.websiteId,
    country: facts.country,
    region: facts.region,
    surface: facts.surface,
    test: facts.test,
    at: context.clock(),
  };
}

/** The visitor's name of this day on one website, or null for one who asked by Global Privacy Control not to have any. */
export function hashVisitor(context: Context, call: Call, seen: Seen): string | null {
  return hasNoName(call) ? null : hashOf(context.store.salts().today, seen, userAgentOf(call));
}

/** The same with that of the day before: a visitor who was billed before midnight is still known after it. */
export function hashVisitorOfTwoDays(context: Context, call: Call, seen: Seen): VisitorHashes | null {
  if (hasNoName(call)) return null;
  const { today, yesterday } = context.store.salts();
  const userAgent = userAgentOf(call);
  return { today: hashOf(today, seen, userAgent), yesterday: hashOf(yesterday, seen, userAgent) };
}

/** The visitor as a publisher's server saw them. */
export type Named = { ip?: string | undefined; userAgent?: string | undefined };

/** That of a visitor whom a server names; null also when too little is known to tell one visitor from the next. */
export function hashNamedVisitor(
  context: Context,
  call: Call,
  named: Named & { websiteId: number },
): string | null {
  const client = addressOf(named);
  if (client === null || named.userAgent === undefined || hasNoName(call)) return null;
  return hashOf(context.store.salts().today, { websiteId: named.websiteId, client }, named.userAgent);
}

/** The address that a server names its visitor by; null when it names none. */
export function addressOf({ ip }: Named): ClientAddress | null {
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

const hasNoName = ({ headers }: Call): boolean => headers["sec-gpc"] === "1";

const userAgentOf = ({ headers }: Call): string => headers["user-agent"] ?? "";

const hashOf = (saltKey: SaltKey, { websiteId, client }: Seen, userAgent: string): string =>
  visitorHash({ saltKey, websiteId, addressPrefix: client.prefix, userAgent });

import type { RequestId } from "@offers/contract/ids";
import type { Context } from "../context.ts";
import type { Visit, VisitorHashes } from "../core/journal-entry.ts";
import type { SealedFacts } from "../core/request-facts.ts";
import { type RequestFacts, sealRequestId } from "../core/request-id.ts";
import { visitorHash } from "../core/visitor-hash.ts";
import type { Call } from "../http/call.ts";
import { type ClientAddress, parseAddress } from "../http/client-address.ts";
import { parameterProblem } from "../http/problem.ts";

/** The key of a request's events: random, never used twice. */
const requestKeyBytes = 12;

export function newRequestKey(context: Context): string {
  return context.randomBytes(requestKeyBytes).toString("base64url");
}

/** Begins a visit: seals what was decided about it into a requestId. */
export function beginVisit(
  context: Context,
  { visitor, ...facts }: Omit<SealedFacts, "issuedAt" | "visitor"> & { visitor: VisitorHashes | null },
): { requestId: RequestId; visit: Visit } {
  const at = context.clock();
  const { requestId, request } = sealRequestId(
    context.tokenKeys,
    { ...facts, visitor: visitor?.today ?? null, issuedAt: at },
    context.randomBytes(requestKeyBytes),
  );
  const { websiteId, country, region, surface, test } = facts;
  return { requestId, visit: { request, websiteId, country, region, surface, test, visitor, at } };
}

/** The requestId of a visit whose key was made before it was decided. */
export function sealAgain(context: Context, request: string, facts: SealedFacts): RequestId {
  return sealRequestId(context.tokenKeys, facts, Buffer.from(request, "base64url")).requestId;
}

/** A later call of a visit that was decided before: its place is the decision's, its visitor is the caller. */
export function laterVisit(context: Context, call: Call, facts: RequestFacts, client: ClientAddress): Visit {
  return {
    request: facts.request,
    websiteId: facts.websiteId,
    country: facts.country,
    region: facts.region,
    surface: facts.surface,
    test: facts.test,
    visitor: hashVisitor(context, call, { websiteId: facts.websiteId, client }),
    at: context.clock(),
  };
}

/**
 * The visitor's names of this day and the day before on one website, or null for one who asked by
 * Global Privacy Control not to have any.
 */
export function hashVisitor(
  context: Context,
  { headers }: Call,
  seen: { websiteId: number; client: ClientAddress },
): VisitorHashes | null {
  if (headers["sec-gpc"] === "1") return null;
  return hashesOf(context, { ...seen, userAgent: headers["user-agent"] ?? "" });
}

/** The visitor as a publisher's server saw them. */
export type Named = { ip?: string | undefined; userAgent?: string | undefined };

/** The same of a visitor whom a server names; null also when too little is known to tell one visitor from the next. */
export function hashNamedVisitor(
  context: Context,
  { headers }: Call,
  named: Named & { websiteId: number },
): VisitorHashes | null {
  const client = addressOf(named);
  if (client === null || named.userAgent === undefined || headers["sec-gpc"] === "1") return null;
  return hashesOf(context, { websiteId: named.websiteId, client, userAgent: named.userAgent });
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

const hashesOf = (
  context: Context,
  seen: { websiteId: number; client: ClientAddress; userAgent: string },
): VisitorHashes => {
  const { today, yesterday } = context.store.salts();
  const visitor = {
    websiteId: seen.websiteId,
    addressPrefix: seen.client.prefix,
    userAgent: seen.userAgent,
  };
  return {
    today: visitorHash({ saltKey: today, ...visitor }),
    yesterday: visitorHash({ saltKey: yesterday, ...visitor }),
  };
};

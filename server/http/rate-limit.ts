import type { RateLimitName } from "@offers/contract/endpoints";
import type { ErrorRequestHandler, Request, Response } from "express";
import type { Context } from "../context.ts";
import { type ClientAddress, clientAddress } from "./client-address.ts";
import { Problem } from "./problem.ts";
import { type Turn, windowSeconds } from "./rate-limits.ts";

/** A visitor of a website, a caller of no website in particular, or an API key or secret from wherever it is used. */
export type LimitedCaller = { websiteId: number | null; client: ClientAddress } | { keyId: string };

/** Counts a call for whoever makes it, announces where it stands, and refuses it above the limit. */
export async function takeTurn(
  context: Context,
  res: Response,
  name: RateLimitName,
  caller: LimitedCaller,
): Promise<void> {
  const turn = await context.rateLimits.take(name, rateLimitKey(caller));
  announce(res, turn);
  if (!turn.admitted) throw rateLimited(turn);
}

/**
 * Counts a refused call for its address alone, whatever website it named: guessing is limited too,
 * and how it is limited does not tell which websites exist.
 */
export function limitRefusals(context: Context, name: RateLimitName): ErrorRequestHandler {
  return async (error, req: Request, res, next) => {
    const isRefusal = error instanceof Problem && (error.status === 400 || error.status === 403);
    const isCounted = res.hasHeader("RateLimit");
    if (!isRefusal || isCounted) return next(error);
    const client = clientAddress(req, context.trustProxyHops);
    const turn = await context.rateLimits.take(name, rateLimitKey({ websiteId: null, client }));
    next(turn.admitted ? error : rateLimited(turn));
  };
}

/** What a limit counts by. IPv6 counts by /64: a single visitor holds all addresses of one. */
export function rateLimitKey(caller: LimitedCaller): string {
  return "keyId" in caller ? caller.keyId : `${caller.websiteId ?? "-"} ${caller.client.prefix}`;
}

/** draft-ietf-httpapi-ratelimit-headers: structured fields, seconds relative to now. */
const fieldsOf = ({ name, limit, remaining, resetSeconds }: Turn): Record<string, string> => ({
  "RateLimit-Policy": `"${name}";q=${limit};w=${windowSeconds}`,
  RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
});

const announce = (res: Response, turn: Turn): void => {
  for (const [field, value] of Object.entries(fieldsOf(turn))) res.setHeader(field, value);
};

const rateLimited = (turn: Turn): Problem =>
  new Problem("rate_limited", `The limit is ${turn.limit} requests a minute. Try again later.`, {
    headers: { ...fieldsOf(turn), "Retry-After": String(turn.resetSeconds) },
  });

import { randomBytes } from "node:crypto";
import { type RateLimitName, rateLimits } from "@offers/contract/endpoints";
import { createCallTable } from "../core/call-table.ts";
import type { HashSeed } from "../core/hash64.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Header } from "./head.ts";
import { Problem } from "./problem.ts";

/** How one call stands against its limit. */
export type Turn = {
  name: RateLimitName;
  admitted: boolean;
  /** Calls a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
};

export type RateLimits = {
  /**
   * Counts one call of `key`. A call above the limit never lengthens the window. What needs nobody's answer is there at
   * once, and in one process that is everything; a promise is never rejected.
   */
  take(name: RateLimitName, key: string): Turn | Promise<Turn>;
};

/** All limits of the contract are per minute. */
export const windowSeconds = 60;
/** 5 MB, however many addresses call. */
export const mostCallers = 131_072;

/**
 * Counts calls against the limits of the contract, in this process alone.
 * @param factor multiplies every limit; no limit falls below one call.
 * @param more.now milliseconds that only ever grow; the process's own when it is left out.
 */
export function createRateLimits(
  factor: number,
  { now = () => performance.now() }: { now?: () => number } = {},
): { take(name: RateLimitName, key: string): Turn } {
  const table = createCallTable({ windowSeconds, capacity: mostCallers, seed: drawSeed() });
  return {
    take: (name, key) => {
      const { calls, resetSeconds } = table.count(`${name} ${key}`, now());
      const limit = limitOf(name, factor);
      return { name, admitted: calls <= limit, limit, remaining: Math.max(0, limit - calls), resetSeconds };
    },
  };
}

/** What a table of callers hashes their keys under: each table of each process by its own, which nobody is told. */
export function drawSeed(): HashSeed {
  const drawn = randomBytes(8);
  return [drawn.readInt32LE(0), drawn.readInt32LE(4)];
}

/** How many calls a window has room for: never less than one. */
export function limitOf(name: RateLimitName, factor: number): number {
  return Math.max(1, Math.round(rateLimits[name] * factor));
}

/** A visitor of a website; null: of none in particular. IPv6 counts by /64: a single visitor holds all addresses of one. */
export function visitorKey(websiteId: number | null, client: ClientAddress): string {
  return `${websiteId ?? "-"} ${client.prefix}`;
}

/** Where the caller stands: draft-ietf-httpapi-ratelimit-headers, structured fields, seconds relative to now. */
export function turnHeaders({ name, limit, remaining, resetSeconds }: Turn): Header[] {
  return [
    ["RateLimit-Policy", `"${name}";q=${limit};w=${windowSeconds}`],
    ["RateLimit", `"${name}";r=${remaining};t=${resetSeconds}`],
  ];
}

export function rateLimited(turn: Turn): Problem {
  return new Problem("rate_limited", `The limit is ${turn.limit} requests a minute. Try again later.`, {
    headers: [["Retry-After", String(turn.resetSeconds)]],
  });
}

import { endpoints } from "@offers/contract/endpoints";
import cors, { type CorsOptions } from "cors";
import type { Request, RequestHandler } from "express";
import type { Context } from "../context.ts";
import { pageOrigin } from "./site-origin.ts";

/** Ten minutes: what every browser keeps a preflight's answer for at the least. */
const preflightSeconds = 600;

const noGrant: CorsOptions = { origin: false };

const grantFor = (methods: readonly string[]): CorsOptions => ({
  origin: true,
  methods: [...methods],
  allowedHeaders: ["Content-Type"],
  exposedHeaders: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  maxAge: preflightSeconds,
  // The route answers OPTIONS itself, so that an unknown path stays unknown.
  preflightContinue: true,
});

/**
 * Lets pages of every registered origin read the answers, whatever they will be: a page that may not read
 * a 429 cannot slow down. No credentials, so the grant gives away nothing that a server could not fetch.
 */
export function shareWithRegisteredOrigins(context: Context): RequestHandler {
  const grantOf = prepareGrants();
  return cors<Request>((req, answer) => {
    const origin = pageOrigin(req);
    const isRegistered = origin !== null && context.store.catalogue().isRegisteredOrigin(origin);
    // The path as it was sent: where the router mounted this, `req.path` is only the rest of it.
    const path = `${req.baseUrl}${req.path}`;
    answer(null, isRegistered ? grantOf(path) : noGrant);
  });
}

/** What a page may do at a path: what the contract says, nothing where only a website's server may call. */
const prepareGrants = (): ((path: string) => CorsOptions) => {
  const anyGrant = grantFor([]);
  const grants = endpoints
    .filter(({ group }) => group !== "server")
    .map(({ path, method, group }) => ({
      matches: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/, "[^/]+")}$`),
      grant: group === "backend" ? noGrant : grantFor([method]),
    }));
  return (path) => grants.find(({ matches }) => matches.test(path))?.grant ?? anyGrant;
};

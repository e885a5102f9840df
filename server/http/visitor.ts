import type { Request } from "express";
import type { Context } from "../context.ts";
import type { Visit, VisitorHashes } from "../core/journal-entry.ts";
import type { RequestFacts } from "../core/request-id.ts";
import { visitorHash } from "../core/visitor-hash.ts";
import type { ClientAddress } from "./client-address.ts";

/**
 * The visitor's names of this day and the day before on one website, or null for one who asked by
 * Global Privacy Control not to have any.
 */
export function visitorHashes(
  context: Context,
  req: Request,
  seen: { websiteId: number; client: ClientAddress },
): VisitorHashes | null {
  if (req.headers["sec-gpc"] === "1") return null;
  return hashesOf(context, { ...seen, userAgent: req.headers["user-agent"] ?? "" });
}

/** The names of this day and the day before of whoever is seen with this address and user agent. */
export function hashesOf(
  context: Context,
  seen: { websiteId: number; client: ClientAddress; userAgent: string },
): VisitorHashes {
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

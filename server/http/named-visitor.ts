import type { Location } from "@offers/contract/location";
import type { Request, Response } from "express";
import type { Context } from "../context.ts";
import type { VisitorHashes } from "../core/journal-entry.ts";
import { type ClientAddress, clientAddress, parseAddress } from "./client-address.ts";
import { Problem } from "./problem.ts";
import { hashesOf } from "./visitor.ts";

/** The visitor as a publisher's server saw them. */
type Named = { ip?: string | undefined; userAgent?: string | undefined };

/**
 * Where the visitor is whom a server speaks of: at the address that it names, else, and then the answer says so,
 * at its own.
 */
export function locateNamedVisitor(context: Context, req: Request, res: Response, named: Named): Location {
  if (named.ip === undefined) res.setHeader("X-Geo-Basis", "caller-ip");
  const { address } = addressOf(named) ?? clientAddress(req, context.trustProxyHops);
  const { country, region } = context.geo.locate(address);
  return { country, region };
}

/** The visitor's names, or null when too little is known to tell one visitor from the next, or none is wanted. */
export function hashNamedVisitor(
  context: Context,
  req: Request,
  named: Named & { websiteId: number },
): VisitorHashes | null {
  const client = addressOf(named);
  if (client === null || named.userAgent === undefined || req.headers["sec-gpc"] === "1") return null;
  return hashesOf(context, { websiteId: named.websiteId, client, userAgent: named.userAgent });
}

const addressOf = ({ ip }: Named): ClientAddress | null => {
  if (ip === undefined) return null;
  const client = parseAddress(ip);
  if (client !== null) return client;
  const message = "must be an IPv4 or IPv6 address";
  throw new Problem("invalid_parameter", `ip ${message}.`, { errors: [{ parameter: "ip", message }] });
};

import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import { hashIntegrationSecret } from "../core/integration-secret.ts";
import { bearerTokenOf, credentialRefused } from "./api-key.ts";
import { takeTurn } from "./rate-limit.ts";

/**
 * Refuses a call whose headers carry no live secret, before its body is read. One that has neither header is let on:
 * the secret may stand in the body.
 */
export function refuseWrongSecretHeader(context: Context): RequestHandler {
  return (req, _res, next) => {
    const presented = secretOfHeaders(req);
    if (presented !== undefined) requireOwner(context, presented);
    next();
  };
}

/**
 * The website whose live secret a call carries: in `Authorization`, else in `X-Integration-Secret`, else in the body.
 * What stands first counts alone: a wrong one is never made good by another. Counts the call against the secret.
 */
export async function requireSecretOwner(
  context: Context,
  req: Request,
  res: Response,
  bodySecret: unknown,
): Promise<Website> {
  const presented = secretOfHeaders(req) ?? (typeof bodySecret === "string" ? bodySecret : null);
  const { secretId, website } = requireOwner(context, presented);
  await takeTurn(context, res, "trigger", { keyId: secretId });
  return website;
}

/** Undefined: no header names one. Null: one does, and not in its form. */
const secretOfHeaders = (req: Request): string | null | undefined => {
  if (req.headers.authorization !== undefined) return bearerTokenOf(req);
  const own = req.headersDistinct["x-integration-secret"];
  if (own === undefined) return undefined;
  return own.length === 1 ? (own[0] ?? null) : null;
};

/** Looked up by its hash, so that the time it takes tells nothing of another secret. */
const requireOwner = (context: Context, presented: string | null): { secretId: string; website: Website } => {
  const stored =
    presented === null
      ? undefined
      : context.store.integrationSecret(hashIntegrationSecret(presented).toString("base64url"));
  const website = stored && context.store.catalogue().websiteById(stored.websiteId);
  if (!stored || !website) throw credentialRefused("integration secret");
  return { secretId: stored.secretId, website };
};

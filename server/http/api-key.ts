import type { PublisherId } from "@offers/contract/ids";
import type { Scope } from "@offers/contract/words";
import type { Request, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import { isLiveApiKey, parseApiKey, type StoredApiKey } from "../core/api-key.ts";
import { bearerToken } from "../core/bearer.ts";
import { Problem } from "./problem.ts";
import { takeTurn } from "./rate-limit.ts";

/** Who calls with an API key. */
export type ApiCaller = { keyId: string; publisherId: PublisherId };

/** Lets a call in that carries a live API key with the scope, within the key's limit. `callerOf` then says whose it is. */
export function requireApiKey(context: Context, scope: Scope): RequestHandler {
  return async (req, res, next) => {
    const key = liveKeyOf(context, req);
    if (key === null) throw credentialRefused();
    await takeTurn(context, res, "key", { keyId: key.id });
    if (!key.scopes.includes(scope)) throw insufficientScope(scope);
    context.store.noteKeyUse(key.id, context.clock());
    res.locals.apiCaller = { keyId: key.id, publisherId: key.publisherId } satisfies ApiCaller;
    next();
  };
}

/** The caller that `requireApiKey` let in. */
export function callerOf(res: Response): ApiCaller {
  const caller: ApiCaller | undefined = res.locals.apiCaller;
  if (caller === undefined) throw new TypeError("the route does not list requireApiKey");
  return caller;
}

/** Unknown, revoked, expired, malformed or missing: the answer is the same to the byte. */
export function credentialRefused(wanted = "API key"): Problem {
  return new Problem("unauthorized", `A valid credential is required: Authorization: Bearer <${wanted}>.`, {
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

/** The one token of a call's one Authorization header; null for none, several, or another scheme. */
export function bearerTokenOf(req: Request): string | null {
  // Of two headers Node would keep the first.
  const headers = req.headersDistinct.authorization ?? [];
  return headers.length === 1 ? bearerToken(headers[0]) : null;
}

const liveKeyOf = (context: Context, req: Request): StoredApiKey | null => {
  const token = bearerTokenOf(req);
  const presented = token === null ? null : parseApiKey(token);
  if (presented === null) return null;
  const stored = context.store.apiKey(presented.id);
  return isLiveApiKey(presented, stored, context.clock()) ? stored : null;
};

/** RFC 6750 section 3.1. */
const insufficientScope = (scope: Scope): Problem =>
  new Problem("insufficient_scope", `The API key needs the scope ${scope}.`, {
    headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });

import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { oauthPaths } from "@offers/contract/oauth";
import type { Express, Request, Response } from "express";
import type Provider from "oidc-provider";
import type { Context } from "../context.ts";
import { readPlain } from "../http/body.ts";
import type { Answer, Call } from "../http/call.ts";
import { networkOf } from "../http/client-address.ts";
import { baselineHead, withHead } from "../http/head.ts";
import { loggedCall } from "../http/logged-call.ts";
import { callOf, writeAnswer } from "../http/node-call.ts";
import { problemOf } from "../http/problem.ts";
import { rateLimited, type Turn, turnHeaders, visitorKey } from "../http/rate-limits.ts";
import { answerMethodsBeside, patternOf } from "../http/route.ts";
import { problemPage } from "../http/small-page.ts";
import { connectPattern } from "./connect-path.ts";
import { askForConsent, type FoundInteraction, readAsked, takeConsent, troublePage } from "./consent.ts";
import { oauthMetadata } from "./metadata.ts";
import { ownRequest } from "./own-request.ts";

/** Serves OAuth 2.0 by Express: each of its paths by hand, since the library would take every other path for its own. */
export function serveOauth(app: Express, context: Context): void {
  const service = { context, provider: lazyProvider(context) };
  app.all(oauthPaths.metadata, (req, res) => {
    if (answeredByMethod(req, res, "GET", "HEAD")) return;
    const headers = ["Content-Type", "application/json; charset=utf-8"];
    send(req, res, { status: 200, headers, body: JSON.stringify(oauthMetadata(context.baseUrl)) });
  });
  app.all([oauthPaths.authorize, patternOf(`${oauthPaths.authorize}/:uid`)], async (req, res) => {
    if (answeredByMethod(req, res, "GET")) return;
    if (!(await admitPerson(service, req, res)) || !admitQuestion(service, req, res)) return;
    if (callOf(req).query.length > authorizeBytes) return send(req, res, troublePage("too_long", 400));
    await hand(service, req, res, null);
  });
  app.all([oauthPaths.token, oauthPaths.revoke], async (req, res) => {
    if (answeredByMethod(req, res, "POST")) return;
    await answerPartner(service, req, res);
  });
  app.all(patternOf(connectPattern), async (req, res) => {
    if (answeredByMethod(req, res, "GET", "POST")) return;
    try {
      if (await admitPerson(service, req, res)) await answerPerson(service, req, res);
    } catch (error) {
      const problem = problemOf(error);
      const call = callOf(req);
      if (problem.code === "internal_error")
        context.log({ event: "request_failed", ...loggedCall(call), err: error }, call);
      send(req, res, problemPage(problem));
    }
  });
}

/**
 * The longest query that a partner may send a person with: all of it is kept for as long as the consent waits. Partners have
 * whole states of their own in `state`, so it is more than elsewhere (`targetProblem`).
 */
const authorizeBytes = 8192;

type Service = { context: Context; provider: () => Promise<Provider> };

/** The library takes 40 MB and a quarter of a second to load: who has no partners pays neither. */
const lazyProvider = (context: Context): (() => Promise<Provider>) => {
  let made: Promise<Provider> | null = null;
  return () => {
    made ??= import("./provider.ts")
      .then(({ createProvider }) => createProvider(context))
      .catch((error: unknown) => {
        // What was in the way may pass, such as a process that may open no more files: the next call loads it again.
        made = null;
        throw error;
      });
    return made;
  };
};

/** Lets the library answer the call on the response that belongs to it. */
const hand = async (
  { context, provider }: Service,
  req: Request,
  res: Response,
  body: Uint8Array | null,
): Promise<void> => {
  const answer = (await provider()).callback();
  await answer(ownRequest(callOf(req), body, context.baseUrl), res);
};

/** A partner's server: counted for whom it says it is at its address, so that nobody uses up another's calls. */
const answerPartner = async (service: Service, req: Request, res: Response): Promise<void> => {
  const { context } = service;
  const call = callOf(req);
  const client = context.clientOf(call);
  admit(res, await context.rateLimits.take("oauth_address", visitorKey(null, client)));
  const body = await readPlain(call);
  // Anybody's text of any length, which a digest keeps from being the key of another's calls.
  const clientId = hash("sha256", clientIdOf(call, body));
  const turn = await context.rateLimits.take("oauth_token", `${call.path} ${clientId} ${client.prefix}`);
  admit(res, turn);
  await hand(service, req, res, body);
};

/** Tells what is left of a limit, and throws where that is nothing. */
const admit = (res: Response, turn: Turn): void => {
  for (const [header, value] of turnHeaders(turn)) res.setHeader(header, value);
  if (!turn.admitted) throw rateLimited(turn);
};

const answerPerson = async (service: Service, req: Request, res: Response): Promise<void> => {
  const { context } = service;
  const call = callOf(req);
  const provider = await service.provider();
  const form = call.method === "POST" ? new URLSearchParams(textOf(await readPlain(call))) : null;
  const own = ownRequest(call, null, context.baseUrl);
  const asked = await readAsked(provider, await findInteraction(provider, own, res), uidOf(call));
  const answer =
    form === null
      ? await askForConsent(asked, call, context)
      : await takeConsent(asked, call, form, { context, provider });
  send(req, res, answer);
};

/** The consent that this browser's cookie names; null: none, or none any more. */
const findInteraction = async (
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<FoundInteraction> => {
  try {
    return await provider.interactionDetails(req, res);
  } catch (error) {
    if (error instanceof Error && error.name === "SessionNotFound") return null;
    throw error;
  }
};

/**
 * A person's browser, counted by its network as those who sign in are: each question that it brings is a row until it is
 * answered.
 */
const admitPerson = async ({ context }: Service, req: Request, res: Response): Promise<boolean> => {
  const client = context.clientOf(callOf(req));
  const key = visitorKey(null, { ...client, prefix: networkOf(client) });
  const turn = await context.rateLimits.take("oauth_address", key);
  if (turn.admitted) return true;
  turnAway(req, res, [...turnHeaders(turn), ...rateLimited(turn).headers]);
  return false;
};

/** A question that is new waits until it is answered: one network alone must not keep all others from asking. */
const admitQuestion = ({ context }: Service, req: Request, res: Response): boolean => {
  const call = callOf(req);
  if (call.path !== oauthPaths.authorize) return true;
  const turn = context.askedConsents.take(networkOf(context.clientOf(call)), performance.now());
  if (!turn.ok) turnAway(req, res, [["Retry-After", String(turn.retrySeconds)]]);
  return turn.ok;
};

const turnAway = (req: Request, res: Response, headers: readonly (readonly [string, string])[]): void => {
  const page = troublePage("rate_limited", 429);
  send(req, res, { ...page, headers: [...headers.flat(), ...page.headers] });
};

/** Answers what is none of the path's methods, and says so. */
const answeredByMethod = (req: Request, res: Response, ...methods: string[]): boolean => {
  const other = answerMethodsBeside(methods, callOf(req));
  if (other !== null) send(req, res, other);
  return other !== null;
};

const send = (req: Request, res: Response, answer: Answer): void => {
  const call = callOf(req);
  const written = withHead(call.id, answer, baselineHead);
  writeAnswer(res, call.method === "HEAD" ? { ...written, body: null } : written);
};

const textOf = (body: Uint8Array): string => Buffer.from(body).toString();

/** Who the caller says it is; that it is right, the library finds out. */
const clientIdOf = ({ headers }: Call, body: Uint8Array): string => {
  const [scheme = "", credentials = ""] = (headers.authorization ?? "").split(" ");
  const basic = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString() : "";
  return basic.split(":")[0] || new URLSearchParams(textOf(body)).get("client_id") || "-";
};

const uidOf = ({ path }: Call): string => path.slice(path.lastIndexOf("/") + 1);

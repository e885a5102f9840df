import { endpoints } from "@offers/contract/endpoints";
import cors, { type CorsOptions } from "cors";
import type { ErrorRequestHandler, Request, RequestHandler } from "express";
import type { Context } from "../context.ts";
import { targetProblem, unknownPath } from "./answer.ts";
import { browserProblem } from "./credentials.ts";
import { baselineHead, exposedHeaders, requestIdHeader, withHead } from "./head.ts";
import { loggedCall } from "./logged-call.ts";
import { callOf, writeAnswer } from "./node-call.ts";
import { problemAnswer, problemOf } from "./problem.ts";
import { answerOtherMethods, patternOf } from "./route.ts";
import { registeredOrigin } from "./site-origin.ts";

/** The headers that every answer starts from; what serves a file sets others later. */
export const setBaselineHeaders: RequestHandler = (req, res, next) => {
  res.setHeader(requestIdHeader, callOf(req).id);
  for (const [name, value] of baselineHead) res.setHeader(name, value);
  next();
};

/** What holds for every path of the interface holds for those that are none, too. */
export const refuseBrowserCredentials: RequestHandler = (req, _res, next) => {
  next(browserProblem(callOf(req)) ?? undefined);
};

export const refuseBadTargets: RequestHandler = (req, _res, next) => {
  next(targetProblem(callOf(req)) ?? undefined);
};

export const refuseUnknownPath: RequestHandler = (_req, _res, next) => next(unknownPath());

/** For a file: GET and HEAD. */
export const allowReading: RequestHandler = (req, res, next) => {
  const other = answerOtherMethods({ method: "GET", hasHead: true }, callOf(req));
  if (other === null) next();
  else writeAnswer(res, other);
};

/** The last handler of all: whatever went wrong becomes one RFC 9457 document. */
export function writeProblems(context: Pick<Context, "baseUrl" | "log">): ErrorRequestHandler {
  return (error, req, res, _next) => {
    // Of a caller who was told that the answer is late: what was to be written to it is no failure.
    if (res.writableEnded && error?.code === "ERR_HTTP_HEADERS_SENT") return;
    const problem = problemOf(error);
    const call = callOf(req);
    if (problem.code === "internal_error")
      context.log({ event: "request_failed", ...loggedCall(call), err: error }, call);
    // An answer that has begun cannot turn into an error; ending the connection is what the client can notice.
    if (res.writableEnded) return;
    if (res.headersSent) res.destroy();
    else writeAnswer(res, withHead(call.id, problemAnswer(problem, context.baseUrl, call)));
  };
}

/** Ten minutes: what every browser keeps a preflight's answer for at the least. */
const preflightSeconds = 600;

const noGrant: CorsOptions = { origin: false };

const grantFor = (methods: readonly string[]): CorsOptions => ({
  origin: true,
  methods: [...methods],
  allowedHeaders: ["Content-Type"],
  exposedHeaders: [...exposedHeaders],
  maxAge: preflightSeconds,
  // The route answers OPTIONS itself, so that an unknown path stays unknown.
  preflightContinue: true,
});

/** Answers the preflights of registered origins, and lets their pages read what Express itself answers. */
export function shareWithRegisteredOrigins(context: Context): RequestHandler {
  const grantOf = prepareGrants();
  return cors<Request>((req, answer) => {
    // The path as it was sent: where the router mounted this, `req.path` is only the rest of it.
    const path = `${req.baseUrl}${req.path}`;
    answer(null, registeredOrigin(context, req) === null ? noGrant : grantOf(path));
  });
}

/** What a page may do at a path: what the contract says, nothing where only a website's server may call. */
const prepareGrants = (): ((path: string) => CorsOptions) => {
  const anyGrant = grantFor([]);
  const grants = endpoints
    .filter(({ group }) => group !== "server")
    .map(({ path, method, group }) => ({
      matches: patternOf(path),
      grant: group === "backend" ? noGrant : grantFor([method]),
    }));
  return (path) => grants.find(({ matches }) => matches.test(path))?.grant ?? anyGrant;
};

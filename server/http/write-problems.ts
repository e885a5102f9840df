import type { ErrorRequestHandler, RequestHandler, Response } from "express";
import type { Context } from "../context.ts";
import { knownProblem } from "./known-problem.ts";
import { Problem, problemBody } from "./problem.ts";
import { smallPage } from "./small-page.ts";

/** The last handler of all: whatever went wrong becomes one RFC 9457 document. */
export function writeProblems(context: Pick<Context, "baseUrl" | "log">): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const problem = problemOf(context, error, req.method, req.path);
    if (cannotAnswer(res)) return;
    setHeaders(res, problem);
    res.setHeader("Content-Type", "application/problem+json; charset=utf-8");
    res.end(JSON.stringify(problemBody(problem, context.baseUrl)));
  };
}

/** The same for a route that people come to themselves: a small page when that is what the client reads. */
export function writeProblemPages(context: Pick<Context, "baseUrl" | "log">): ErrorRequestHandler {
  return (error, req, res, next) => {
    // The first of the list is taken when the client does not care.
    if (req.accepts(["json", "html"]) !== "html") return next(error);
    const problem = problemOf(context, error, req.method, req.path);
    if (cannotAnswer(res)) return;
    setHeaders(res, problem);
    smallPage(res, pageTexts[problem.code] ?? otherText);
  };
}

export const refuseUnknownPath: RequestHandler = () => {
  throw new Problem("not_found", "No route has this path.");
};

const otherText = {
  title: "This link cannot be opened",
  text: "Go back to the page that you came from and try again.",
};

const tryAgainText = {
  title: "One moment, please",
  text: "The service is busy. Reload this page in a few seconds.",
};

/** Said to a visitor who followed a link, not to a developer. */
const pageTexts: Partial<Record<Problem["code"], { title: string; text: string }>> = {
  invalid_token: {
    title: "This link is not complete",
    text: "Part of its address is missing or was changed. Go back to the page that you came from and follow the link again.",
  },
  offer_gone: {
    title: "This offer has ended",
    text: "The advertiser no longer offers it. Nothing was recorded about your visit.",
  },
  unavailable: tryAgainText,
  overloaded: tryAgainText,
  speculative_request: tryAgainText,
};

const problemOf = (context: Pick<Context, "log">, error: unknown, method: string, path: string): Problem => {
  const problem = knownProblem(error);
  // The path alone: a query may hold a token.
  if (problem.code === "internal_error") context.log.error({ err: error, method, path }, "request failed");
  return problem;
};

/** An answer that has begun cannot turn into an error; ending the connection is what the client can notice. */
const cannotAnswer = (res: Response): boolean => {
  if (res.headersSent) res.destroy();
  return res.headersSent;
};

const setHeaders = (res: Response, problem: Problem): void => {
  res.statusCode = problem.status;
  for (const [field, value] of Object.entries(problem.headers)) res.setHeader(field, value);
};

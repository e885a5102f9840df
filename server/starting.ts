import type { IncomingMessage, RequestListener } from "node:http";
import type { Context } from "./context.ts";
import type { Answer } from "./http/call.ts";
import { baselineHead, withHead } from "./http/head.ts";
import { loggedCall } from "./http/logged-call.ts";
import { beginCall, callOf, serveAnswers } from "./http/node-call.ts";
import { type Problem, problemAnswer, unavailable } from "./http/problem.ts";
import { createRequestIds } from "./http/request-ids.ts";
import { tellAlive } from "./routes/health.ts";

/** What answers a request that could not be read, from the first connection on. */
export function createRefusing({
  baseUrl,
  randomBytes,
  log,
}: Pick<Context, "randomBytes"> & {
  /** Known once the service listens. */
  baseUrl: () => string;
  log: Context["log"];
}): (problem: Problem) => Answer {
  const nextId = createRequestIds(randomBytes);
  return (problem) => {
    const id = nextId();
    log({ event: "request_unreadable", request: id, status: problem.status });
    return withHead(id, problemAnswer(problem, baseUrl(), { id }), baselineHead);
  };
}

/** What answers a call whose own answer is late, under the id by which the log may know why. */
export function createLateAnswers({
  baseUrl,
  log,
}: {
  baseUrl: () => string;
  log: Context["log"];
}): (req: IncomingMessage) => Answer {
  const late = unavailable("The answer takes too long. What was asked for may be done all the same.");
  return (req) => {
    const call = callOf(req);
    log({ event: "answer_late", ...loggedCall(call) }, call);
    return withHead(call.id, problemAnswer(late, baseUrl(), call), baselineHead);
  };
}

/** What answers while the database is migrated and read: the process is alive, and nobody is served yet. */
export function createStartingListener({
  baseUrl,
  randomBytes,
}: Pick<Context, "randomBytes"> & { baseUrl: () => string }): RequestListener {
  const nextId = createRequestIds(randomBytes);
  const refusal = unavailable("The service is starting.");
  const serve = serveAnswers(
    (call) => {
      const { id, method, path } = call;
      const isAsked = path === "/healthz" && (method === "GET" || method === "HEAD");
      return withHead(id, isAsked ? tellAlive() : problemAnswer(refusal, baseUrl(), call), baselineHead);
    },
    { onWait: () => undefined, onFailure: () => undefined, isDraining: () => false },
  );
  return (req, res) => serve(beginCall(req, nextId()), res);
}

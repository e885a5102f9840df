import type { Context } from "../context.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { DeskSilent } from "../desk/desk.ts";
import { targetProblem, unknownPath } from "./answer.ts";
import type { Answer, Call } from "./call.ts";
import { refuseCredential } from "./credentials.ts";
import type { DashRoute } from "./dash-route.ts";
import { baselineWith, withHead } from "./head.ts";
import { loggedCall } from "./logged-call.ts";
import { Problem, problemAnswer, problemOf, unavailable } from "./problem.ts";
import { turnHeaders } from "./rate-limits.ts";
import { patternOf, type Told } from "./route.ts";
import { problemPage } from "./small-page.ts";

/** No answer of the dashboard is read by another origin, or kept anywhere. */
const dashHead = baselineWith(["Vary", "Cookie"], ["Cross-Origin-Opener-Policy", "same-origin"]);

/** Every address that is none of the interface and none of a file. */
const anyPage = /^\/dash\/(?!api\/|a\/)/;

/** The answers of the dashboard and its interface, by path and method. Never rejects: what fails is answered too. */
export function createDashAnswering(
  context: Context,
  routes: readonly DashRoute[],
): (call: Call) => Promise<Answer> {
  const tables = [...Map.groupBy(routes, ({ endpoint }) => endpoint.path)].map(([path, ofPath]) => ({
    pattern: path === "/dash/*" ? anyPage : patternOf(path),
    ofPath,
  }));
  return async (call) => {
    const told: Told = { head: dashHead, turn: null, website: null, keyId: null };
    const finish = (answer: Answer): Answer =>
      withHead(call.id, answer, told.head, told.turn === null ? [] : turnHeaders(told.turn));
    let isPage = false;
    try {
      const wrong = targetProblem(call);
      if (wrong !== null) throw wrong;
      const ofPath = tables.find(({ pattern }) => pattern.test(call.path))?.ofPath ?? [];
      if (ofPath.length === 0) throw unknownPath();
      isPage = ofPath.some((route) => route.isPage);
      // A key is no session, and does not pass for one.
      refuseCredential(call);
      const asked = call.method === "HEAD" ? "GET" : call.method;
      const route = ofPath.find(({ endpoint }) => endpoint.method === asked);
      if (route === undefined) throw otherMethod(ofPath.map(({ endpoint }) => endpoint.method));
      const answer = await route.answer(call, told);
      return finish(call.method === "HEAD" ? { ...answer, body: null } : answer);
    } catch (error) {
      const problem = inWords(error, call);
      if (problem.code === "internal_error")
        context.log({ event: "request_failed", ...loggedCall(call), err: error }, call);
      return finish(isPage ? problemPage(problem) : problemAnswer(problem, context.baseUrl, call));
    }
  };
}

/** Whoever changes something on a page records no event. */
const inWords = (error: unknown, { method }: Call): Problem => {
  if (!(error instanceof StorageUnavailable)) return problemOf(error);
  const isOpen = error instanceof DeskSilent && method !== "GET" && method !== "HEAD";
  const advice = isOpen
    ? "It may be saved all the same: look before you try again."
    : "Nothing was changed: try again.";
  return unavailable(`The database cannot be used for the moment. ${advice}`, error.retryAfterSeconds);
};

const otherMethod = (methods: readonly string[]): Problem =>
  new Problem("method_not_allowed", `The method must be one of ${methods.join(", ")}.`, {
    headers: [["Allow", methods.join(", ")]],
  });

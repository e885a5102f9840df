import type { Context } from "../context.ts";
import { refusalLimit } from "../core/refusal-limit.ts";
import { keySubject, limitedCall, type RefusedCall } from "../core/refused-call.ts";
import type { Answer, Call } from "./call.ts";
import { browserProblem } from "./credentials.ts";
import { baselineHead, grantTo, type Header, withHead } from "./head.ts";
import { loggedCall } from "./logged-call.ts";
import { Problem, problemAnswer, problemOf } from "./problem.ts";
import { rateLimited, type Turn, turnHeaders, visitorKey } from "./rate-limits.ts";
import { patternOf, type Route, type Told } from "./route.ts";
import { registeredOrigin } from "./site-origin.ts";

/** The answers of all routes. */
export type Answering = {
  /** By the route of the call's path. Never throws and never rejects: what fails is answered too. */
  answer: (call: Call) => Answer | Promise<Answer>;
  /** To a call that nobody looks at, in the form that its route has for problems. */
  refuse: (call: Call, problem: Problem) => Answer;
};

export function createAnswering(context: Context, routes: readonly Route[]): Answering {
  const find = prepareSearch(routes);
  const answer: Answering["answer"] = (call) => {
    const route = find(call);
    const told: Told = { head: baselineHead, turn: null, website: null, keyId: null };
    const finish = (answer: Answer): Answer =>
      withHead(call.id, answer, told.head, grantOf(context, route, call, told), turnOf(told));
    const early = route === null ? unknownPath() : (browserProblem(call) ?? targetProblem(call));
    if (route === null || early !== null)
      return finish(problemAnswer(early ?? unknownPath(), context.baseUrl, call));
    const fail = (error: unknown): Answer | Promise<Answer> => {
      const answer = answerFailure(context, route, call, told, error);
      return answer instanceof Promise ? answer.then(finish) : finish(answer);
    };
    try {
      const answer = route.answer(call, told);
      return answer instanceof Promise ? answer.then(finish, fail) : finish(answer);
    } catch (error) {
      return fail(error);
    }
  };
  const refuse: Answering["refuse"] = (call, problem) => {
    const route = find(call);
    const told: Told = { head: route?.head ?? baselineHead, turn: null, website: null, keyId: null };
    const answer = tell(context, route, call, problem);
    return withHead(call.id, answer, told.head, grantOf(context, route, call, told));
  };
  return { answer, refuse };
}

/** Finds the route of a path; of two groups that share one, whoever has a credential is never taken for a page. */
const prepareSearch = (routes: readonly Route[]): ((call: Call) => Route | null) => {
  type Choice = { anyone: Route; keyHolder: Route };
  const exact = new Map<string, Choice>();
  const patterns: { pattern: RegExp; choice: Choice }[] = [];
  for (const [path, here] of Map.groupBy(routes, ({ endpoint }) => endpoint.path)) {
    const ofKeys = here.find(({ endpoint }) => endpoint.group === "server");
    const other = here.find((route) => route !== ofKeys);
    const [anyone, keyHolder] = [other ?? ofKeys, ofKeys ?? other];
    if (anyone === undefined || keyHolder === undefined) continue;
    if (path.includes(":")) patterns.push({ pattern: patternOf(path), choice: { anyone, keyHolder } });
    else exact.set(path, { anyone, keyHolder });
  }
  return ({ path, headers }) => {
    const choice = exact.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.choice;
    if (choice === undefined) return null;
    return headers.authorization === undefined ? choice.anyone : choice.keyHolder;
  };
};

export function unknownPath(): Problem {
  return new Problem("not_found", "No route has this path.");
}

/** The longest query of the contract is a click token's; a longer one is refused before it is parsed. */
const queryBytes = 2048;

/** A target that cannot be meant: broken percent-encoding in the path, or an endless query. */
export function targetProblem({ path, query }: Pick<Call, "path" | "query">): Problem | null {
  if (query.length > queryBytes) {
    return new Problem("malformed_request", `The query must be at most ${queryBytes} bytes.`);
  }
  if (path.includes("%") && !isDecodable(path)) {
    return new Problem("malformed_request", "The path is not valid percent-encoded UTF-8.");
  }
  return null;
}

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

const nothing: readonly Header[] = [];

/** What lets a page read the answer: of the interface alone, and never where only a website's server may call. */
const grantOf = (context: Context, route: Route | null, call: Call, told: Told): readonly Header[] => {
  const { origin, authorization } = call.headers;
  if (origin === undefined || authorization !== undefined) return nothing;
  if (!call.path.startsWith("/v1/") || route?.endpoint.group === "backend") return nothing;
  return told.website !== null || registeredOrigin(context, call) !== null ? grantTo(origin) : nothing;
};

const turnOf = ({ turn }: Told): readonly Header[] => (turn === null ? nothing : turnHeaders(turn));

/** An answer to whatever a route threw. */
const answerFailure = (
  context: Context,
  route: Route,
  call: Call,
  told: Told,
  error: unknown,
): Answer | Promise<Answer> => {
  const answerBy = (problem: Problem): Answer => {
    noteRefusal(context, call, told, problem);
    if (problem.code === "internal_error")
      context.log({ event: "request_failed", ...loggedCall(call), err: error }, call);
    return tell(context, route, call, problem);
  };
  // Whoever guesses on and on fills no table: above the limit of guesses the problem is another one.
  const problem = countRefusal(context, route, call, told, problemOf(error));
  return problem instanceof Promise ? problem.then(answerBy) : answerBy(problem);
};

const tell = (context: Context, route: Route | null, call: Call, problem: Problem): Answer =>
  route?.problemPage?.(problem, call) ?? problemAnswer(problem, context.baseUrl, call);

/** Keeps for the publisher why calls of a page, which itself is never told, or with a key were refused. */
const noteRefusal = (context: Context, call: Call, told: Told, problem: Problem): void => {
  const refused = refusedCall(call, told, problem);
  if (refused !== null) context.store.noteRefusedCall(refused, context.clock());
};

const refusedCall = ({ headers }: Call, { website, keyId }: Told, problem: Problem): RefusedCall | null => {
  // What failed in the service is not noted with the key: its owner has nothing to mend.
  if (keyId !== null && problem.status < 500) {
    return { subject: keySubject(keyId), code: problem.code, detail: "" };
  }
  const isLimited = problem.code === "rate_limited" && website !== null;
  return isLimited ? limitedCall(website.id, headers.origin) : problem.refused;
};

/**
 * Counts a refused call for its address alone, whatever website, key or session it named: guessing is limited too, and
 * how it is limited does not tell which of them exist.
 */
const countRefusal = (
  context: Context,
  { endpoint }: Route,
  call: Call,
  told: Told,
  problem: Problem,
): Problem | Promise<Problem> => {
  const limit = refusalLimit(endpoint, problem, told.turn !== null);
  if (limit === null) return problem;
  const client = context.clientOf(call);
  const problemBy = (turn: Turn): Problem => {
    if (turn.admitted) return problem;
    told.turn = turn;
    return rateLimited(turn);
  };
  const turn = context.rateLimits.take(limit, visitorKey(null, client));
  return turn instanceof Promise ? turn.then(problemBy) : problemBy(turn);
};

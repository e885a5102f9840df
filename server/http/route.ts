import { type Endpoint, endpoints, type PathOf, type RateLimitName } from "@offers/contract/endpoints";
import type { Context } from "../context.ts";
import type { Website } from "../core/catalogue.ts";
import type { Answer, Call } from "./call.ts";
import type { Header } from "./head.ts";
import { overloaded, Problem } from "./problem.ts";
import { rateLimited, type Turn } from "./rate-limits.ts";

/** One row of the contract's table, and what answers its calls. The wrappers for the kinds of callers make it. */
export type Route = {
  endpoint: Endpoint;
  /** What its answers start from, where that is not what every answer starts from. */
  head?: readonly Header[];
  /** Throws a Problem, or rejects with one. */
  answer(call: Call, told: Told): Answer | Promise<Answer>;
  /** Where people come themselves they are told of a problem by a page; elsewhere it is a document. */
  problemPage?(problem: Problem, call: Call): Answer | null;
};

/** What the head of a call's answer tells, whatever becomes of the call. */
export type Told = {
  /** What it starts from. */
  head: readonly Header[];
  /** Where the caller stands against a limit, once the call was counted. */
  turn: Turn | null;
  /** Whose page the call was found to come from; when null, its Origin may be registered still. */
  website: Website | null;
  /** The API key that it was made with, once that was found to be the true one. */
  keyId: string | null;
};

/** The row of the contract's table. */
export function endpointOf<Group extends Endpoint["group"]>(group: Group, path: PathOf<Group>): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.group === group && endpoint.path === path);
  if (found === undefined) throw new TypeError(`the contract has no ${group} endpoint ${path}`);
  return found;
}

/** Which paths an endpoint's path stands for. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`);
}

/** Lets the endpoint's own methods through with null, answers OPTIONS, and refuses the rest. */
export function answerOtherMethods(
  { method, hasHead }: Pick<Endpoint, "method" | "hasHead">,
  call: Pick<Call, "method">,
): Answer | null {
  if (call.method === method || (hasHead && call.method === "HEAD")) return null;
  return answerMethodsBeside(hasHead ? [method, "HEAD"] : [method], call);
}

/** The same of a path with several methods of its own. */
export function answerMethodsBeside(methods: readonly string[], call: Pick<Call, "method">): Answer | null {
  if (methods.includes(call.method)) return null;
  const allow = [...methods, "OPTIONS"].join(", ");
  if (call.method !== "OPTIONS") {
    throw new Problem("method_not_allowed", `The method must be one of ${methods.join(", ")}.`, {
      headers: [["Allow", allow]],
    });
  }
  // The length lets Safari know that nothing follows.
  return { status: 204, headers: ["Allow", allow, "Content-Length", "0"], body: null };
}

/** Refuses while more waits for the disk than can be promised to get there; asked before a body is read. */
export function refuseWhenFull({ records }: Endpoint, context: Context): void {
  if (records && context.store.journal.isFull()) throw overloaded();
}

/**
 * Counts a call for whoever makes it, has the answer say where that stands, and refuses it above the limit: at once, or,
 * where other nodes had to be asked, by a promise.
 */
export function takeTurn(
  context: Context,
  told: Told,
  name: RateLimitName,
  key: string,
): Promise<void> | undefined {
  const turn = context.rateLimits.take(name, key);
  if (turn instanceof Promise) return turn.then((asked) => admit(told, asked));
  admit(told, turn);
  return undefined;
}

const admit = (told: Told, turn: Turn): void => {
  told.turn = turn;
  if (!turn.admitted) throw rateLimited(turn);
};

import { type RequestListener, STATUS_CODES } from "node:http";
import { dashErrorCodes, errorCodes } from "@offers/contract/problem";
import { blockReasons, emptyReasons } from "@offers/contract/words";
import { type BucketCounts, type Buckets, createBuckets } from "../core/buckets.ts";
import type { Answer, Outcome } from "../http/call.ts";
import { callOf, outcomeOf } from "../http/node-call.ts";
import type { Problem } from "../http/problem.ts";
import { type CountedRoute, countedRoutes, prepareRouteOf, unreadRoute } from "./routes.ts";

/** What has been answered since the start. */
export type RequestCounts = {
  requests: (CountedRoute & { method: string; status: string; requests: number })[];
  /** From a request's head to the end of its answer, of the routes that were called. */
  seconds: (CountedRoute & { counts: BucketCounts })[];
  /** Refusals by their code; each list has all its words, those that nobody was told included. */
  refused: Words;
  /** Decisions by what they are, for pages and for servers. */
  decided: { embed: Words; server: Words };
  /** Answers with offers, and those without by why. */
  offered: Words;
};

type Words = (readonly [word: string, answers: number])[];

export type RequestMeter = {
  /** Counts whatever a listener answers. */
  watch(listener: RequestListener): RequestListener;
  /** Counts what is answered to those that are no requests. */
  watchRefusing(refuse: (problem: Problem) => Answer): (problem: Problem) => Answer;
  read(): RequestCounts;
};

/** A decision takes some hundred microseconds, one that waits for the disk some milliseconds. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Others are counted together: whoever makes up methods makes up no series. */
const methods = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "other"] as const;
const otherMethod = methods.indexOf("other");
/** The last two: an answer of any other status, and a client that left before its answer began. */
const statuses = [...Object.keys(STATUS_CODES), "other", "none"];
const [otherStatus, noStatus] = [statuses.indexOf("other"), statuses.indexOf("none")];

const words = {
  refused: [...Object.keys(errorCodes), ...Object.keys(dashErrorCodes)],
  decided: ["allowed", ...blockReasons],
  offered: ["offers", ...emptyReasons],
} as const satisfies Record<Outcome["kind"], readonly string[]>;

/**
 * Counts answers where the process hands them to HTTP, whoever made them: a number for each route, method and status, and
 * a histogram for each route. An answer costs a look-up and a few additions, and everything is of a fixed size.
 */
export function createRequestMeter(): RequestMeter {
  const routeOf = prepareRouteOf();
  const methodOf = new Map<string, number>(methods.map((method, at) => [method, at]));
  const statusOf = new Map<number, number>(statuses.map((status, at) => [Number(status), at]));
  const requests = new Float64Array(countedRoutes.length * methods.length * statuses.length);
  const seconds = new Map<number, Buckets>();
  const outcomes = {
    refused: zeros(words.refused),
    pages: zeros(words.decided),
    servers: zeros(words.decided),
    offered: zeros(words.offered),
  };
  const count = (route: number, method: number, status: number): void => {
    const at = (route * methods.length + method) * statuses.length + status;
    requests[at] = (requests[at] ?? 0) + 1;
  };
  const countOutcome = (route: number, { kind, by }: Outcome): void => {
    const of = kind === "decided" ? (countedRoutes[route]?.group === "server" ? "servers" : "pages") : kind;
    outcomes[of].set(by, (outcomes[of].get(by) ?? 0) + 1);
  };
  const secondsOf = (route: number): Buckets => {
    const known = seconds.get(route);
    if (known !== undefined) return known;
    const fresh = createBuckets(secondsBounds);
    seconds.set(route, fresh);
    return fresh;
  };
  return {
    watch: (listener) => (req, res) => {
      const startedAt = performance.now();
      // Not `finish`: who leaves before the answer is counted too.
      res.once("close", () => {
        const call = callOf(req);
        const route = routeOf(call);
        const status = res.headersSent ? (statusOf.get(res.statusCode) ?? otherStatus) : noStatus;
        count(route, methodOf.get(call.method) ?? otherMethod, status);
        secondsOf(route).add((performance.now() - startedAt) / 1000);
        const outcome = outcomeOf(res);
        if (outcome !== undefined) countOutcome(route, outcome);
      });
      listener(req, res);
    },
    watchRefusing: (refuse) => (problem) => {
      count(unreadRoute, otherMethod, statusOf.get(problem.status) ?? otherStatus);
      countOutcome(unreadRoute, { kind: "refused", by: problem.code });
      return refuse(problem);
    },
    read: () => ({
      requests: readRequests(requests),
      seconds: [...seconds].flatMap(([at, buckets]) => {
        const route = countedRoutes[at];
        return route === undefined ? [] : [{ ...route, counts: buckets.read() }];
      }),
      refused: [...outcomes.refused],
      decided: { embed: [...outcomes.pages], server: [...outcomes.servers] },
      offered: [...outcomes.offered],
    }),
  };
}

const readRequests = (counts: Float64Array): RequestCounts["requests"] => {
  const found: RequestCounts["requests"] = [];
  for (const [at, requests] of counts.entries()) {
    if (requests === 0) continue;
    const [of, status] = [Math.floor(at / statuses.length), statuses[at % statuses.length]];
    const [route, method] = [countedRoutes[Math.floor(of / methods.length)], methods[of % methods.length]];
    if (route === undefined || method === undefined || status === undefined) continue;
    found.push({ ...route, method, status, requests });
  }
  return found;
};

const zeros = (names: readonly string[]): Map<string, number> => new Map(names.map((name) => [name, 0]));

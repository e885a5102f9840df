import type { ServerResponse } from "node:http";
import { type Endpoint, endpoints, type LoadClass } from "@offers/contract/endpoints";
import type { Context } from "../context.ts";
import { retryAfterSeconds, shouldShed } from "../core/load-shedding.ts";
import type { Answering } from "./answer.ts";
import type { Call } from "./call.ts";
import { writeAnswer } from "./node-call.ts";
import { overloaded } from "./problem.ts";
import { patternOf } from "./route.ts";

/**
 * Turns calls away while there is too much to do, before anything else is done for them. Says whether it did. The page
 * of a registered origin can read that it should come back later.
 */
export function prepareTurningAway(
  { load, store }: Context,
  refuse: Answering["refuse"],
): (call: Call, res: ServerResponse) => boolean {
  const loadClassOf = prepareLoadClasses();
  const refusals = retryAfterSeconds.map((seconds) => overloaded(seconds));
  return (call, res) => {
    const kind = loadClassOf(call.path);
    if (kind === null) return false;
    load.arrived();
    const pressure = { ...load.pressure(), waiting: store.journal.inMemory() };
    if (!shouldShed(pressure, kind, load.draw())) return false;
    writeAnswer(res, refuse(call, refusals[Math.floor(load.draw() * refusals.length)] ?? overloaded()));
    return true;
  };
}

/** Where the people of publishers come, and on their behalf what they have connected. */
const dashboardPaths = /^\/(dash|connect\/|v1\/oauth\/)/;

/** The class of a path: the contract's for its endpoints; what draws a page goes with decisions, what people sign in for with the dashboard, all else with the docs. */
const prepareLoadClasses = (): ((path: string) => LoadClass | null) => {
  const rows: readonly Endpoint[] = endpoints;
  const exact = new Map(rows.map(({ path, load }) => [path, load]));
  const patterns = rows
    .filter(({ path }) => path.includes(":"))
    .map(({ path, load }) => ({ pattern: patternOf(path), load }));
  return (path) => {
    const known = exact.get(path);
    if (known !== undefined) return known;
    if (dashboardPaths.test(path)) return "dashboard";
    if (path === "/embed.js" || path.startsWith("/c/")) return "decision";
    const found = patterns.find(({ pattern }) => pattern.test(path));
    return found === undefined ? "docs" : found.load;
  };
};

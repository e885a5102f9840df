import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import type { Call } from "../http/call.ts";
import { routePath, routePaths } from "../http/route-path.ts";

/** What an answer is counted under. */
export type CountedRoute = { group: string; route: string };

/** Whatever is no endpoint of the contract, under one name each however many routes those are; the first that fits. */
const others: readonly (CountedRoute & { pattern: RegExp })[] = [
  { group: "dashboard", route: "/dash/api/*", pattern: /^\/dash\/api\// },
  { group: "dashboard", route: "/dash/*", pattern: /^\/dash(\/|$)/ },
  { group: "partner", route: "/v1/oauth/*", pattern: /^(\/v1\/oauth\/|\/connect\/|\/\.well-known\/oauth)/ },
  { group: "files", route: "/embed.js", pattern: /^\/embed\.js$/ },
  { group: "files", route: "/c/*", pattern: /^\/c\// },
  { group: "files", route: "/docs/*", pattern: /^\/docs(\/|$)/ },
];
/** Paths of nobody; and what was no request at all, so that it had no path. */
const [unknown, unread] = [
  { group: "none", route: "unknown" },
  { group: "none", route: "unread" },
];

/** Every route by its number; there is no other. */
export const countedRoutes: readonly CountedRoute[] = [
  ...endpoints.map(({ group, path }) => ({ group, route: path })),
  ...others.map(({ group, route }) => ({ group, route })),
  unknown,
  unread,
];
export const unreadRoute = countedRoutes.indexOf(unread);
const unknownRoute = countedRoutes.indexOf(unknown);

/** Finds the number of a call's route, by its path, and by its credential where two groups share one. */
export function prepareRouteOf(): (call: Pick<Call, "path" | "headers">) => number {
  const numbers = new Map(routePaths.map((path) => [path, numbersOf(path)]));
  return ({ path, headers }) => {
    const found = numbers.get(routePath(path));
    if (found === undefined) return unknownRoute;
    return headers.authorization === undefined ? found.anyone : found.keyHolder;
  };
}

const numbersOf = (path: string): { anyone: number; keyHolder: number } => {
  const rows: readonly Endpoint[] = endpoints;
  const own = [...rows.entries()].filter(([, row]) => row.path === path);
  const [first] = own;
  if (first !== undefined) {
    const ofServers = own.find(([, { group }]) => group === "server") ?? first;
    const ofOthers = own.find(([, { group }]) => group !== "server") ?? first;
    return { anyone: ofOthers[0], keyHolder: ofServers[0] };
  }
  const other = others.findIndex(({ pattern }) => pattern.test(path));
  const number = other === -1 ? unknownRoute : rows.length + other;
  return { anyone: number, keyHolder: number };
};

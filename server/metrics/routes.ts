import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import type { Call } from "../http/call.ts";
import { patternOf } from "../http/route.ts";

/** What an answer is counted under. */
export type CountedRoute = { group: string; route: string };

/** Whatever is no endpoint of the contract, each under one name however many addresses it has; the first that fits. */
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
  const rows: readonly Endpoint[] = endpoints;
  const exact = new Map<string, { anyone: number; keyHolder: number }>();
  for (const [at, { path, group }] of rows.entries()) {
    const known = exact.get(path) ?? { anyone: at, keyHolder: at };
    exact.set(path, { ...known, [group === "server" ? "keyHolder" : "anyone"]: at });
  }
  const patterns = [
    ...rows.flatMap(({ path }, at) => (path.includes(":") ? [{ at, pattern: patternOf(path) }] : [])),
    ...others.map(({ pattern }, at) => ({ at: rows.length + at, pattern })),
  ];
  return ({ path, headers }) => {
    const known = exact.get(path);
    if (known !== undefined) return headers.authorization === undefined ? known.anyone : known.keyHolder;
    return patterns.find(({ pattern }) => pattern.test(path))?.at ?? unknownRoute;
  };
}

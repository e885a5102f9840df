import { dashEndpoints } from "@offers/contract/dash/endpoints";
import { endpoints } from "@offers/contract/endpoints";
import { oauthPaths } from "@offers/contract/oauth";
import type { Call } from "./call.ts";
import { patternOf } from "./route.ts";

/** Paths that are no endpoint's: pages, their files, and where people go to connect a partner. */
const others = [
  ...Object.values(oauthPaths),
  ...[`${oauthPaths.authorize}/:uid`, "/connect/:uid"],
  ...["/", "/embed.js", "/c/:file", "/docs", "/docs/:file"],
  ...["/dash", "/dash/a/:file", "/dash/link/:token"],
];

const known: ReadonlySet<string> = new Set([...endpoints.map(({ path }) => path), ...others]);
const ofDash: ReadonlySet<string> = new Set(dashEndpoints.map(({ path }) => path));

const patternsOf = (paths: ReadonlySet<string>) =>
  [...paths].filter((path) => path.includes(":")).map((path) => ({ path, pattern: patternOf(path) }));
const knownPatterns = patternsOf(known);
const dashPatterns = patternsOf(ofDash);

/**
 * A call's path as the log may have it: the path of its route, with names in the place of what differs from call to call.
 * Among that are tokens of links and ids of sessions, and of a path that is none anybody could have written anything.
 */
export function loggedPath(path: string): string {
  if (known.has(path) || ofDash.has(path)) return path;
  const isDash = path.startsWith("/dash/");
  const found = (isDash ? [...knownPatterns, ...dashPatterns] : knownPatterns).find(({ pattern }) =>
    pattern.test(path),
  );
  if (found !== undefined) return found.path;
  return isDash && !path.startsWith("/dash/api/") ? "/dash/*" : "…";
}

/** What any line tells of its call beside the id. The method is a stranger's word, but Node knows all that there are. */
export function loggedCall({ method, path }: Pick<Call, "method" | "path">): {
  method: string;
  path: string;
} {
  return { method, path: loggedPath(path) };
}

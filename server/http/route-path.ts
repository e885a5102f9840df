import { dashEndpoints } from "@offers/contract/dash/endpoints";
import { endpoints } from "@offers/contract/endpoints";
import { oauthPaths } from "@offers/contract/oauth";
import { patternOf } from "./route.ts";

/** Paths that are no endpoint's: pages, their files, and where people go to connect a partner. */
const others = [
  ...Object.values(oauthPaths),
  ...[`${oauthPaths.authorize}/:uid`, "/connect/:uid"],
  ...["/", "/embed.js", "/c/:file", "/docs", "/docs/:file"],
  ...["/dash", "/dash/a/:file", "/dash/link/:token"],
];
/** What else begins like the dashboard's interface, or like its pages, which know themselves; and what is nobody's. */
const [dashApi, dashPage, nobodys] = ["/dash/api/*", "/dash/*", "…"];

const known: ReadonlySet<string> = new Set([...endpoints.map(({ path }) => path), ...others]);
const ofDash: ReadonlySet<string> = new Set(dashEndpoints.map(({ path }) => path));

const patternsOf = (paths: ReadonlySet<string>) =>
  [...paths].filter((path) => path.includes(":")).map((path) => ({ path, pattern: patternOf(path) }));
const knownPatterns = patternsOf(known);
const dashPatterns = [...knownPatterns, ...patternsOf(ofDash)];

/** All that `routePath` returns. */
export const routePaths: readonly string[] = [...known, ...ofDash, dashApi, dashPage, nobodys];

/**
 * The path of a call's route, with names in the place of what differs from call to call: what a log and a metric may have of
 * it. Among what differs are tokens of links and ids of sessions, and of a path that is none anybody could have written
 * anything.
 */
export function routePath(path: string): string {
  if (known.has(path) || ofDash.has(path)) return path;
  const isDash = path.startsWith("/dash/");
  const found = (isDash ? dashPatterns : knownPatterns).find(({ pattern }) => pattern.test(path));
  if (found !== undefined) return found.path;
  if (!isDash) return nobodys;
  return path.startsWith("/dash/api/") ? dashApi : dashPage;
}

import { expect, test } from "vitest";
import { routePaths } from "../http/route-path.ts";
import { countedRoutes, prepareRouteOf } from "./routes.ts";

const routeOf = prepareRouteOf();

test.each([
  ["/v1/decision", {}, "embed /v1/decision"],
  ["/v1/decision", { authorization: "Bearer x" }, "server /v1/decision"],
  ["/v1/reports/aggregate", {}, "server /v1/reports/aggregate"],
  ["/v1/r", { authorization: "x" }, "open /v1/r"],
  ["/v1/widget-decline/session/dcl_secret", {}, "embed /v1/widget-decline/session/:sessionId"],
  ["/v1/widget-decline/session/a/b", {}, "none unknown"],
  ["/dash/api/websites/ws_secret", {}, "dashboard /dash/api/*"],
  ["/dash/link/secret", {}, "dashboard /dash/*"],
  ["/dash", {}, "dashboard /dash/*"],
  ["/dashing", {}, "none unknown"],
  ["/v1/oauth/token", {}, "partner /v1/oauth/*"],
  ["/.well-known/oauth-authorization-server", {}, "partner /v1/oauth/*"],
  ["/embed.js", {}, "files /embed.js"],
  ["/c/abcdef.js", {}, "files /c/*"],
  ["/docs/guide", {}, "files /docs/*"],
  ["/", {}, "none unknown"],
  ["/connect/SECRET", {}, "partner /v1/oauth/*"],
  ["/docs/nothing/there", {}, "none unknown"],
  ["/V1/decision", {}, "none unknown"],
  ["/metrics", {}, "none unknown"],
  ["", {}, "none unknown"],
] as const)("%s with %j is counted as %s", (path, headers, name) => {
  const { group, route } = countedRoutes[routeOf({ path, headers })] ?? {};
  expect(`${group} ${route}`).toBe(name);
});

test("every route that a log tells is counted under a name, but for the way to the docs", () => {
  const counted = (path: string) => countedRoutes[routeOf({ path, headers: {} })]?.route;
  expect(routePaths.filter((path) => counted(path) === "unknown")).toEqual(["/", "…"]);
});

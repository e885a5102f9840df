import { endpoints } from "@offers/contract/endpoints";
import { expect, test } from "vitest";
import { connectPath } from "../oauth/connect-path.ts";
import { routePath } from "./route-path.ts";

test.each([
  ["/v1/decision", "/v1/decision"],
  ["/v1/widget-decline/session/dcl_secret", "/v1/widget-decline/session/:sessionId"],
  ["/dash/link/SECRET", "/dash/link/:token"],
  ["/dash/websites/ws_a", "/dash/*"],
  ["/dash/api/me", "/dash/api/me"],
  ["/dash/api/publishers/publisher_1/keys/0a1b", "/dash/api/publishers/:publisher/keys/:key"],
  ["/dash/api/ada@example.com", "/dash/api/*"],
  ["/dash/a/index-abc.js", "/dash/a/:file"],
  ["/v1/oauth/token", "/v1/oauth/token"],
  [connectPath("SECRET"), "/connect/:uid"],
  ["/v1/oauth/authorize/SECRET", "/v1/oauth/authorize/:uid"],
  ["/c/chunk.js", "/c/:file"],
  ["/docs/guide", "/docs/:file"],
  ["/sk_secret", "…"],
  ["/v1/decision/", "…"],
  ["", "…"],
])("the route of %s is at %s", (path, route) => {
  expect(routePath(path)).toBe(route);
});

test("every endpoint of the contract stands there by its own path", () => {
  expect(endpoints.map(({ path }) => routePath(path))).toEqual(endpoints.map(({ path }) => path));
});

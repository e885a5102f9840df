import { accountEndpoints } from "./account-endpoints.ts";
import type { DashEndpoint } from "./endpoint.ts";
import { operatorEndpoints } from "./operator-endpoints.ts";
import { ownEndpoints } from "./own-endpoints.ts";
import { websiteEndpoints } from "./website-endpoints.ts";

/**
 * The dashboard's own interface: of our pages alone, so it may change with them. A route that is not here is not served;
 * one without a route test fails the build.
 */
export const dashEndpoints = [
  ...accountEndpoints,
  ...operatorEndpoints,
  ...ownEndpoints,
  ...websiteEndpoints,
] as const satisfies readonly DashEndpoint[];

/** An endpoint as `GET /dash/api/me`. */
export type DashOperation = NameOf<(typeof dashEndpoints)[number]>;
type NameOf<Row extends DashEndpoint> = Row extends DashEndpoint ? `${Row["method"]} ${Row["path"]}` : never;

/** The names that stand in an operation's path. */
export type ParamOf<Text extends string> = Text extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Text extends `${string}:${infer Name}`
    ? Name
    : never;

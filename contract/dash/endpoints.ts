import type { Role } from "../words.ts";

/**
 * Who may call: `anyone` who is signed in; a member of the publisher in the path, in this role or one that may more;
 * an operator of the service. An operator may read what a `viewer` may of every publisher.
 */
export type Who = "anyone" | Role | "operator";

export type DashEndpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:publisher` is a publisher's id; the other names are up to the handler. */
  path: `/dash/api/${string}`;
  who: Who;
  /** The password must have been given within the last quarter of an hour. */
  needsRecentSignIn?: true;
};

/**
 * The dashboard's own interface: of our pages alone, so it may change with them. A route that is not here is not served;
 * one without a route test fails the build.
 */
export const dashEndpoints = [
  { method: "GET", path: "/dash/api/me", who: "anyone" },
  { method: "PATCH", path: "/dash/api/me", who: "anyone" },
  { method: "POST", path: "/dash/api/me/confirm", who: "anyone" },
  { method: "POST", path: "/dash/api/me/password", who: "anyone" },
  { method: "GET", path: "/dash/api/me/sessions", who: "anyone" },
  { method: "DELETE", path: "/dash/api/me/sessions/:session", who: "anyone" },
  { method: "DELETE", path: "/dash/api/me/sessions", who: "anyone" },
  { method: "GET", path: "/dash/api/report", who: "anyone" },
  { method: "GET", path: "/dash/api/publishers/:publisher/team", who: "viewer" },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/team/invitations",
    who: "owner",
    needsRecentSignIn: true,
  },
  {
    method: "DELETE",
    path: "/dash/api/publishers/:publisher/team/invitations/:invitation",
    who: "owner",
    needsRecentSignIn: true,
  },
  {
    method: "PATCH",
    path: "/dash/api/publishers/:publisher/team/members/:user",
    who: "owner",
    needsRecentSignIn: true,
  },
  {
    method: "DELETE",
    path: "/dash/api/publishers/:publisher/team/members/:user",
    who: "owner",
    needsRecentSignIn: true,
  },
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

import type { DashEndpoint } from "./endpoint.ts";

/** One's own account, a publisher's team, and the report. */
export const accountEndpoints = [
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

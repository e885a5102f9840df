import type { DashEndpoint } from "./endpoint.ts";

/** What a publisher's team looks up and keeps beside its websites: keys, offers, and why a visit saw what it did. */
export const ownEndpoints = [
  { method: "GET", path: "/dash/api/publishers/:publisher/keys", who: "viewer" },
  { method: "POST", path: "/dash/api/publishers/:publisher/keys", who: "owner", needsRecentSignIn: true },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/keys/:key/roll",
    who: "owner",
    needsRecentSignIn: true,
  },
  {
    method: "DELETE",
    path: "/dash/api/publishers/:publisher/keys/:key",
    who: "owner",
    needsRecentSignIn: true,
  },
  { method: "GET", path: "/dash/api/publishers/:publisher/explain", who: "viewer" },
  {
    method: "GET",
    path: "/dash/api/publishers/:publisher/websites/:website/simulate",
    who: "viewer",
  },
  { method: "GET", path: "/dash/api/publishers/:publisher/offers", who: "viewer" },
  { method: "GET", path: "/dash/api/publishers/:publisher/activity", who: "viewer" },
  { method: "GET", path: "/dash/api/publishers/:publisher/apps", who: "viewer" },
  { method: "DELETE", path: "/dash/api/publishers/:publisher/apps/:grant", who: "owner" },
] as const satisfies readonly DashEndpoint[];

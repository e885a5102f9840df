import type { DashEndpoint } from "./endpoint.ts";

/** A publisher's websites: their settings, what they may show, their secrets, and how they fare. */
export const websiteEndpoints = [
  { method: "GET", path: "/dash/api/publishers/:publisher/websites", who: "viewer" },
  { method: "GET", path: "/dash/api/publishers/:publisher/attention", who: "viewer" },
  { method: "GET", path: "/dash/api/publishers/:publisher/address", who: "viewer" },
  { method: "POST", path: "/dash/api/publishers/:publisher/websites", who: "editor" },
  { method: "GET", path: "/dash/api/publishers/:publisher/websites/:website", who: "viewer" },
  { method: "PATCH", path: "/dash/api/publishers/:publisher/websites/:website", who: "editor" },
  { method: "POST", path: "/dash/api/publishers/:publisher/websites/:website/pause", who: "editor" },
  { method: "POST", path: "/dash/api/publishers/:publisher/websites/:website/resume", who: "editor" },
  { method: "DELETE", path: "/dash/api/publishers/:publisher/websites/:website", who: "owner" },
  { method: "POST", path: "/dash/api/publishers/:publisher/websites/:website/preview", who: "viewer" },
  { method: "GET", path: "/dash/api/publishers/:publisher/websites/:website/allowlist", who: "viewer" },
  { method: "PUT", path: "/dash/api/publishers/:publisher/websites/:website/allowlist", who: "editor" },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/websites/:website/allowlist/preview",
    who: "viewer",
  },
  { method: "GET", path: "/dash/api/publishers/:publisher/websites/:website/secrets", who: "viewer" },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/websites/:website/secrets",
    who: "editor",
    needsRecentSignIn: true,
  },
  {
    method: "DELETE",
    path: "/dash/api/publishers/:publisher/websites/:website/secrets/:secret",
    who: "editor",
    needsRecentSignIn: true,
  },
  { method: "GET", path: "/dash/api/publishers/:publisher/websites/:website/health", who: "viewer" },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/websites/:website/health/check-page",
    who: "editor",
  },
  {
    method: "POST",
    path: "/dash/api/publishers/:publisher/websites/:website/health/register-origin",
    who: "editor",
  },
] as const satisfies readonly DashEndpoint[];

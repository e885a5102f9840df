import type { DashEndpoint } from "./endpoint.ts";

/** The pages of whoever runs the service. */
export const operatorEndpoints = [
  { method: "GET", path: "/dash/api/operator/now", who: "operator" },
  { method: "GET", path: "/dash/api/operator/quality", who: "operator" },

  { method: "GET", path: "/dash/api/operator/advertisers", who: "operator" },
  { method: "POST", path: "/dash/api/operator/advertisers", who: "operator" },
  { method: "GET", path: "/dash/api/operator/advertisers/:advertiser", who: "operator" },
  { method: "GET", path: "/dash/api/operator/advertisers/:advertiser/ledger", who: "operator" },
  { method: "GET", path: "/dash/api/operator/advertisers/:advertiser/statement", who: "operator" },
  {
    method: "POST",
    path: "/dash/api/operator/advertisers/:advertiser/deposits",
    who: "operator",
    needsRecentSignIn: true,
  },
  {
    method: "POST",
    path: "/dash/api/operator/advertisers/:advertiser/adjustments",
    who: "operator",
    needsRecentSignIn: true,
  },

  { method: "GET", path: "/dash/api/operator/offers", who: "operator" },
  { method: "POST", path: "/dash/api/operator/offers", who: "operator" },
  { method: "GET", path: "/dash/api/operator/offers/:offer", who: "operator" },
  { method: "PATCH", path: "/dash/api/operator/offers/:offer", who: "operator" },
  { method: "PUT", path: "/dash/api/operator/offers/:offer/status", who: "operator" },
  { method: "POST", path: "/dash/api/operator/offer-file", who: "operator" },
  { method: "GET", path: "/dash/api/operator/offer-file", who: "operator" },

  { method: "GET", path: "/dash/api/operator/publishers", who: "operator" },
  { method: "POST", path: "/dash/api/operator/publishers", who: "operator" },
  { method: "GET", path: "/dash/api/operator/publishers/:publisher", who: "operator" },
  { method: "PATCH", path: "/dash/api/operator/publishers/:publisher", who: "operator" },
  {
    method: "POST",
    path: "/dash/api/operator/publishers/:publisher/invitations",
    who: "operator",
    needsRecentSignIn: true,
  },

  { method: "GET", path: "/dash/api/operator/users", who: "operator" },
  { method: "POST", path: "/dash/api/operator/users", who: "operator", needsRecentSignIn: true },
  { method: "PATCH", path: "/dash/api/operator/users/:user", who: "operator", needsRecentSignIn: true },
  {
    method: "POST",
    path: "/dash/api/operator/users/:user/links",
    who: "operator",
    needsRecentSignIn: true,
  },

  { method: "GET", path: "/dash/api/operator/partners", who: "operator" },
  { method: "POST", path: "/dash/api/operator/partners", who: "operator", needsRecentSignIn: true },
  {
    method: "DELETE",
    path: "/dash/api/operator/partners/:client",
    who: "operator",
    needsRecentSignIn: true,
  },
] as const satisfies readonly DashEndpoint[];

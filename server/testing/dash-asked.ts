import { randomBytes } from "node:crypto";
import type { DashOperation } from "@offers/contract/dash/endpoints";

/** The password that whoever calls an example has. */
export const examplePassword = "correct horse battery";

/** What an endpoint of the dashboard is asked beside the ids of its path: a query, a body, or what makes one anew for each call. */
export type DashAsked = { query?: string; body?: object | (() => object) };

/** Of the fixture's one advertiser. */
const newOffer = {
  advertiserId: "advertiser_1",
  brand: "Tide",
  vertical: "travel",
  title: "A week by the sea",
  landingUrl: "https://tide.example/?c={click_id}",
  geoCoverage: ["DE"],
  payoutModel: "CPC",
  payoutMicros: 100_000,
};

const everything = {
  mode: "all",
  allow: { brands: [], verticals: [], offers: [] },
  block: { brands: [], verticals: [], offers: [] },
};

/** What every endpoint of the dashboard is asked in its example, of the fixture's publisher A. */
export const dashAsked: Record<DashOperation, DashAsked> = {
  "GET /dash/api/me": {},
  "PATCH /dash/api/me": { body: { name: "Ada" } },
  "POST /dash/api/me/confirm": { body: { password: examplePassword } },
  "POST /dash/api/me/password": { body: { password: examplePassword, newPassword: "another horse battery" } },
  "GET /dash/api/me/sessions": {},
  "DELETE /dash/api/me/sessions/:session": {},
  "DELETE /dash/api/me/sessions": {},
  "GET /dash/api/report": { query: "publisher=publisher_a" },
  "GET /dash/api/publishers/:publisher/team": {},
  "POST /dash/api/publishers/:publisher/team/invitations": {
    body: { email: "new@example.com", role: "viewer" },
  },
  "DELETE /dash/api/publishers/:publisher/team/invitations/:invitation": {},
  "PATCH /dash/api/publishers/:publisher/team/members/:user": { body: { role: "editor" } },
  "DELETE /dash/api/publishers/:publisher/team/members/:user": {},
  "GET /dash/api/publishers/:publisher/keys": {},
  "POST /dash/api/publishers/:publisher/keys": {
    body: { name: "Reports", scopes: ["reports:read"], websiteKey: null, days: null },
  },
  "POST /dash/api/publishers/:publisher/keys/:key/roll": { body: { overlapHours: 24 } },
  "DELETE /dash/api/publishers/:publisher/keys/:key": {},
  "GET /dash/api/publishers/:publisher/explain": { query: "requestId={request}" },
  "GET /dash/api/publishers/:publisher/websites/:website/simulate": { query: "country=DE" },
  "GET /dash/api/publishers/:publisher/offers": {},
  "GET /dash/api/publishers/:publisher/activity": {},
  "GET /dash/api/operator/now": {},
  "GET /dash/api/operator/quality": {},
  "GET /dash/api/operator/advertisers": {},
  "POST /dash/api/operator/advertisers": { body: { name: "Skyhop" } },
  "GET /dash/api/operator/advertisers/:advertiser": {},
  "GET /dash/api/operator/advertisers/:advertiser/ledger": {},
  "GET /dash/api/operator/advertisers/:advertiser/statement": { query: "month=2026-11" },
  "POST /dash/api/operator/advertisers/:advertiser/deposits": { body: { amount: "2.50" } },
  "POST /dash/api/operator/advertisers/:advertiser/adjustments": {
    body: { amount: "2.50", note: "Rounded" },
  },
  "GET /dash/api/operator/offers": {},
  "POST /dash/api/operator/offers": { body: newOffer },
  "GET /dash/api/operator/offers/:offer": {},
  "PATCH /dash/api/operator/offers/:offer": {
    body: () => ({ title: `Another title ${randomBytes(4).toString("hex")}` }),
  },
  "PUT /dash/api/operator/offers/:offer/status": { body: { status: "active" } },
  "POST /dash/api/operator/offer-file": {
    body: { format: "json", text: JSON.stringify([newOffer]), isDryRun: false },
  },
  "GET /dash/api/operator/offer-file": {},
  "GET /dash/api/operator/publishers": {},
  "POST /dash/api/operator/publishers": { body: { name: "Pier" } },
  "GET /dash/api/operator/publishers/:publisher": {},
  "PATCH /dash/api/operator/publishers/:publisher": { body: { name: "Publisher a" } },
  "POST /dash/api/operator/publishers/:publisher/invitations": { body: { email: "new@example.com" } },
  "GET /dash/api/operator/users": {},
  "POST /dash/api/operator/users": {
    body: () => ({ email: `new-${randomBytes(4).toString("hex")}@example.com` }),
  },
  "PATCH /dash/api/operator/users/:user": { body: { isOperator: true } },
  "POST /dash/api/operator/users/:user/links": {},
  "GET /dash/api/operator/partners": {},
  "POST /dash/api/operator/partners": {
    body: { name: "Tide Tables", redirectUris: ["https://tide.example/back"] },
  },
  "DELETE /dash/api/operator/partners/:client": {},
  "GET /dash/api/publishers/:publisher/websites": {},
  "GET /dash/api/publishers/:publisher/attention": {},
  "GET /dash/api/publishers/:publisher/address": { query: "address=journal.example" },
  "POST /dash/api/publishers/:publisher/websites": { body: { address: "https://journal.example" } },
  "GET /dash/api/publishers/:publisher/websites/:website": {},
  "PATCH /dash/api/publishers/:publisher/websites/:website": { body: { name: "Another name" } },
  "POST /dash/api/publishers/:publisher/websites/:website/pause": {},
  "POST /dash/api/publishers/:publisher/websites/:website/resume": {},
  "DELETE /dash/api/publishers/:publisher/websites/:website": { body: { name: "Example" } },
  "POST /dash/api/publishers/:publisher/websites/:website/preview": {},
  "GET /dash/api/publishers/:publisher/websites/:website/allowlist": {},
  "PUT /dash/api/publishers/:publisher/websites/:website/allowlist": { body: everything },
  "POST /dash/api/publishers/:publisher/websites/:website/allowlist/preview": { body: everything },
  "GET /dash/api/publishers/:publisher/websites/:website/secrets": {},
  "POST /dash/api/publishers/:publisher/websites/:website/secrets": {},
  "DELETE /dash/api/publishers/:publisher/websites/:website/secrets/:secret": {},
  "GET /dash/api/publishers/:publisher/websites/:website/health": {},
  "POST /dash/api/publishers/:publisher/websites/:website/health/check-page": {},
  "POST /dash/api/publishers/:publisher/websites/:website/health/register-origin": {
    body: { origin: "https://journal.example" },
  },
  "GET /dash/api/publishers/:publisher/apps": {},
  "DELETE /dash/api/publishers/:publisher/apps/:grant": {},
};

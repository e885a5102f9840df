import type { Scope } from "./words.ts";

/**
 * Requests a minute for one website and client address (IPv6 by /64), for one API key, for one integration secret, or
 * for one address alone; of OAuth for one partner at one address. `RATE_LIMIT_FACTOR` multiplies each.
 */
export const rateLimits = {
  decision: 60,
  offers: 60,
  drawn: 60,
  impression: 240,
  click: 30,
  hop: 30,
  snippet_ping: 30,
  dismiss: 30,
  session_open: 10,
  session_poll: 60,
  trigger: 120,
  whats_my_ip: 30,
  key: 600,
  oauth_token: 20,
  oauth_address: 120,
  wrong_credential: 60,
  unknown_session: 30,
  dashboard: 240,
  sign_in: 30,
} as const;
export type RateLimitName = keyof typeof rateLimits;

/** The limits that belong to no endpoint of the interface: refused calls are counted under them, by address alone. */
export const refusalLimits = [
  "wrong_credential",
  "unknown_session",
] as const satisfies readonly RateLimitName[];

/** The limits of the dashboard (of a session; of sign-ins and links by address) and of OAuth. */
export const dashAndOauthLimits = [
  "dashboard",
  "sign_in",
  "oauth_token",
  "oauth_address",
] as const satisfies readonly RateLimitName[];

/**
 * What calls are turned away together when the service has too much to do: the first of the list first, the click
 * hop last of all.
 */
export const loadClasses = ["reports", "docs", "dashboard", "offers", "decision", "events", "hop"] as const;
export type LoadClass = (typeof loadClasses)[number];

export type Endpoint = {
  method: "GET" | "POST";
  path: string;
  /**
   * `embed`: a page with a registered origin. `server`: a publisher's server with an API key.
   * `backend`: a website's own server with its integration secret. `open`: anyone, the browser's navigation included.
   */
  group: "embed" | "server" | "backend" | "open";
  limit: RateLimitName | null;
  /** Above its limit a call is answered like any other. */
  isLimitSilent?: true;
  /** What its API key must be allowed to do. */
  scope?: Scope;
  /** HEAD is answered as GET is, without a body. Elsewhere it would count what nobody saw. */
  hasHead?: true;
  /** It has a body of JSON, under one of these media types. */
  bodyTypes?: readonly string[];
  /** It waits for the journal, and is refused while that is full. */
  records?: true;
  /** Null: it is answered however much there is to do. */
  load: LoadClass | null;
};

/** A browser sends text/plain without asking first (Fetch, "simple" content types), so our own client does. */
const fromPages = ["application/json", "text/plain"] as const;
const fromServers = ["application/json"] as const;

/** Every route of the service. A route that is not here is not served; one without a route test fails the build. */
export const endpoints = [
  {
    method: "GET",
    path: "/v1/decision",
    group: "embed",
    limit: "decision",
    records: true,
    load: "decision",
  },
  {
    method: "GET",
    path: "/v1/offers",
    group: "embed",
    limit: "offers",
    records: true,
    load: "offers",
  },
  {
    method: "POST",
    path: "/v1/events/drawn",
    group: "embed",
    limit: "drawn",
    bodyTypes: fromPages,
    records: true,
    load: "events",
  },
  {
    method: "POST",
    path: "/v1/events/impression",
    group: "embed",
    limit: "impression",
    bodyTypes: fromPages,
    records: true,
    load: "events",
  },
  {
    method: "POST",
    path: "/v1/events/click",
    group: "embed",
    limit: "click",
    bodyTypes: fromPages,
    records: true,
    load: "events",
  },
  {
    method: "POST",
    path: "/v1/events/snippet-ping",
    group: "embed",
    limit: "snippet_ping",
    bodyTypes: fromPages,
    records: true,
    load: "events",
  },
  {
    method: "POST",
    path: "/v1/events/dismiss",
    group: "embed",
    limit: "dismiss",
    bodyTypes: fromPages,
    records: true,
    load: "events",
  },
  {
    method: "POST",
    path: "/v1/widget-decline/session",
    group: "embed",
    limit: "session_open",
    records: true,
    load: "decision",
  },
  {
    method: "GET",
    path: "/v1/widget-decline/session/:sessionId",
    group: "embed",
    limit: "session_poll",
    load: "decision",
  },
  {
    method: "POST",
    path: "/v1/widget-decline/trigger",
    group: "backend",
    limit: "trigger",
    bodyTypes: fromServers,
    records: true,
    load: "events",
  },
  {
    method: "GET",
    path: "/v1/decision",
    group: "server",
    limit: "key",
    scope: "decision:read",
    records: true,
    load: "decision",
  },
  {
    method: "GET",
    path: "/v1/offers",
    group: "server",
    limit: "key",
    scope: "offers:read",
    load: "offers",
  },
  {
    method: "POST",
    path: "/v1/events",
    group: "server",
    limit: "key",
    scope: "events:write",
    bodyTypes: fromServers,
    records: true,
    load: "events",
  },
  {
    method: "GET",
    path: "/v1/reports/aggregate",
    group: "server",
    limit: "key",
    scope: "reports:read",
    load: "reports",
  },
  {
    method: "GET",
    path: "/v1/reports/aggregate.csv",
    group: "server",
    limit: "key",
    scope: "reports:read",
    load: "reports",
  },
  {
    method: "GET",
    path: "/v1/explain",
    group: "server",
    limit: "key",
    scope: "reports:read",
    load: "reports",
  },
  { method: "GET", path: "/v1/whats-my-ip", group: "open", limit: "whats_my_ip", load: "docs" },
  {
    method: "GET",
    path: "/v1/r",
    group: "open",
    limit: "hop",
    isLimitSilent: true,
    hasHead: true,
    records: true,
    load: "hop",
  },
  { method: "GET", path: "/v1/openapi.json", group: "open", limit: null, hasHead: true, load: "docs" },
  { method: "GET", path: "/.well-known/gpc.json", group: "open", limit: null, hasHead: true, load: "docs" },
  { method: "GET", path: "/healthz", group: "open", limit: null, hasHead: true, load: null },
  { method: "GET", path: "/readyz", group: "open", limit: null, hasHead: true, load: null },
] as const satisfies readonly Endpoint[];

/** The paths that one group of callers has. */
export type PathOf<Group extends Endpoint["group"]> = Extract<
  (typeof endpoints)[number],
  { group: Group }
>["path"];

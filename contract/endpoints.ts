/**
 * Requests a minute for one website and client address (IPv6 by /64), for one API key, or for one integration
 * secret; `RATE_LIMIT_FACTOR` multiplies each.
 */
export const rateLimits = {
  decision: 60,
  offers: 60,
  impression: 240,
  click: 30,
  hop: 30,
  snippet_ping: 30,
  session_open: 10,
  session_poll: 60,
  trigger: 120,
  whats_my_ip: 30,
  key: 600,
} as const;
export type RateLimitName = keyof typeof rateLimits;

export type Endpoint = {
  method: "GET" | "POST";
  path: string;
  /**
   * `embed`: a page with a registered origin. `server`: a publisher's server with an API key.
   * `backend`: a website's own server with its integration secret. `open`: anyone, the browser's navigation included.
   */
  group: "embed" | "server" | "backend" | "open";
  limit: RateLimitName | null;
};

/** Every route of the service. A route that is not here is not served; one without a route test fails the build. */
export const endpoints = [
  { method: "GET", path: "/v1/decision", group: "embed", limit: "decision" },
  { method: "GET", path: "/v1/offers", group: "embed", limit: "offers" },
  { method: "POST", path: "/v1/events/impression", group: "embed", limit: "impression" },
  { method: "POST", path: "/v1/events/click", group: "embed", limit: "click" },
  { method: "POST", path: "/v1/events/snippet-ping", group: "embed", limit: "snippet_ping" },
  { method: "POST", path: "/v1/widget-decline/session", group: "embed", limit: "session_open" },
  { method: "GET", path: "/v1/widget-decline/session/:sessionId", group: "embed", limit: "session_poll" },
  { method: "POST", path: "/v1/widget-decline/trigger", group: "backend", limit: "trigger" },
  { method: "GET", path: "/v1/decision", group: "server", limit: "key" },
  { method: "GET", path: "/v1/offers", group: "server", limit: "key" },
  { method: "POST", path: "/v1/events", group: "server", limit: "key" },
  { method: "GET", path: "/v1/reports/aggregate", group: "server", limit: "key" },
  { method: "GET", path: "/v1/whats-my-ip", group: "open", limit: "whats_my_ip" },
  { method: "GET", path: "/v1/r", group: "open", limit: "hop" },
  { method: "GET", path: "/v1/openapi.json", group: "open", limit: null },
  { method: "GET", path: "/healthz", group: "open", limit: null },
  { method: "GET", path: "/readyz", group: "open", limit: null },
] as const satisfies readonly Endpoint[];

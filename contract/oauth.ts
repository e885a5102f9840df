/** Where partners' servers and their visitors' browsers come for OAuth 2.0. */
export const oauthPaths = {
  authorize: "/v1/oauth/authorize",
  token: "/v1/oauth/token",
  revoke: "/v1/oauth/revoke",
  metadata: "/.well-known/oauth-authorization-server",
} as const;

/** A connection lives as long as its refresh tokens may: they rotate, and its end does not move. */
export const oauthLifetimes = {
  codeSeconds: 60,
  accessTokenSeconds: 60 * 60,
  connectionSeconds: 30 * 24 * 60 * 60,
  /** How long a person may think about a consent. */
  consentSeconds: 15 * 60,
} as const;

/**
 * `web`: its redirect addresses are compared byte by byte. `native`: an address on a loopback host is that at any port,
 * since an application on somebody's own machine takes a port that happens to be free (RFC 8252 section 7.3).
 */
export const applicationTypes = ["web", "native"] as const;
export type ApplicationType = (typeof applicationTypes)[number];

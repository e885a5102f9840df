import { oauthPaths } from "@offers/contract/oauth";
import { scopes } from "@offers/contract/words";

/** RFC 8414: what a partner's program needs to know of the service. Every address comes from BASE_URL. */
export function oauthMetadata(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + oauthPaths.authorize,
    token_endpoint: baseUrl + oauthPaths.token,
    revocation_endpoint: baseUrl + oauthPaths.revoke,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    code_challenge_methods_supported: ["S256"],
    // RFC 9207: an answer says whose it is, so that a partner of several services is not sent to the wrong one.
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${baseUrl}/docs/partners`,
  };
}

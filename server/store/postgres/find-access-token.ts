import type { AccessToken } from "../../core/oauth.ts";
import { type AccessTokenRow, accessTokenOf } from "../rows/access-token-row.ts";
import type { Ask } from "./asking.ts";

/** Finds an access token of a live connection by its hash, an expired one too; null when there is none. */
export async function findAccessToken(ask: Ask, idHash: string): Promise<AccessToken | null> {
  const [row] = await ask<AccessTokenRow>(
    `select allowed.id as "grantId", allowed.client_id as "clientId", allowed.publisher_id as "publisherId",
       kept.payload_json::json ->> 'scope' as scope, kept.expires_at as "expiresAt",
       allowed.at as "connectedAt"
     from oauth_row as kept join oauth_grant as allowed on allowed.id = kept.grant_id
     where kept.model = 'AccessToken' and kept.id_hash = $1 and allowed.revoked_at is null`,
    [idHash],
  );
  return row === undefined ? null : accessTokenOf(row);
}

import type { Database as Sqlite } from "better-sqlite3";
import type { AccessToken } from "../../core/oauth.ts";
import { type AccessTokenRow, accessTokenOf } from "../rows/access-token-row.ts";

/** Prepares what finds an access token of a live connection by its hash, an expired one too; null when there is none. */
export function prepareFindAccessToken(sqlite: Sqlite): (idHash: string) => AccessToken | null {
  const find = sqlite.prepare<[string], AccessTokenRow>(
    `select allowed.id as grantId, allowed.client_id as clientId, allowed.publisher_id as publisherId,
       kept.payload_json ->> '$.scope' as scope, kept.expires_at as expiresAt,
       allowed.at as connectedAt
     from oauth_row as kept join oauth_grant as allowed on allowed.id = kept.grant_id
     where kept.model = 'AccessToken' and kept.id_hash = +? and allowed.revoked_at is null`,
  );
  return (idHash) => {
    const row = find.get(idHash);
    return row === undefined ? null : accessTokenOf(row);
  };
}

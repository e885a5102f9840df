import type { PublisherId } from "@offers/contract/ids";
import type { Database as Sqlite } from "better-sqlite3";
import { type AccessToken, scopesIn } from "../../core/oauth.ts";

type Row = { grantId: string; publisherId: string; scope: string | null; expiresAt: number };

/** Prepares what finds an access token of a live connection by its hash, an expired one too; null when there is none. */
export function prepareFindAccessToken(sqlite: Sqlite): (idHash: string) => AccessToken | null {
  const find = sqlite.prepare<[string], Row>(
    `select allowed.id as grantId, allowed.publisher_id as publisherId,
       kept.payload_json ->> '$.scope' as scope, kept.expires_at as expiresAt
     from oauth_row as kept join oauth_grant as allowed on allowed.id = kept.grant_id
     where kept.model = 'AccessToken' and kept.id_hash = +? and allowed.revoked_at is null`,
  );
  return (idHash) => {
    const row = find.get(idHash);
    if (row === undefined) return null;
    const { grantId, publisherId, scope, expiresAt } = row;
    return { grantId, publisherId: publisherId as PublisherId, scopes: scopesIn(scope ?? ""), expiresAt };
  };
}

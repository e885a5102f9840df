import type { PublisherId } from "@offers/contract/ids";
import { oauthLifetimes } from "@offers/contract/oauth";
import { type AccessToken, scopesIn } from "../../core/oauth.ts";

export type AccessTokenRow = {
  grantId: string;
  clientId: string;
  publisherId: string;
  scope: string | null;
  expiresAt: number;
  /** When its connection was made; it ends with it. */
  connectedAt: number;
};

/** An access token by what its row and its connection's say of it: it is over with the connection at the latest. */
export function accessTokenOf({ publisherId, scope, ...row }: AccessTokenRow): AccessToken {
  const { grantId, clientId } = row;
  const expiresAt = Math.min(row.expiresAt, row.connectedAt + oauthLifetimes.connectionSeconds * 1000);
  return {
    ...{ grantId, clientId, publisherId: publisherId as PublisherId },
    ...{ scopes: scopesIn(scope ?? ""), expiresAt },
  };
}

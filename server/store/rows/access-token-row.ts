import type { PublisherId } from "@offers/contract/ids";
import { type AccessToken, scopesIn } from "../../core/oauth.ts";

export type AccessTokenRow = {
  grantId: string;
  publisherId: string;
  scope: string | null;
  expiresAt: number;
};

/** An access token by what its row and its connection's say of it. */
export function accessTokenOf({ grantId, publisherId, scope, expiresAt }: AccessTokenRow): AccessToken {
  return { grantId, publisherId: publisherId as PublisherId, scopes: scopesIn(scope ?? ""), expiresAt };
}

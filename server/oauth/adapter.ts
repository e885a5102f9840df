import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { hashOauthToken, type OauthClient } from "../core/oauth.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import type { OauthRows } from "./oauth-ports.ts";

type Kept = { rows: OauthRows; clock: () => number };

/** Room for another consent comes with each that is answered or has waited for too long. */
const fullSeconds = 60;

/**
 * What the library keeps of one model, as rows. What their holders present is never stored, only its hash; whatever of
 * a payload repeats it is taken out, and put back for whoever presents it again.
 */
export function createAdapter(model: string, { rows, clock }: Kept): Adapter {
  if (model === "Client") return clientAdapter(rows);
  // Who is signed in is told by the dashboard's cookie alone, so the library's own session ends with the request: it
  // would outlive a change of accounts in one browser, and answer prompt=none for somebody who has left.
  if (model === "Session") return nothing;
  const keyOf = (id: string) => ({ model, idHash: hashOauthToken(id) });
  return {
    ...nothing,
    find: async (id) => {
      const row = await rows.findOauthRow({ ...keyOf(id), now: clock() });
      if (row === null) return undefined;
      const consumed = row.consumedAt === null ? {} : { consumed: Math.floor(row.consumedAt / 1000) };
      return { ...withId(row.payload, id), ...consumed };
    },
    upsert: async (id, payload, expiresIn = 0) => {
      const isSaved = await rows.saveOauthRow({
        ...keyOf(id),
        payload: withoutId(payload, id),
        grantId: model === "Grant" ? id : (payload.grantId ?? null),
        expiresAt: clock() + expiresIn * 1000,
      });
      if (!isSaved) throw new StorageUnavailable("too many consents wait", fullSeconds);
    },
    consume: async (id) => {
      const key = keyOf(id);
      if (await rows.consumeOauthRow({ ...key, at: clock() })) return;
      // Of several that came at once this is none but the first: the same as one that comes much later.
      const row = await rows.findOauthRow({ ...key, now: clock() });
      if (row?.grantId) await rows.endGrant({ grantId: row.grantId, at: clock() });
      throw new errors.InvalidGrant("used already, at the same moment");
    },
    destroy: async (id) => {
      // That takes all its codes and tokens along, which the library also ends kind by kind, by `revokeByGrantId`, at
      // the same moment (its lib/helpers/revoke.js).
      if (model === "Grant") await rows.endGrant({ grantId: id, at: clock() });
      else await rows.removeOauthRow(keyOf(id));
    },
  };
}

const nothing: Adapter = {
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  upsert: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

const clientAdapter = (rows: OauthRows): Adapter => ({
  ...nothing,
  find: async (clientId) => {
    const client = await rows.findPartner(clientId);
    return client === null ? undefined : metadataOf(client);
  },
});

const metadataOf = (client: OauthClient): AdapterPayload => ({
  client_id: client.clientId,
  client_name: client.name,
  application_type: client.applicationType,
  redirect_uris: [...client.redirectUris],
  scope: client.scopes.join(" "),
  // The hash of the secret: what is presented is hashed before the two are compared (provider.ts).
  ...(client.secretHash === null
    ? { token_endpoint_auth_method: "none" }
    : { token_endpoint_auth_method: "client_secret_basic", client_secret: client.secretHash }),
});

const place = "{id}";

/** The way back from a consent ends with the consent's own id. */
const withoutId = ({ jti: _, ...payload }: AdapterPayload, id: string): AdapterPayload => ({
  ...payload,
  ...(payload.returnTo !== undefined && { returnTo: payload.returnTo.replace(id, place) }),
});

const withId = (payload: AdapterPayload, id: string): AdapterPayload => ({
  ...payload,
  jti: id,
  ...(payload.returnTo !== undefined && { returnTo: payload.returnTo.replace(place, id) }),
});

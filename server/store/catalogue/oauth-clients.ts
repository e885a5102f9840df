import { randomBytes } from "node:crypto";
import { type ApplicationType, applicationTypes } from "@offers/contract/oauth";
import { type Scope, scopes } from "@offers/contract/words";
import type { Kysely } from "kysely";
import {
  clientSecretBytes,
  formerSecretModel,
  makeClientSecret,
  type OauthClient,
} from "../../core/oauth.ts";
import { redirectAddressProblem } from "../../core/redirect-address.ts";
import type { OauthClientTable, Schema } from "../schema.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, type InputProblem, refuseProblems } from "./catalogue-refusal.ts";
import { oldestLiveGrant, tellDisconnected } from "./oauth-grants.ts";

export type PartnerInput = {
  name: string;
  redirectUris: readonly string[];
  applicationType?: ApplicationType;
  /** Whether it is given no secret, for it runs where its users can read it. */
  isPublic?: boolean;
  scopes?: readonly Scope[];
};

/** A partner's application at the one moment at which its secret can be read. */
export type IssuedPartner = { clientId: string; clientSecret: string | null };

/** A partner's application as it may be shown. Times are milliseconds since the epoch. */
export type ListedPartner = Omit<OauthClient, "secretHash"> & {
  isPublic: boolean;
  createdAt: number;
  revokedAt: number | null;
  /** How many people's connections are neither revoked nor at their end. */
  liveGrants: number;
};

const longestName = 80;
const mostRedirectUris = 20;

/**
 * Registers a partner's application at `now`, with every scope unless told otherwise. Throws a CatalogueRefusal for a
 * name or scopes that are none, and for redirect addresses that nobody may be sent to.
 */
export function createPartner(
  catalogue: CatalogueHandle,
  input: PartnerInput,
  now: number,
): Promise<IssuedPartner> {
  const { name, redirectUris, applicationType = "web", isPublic = false } = input;
  const granted = scopes.filter((scope) => (input.scopes ?? scopes).includes(scope));
  refuseProblems(problemsOf({ name, redirectUris, applicationType, granted }));
  return changeCatalogue(catalogue, async ({ db, version, tell }) => {
    const clientId = randomId("client");
    const made = isPublic ? null : makeClientSecret(randomBytes(clientSecretBytes));
    await db
      .insertInto("oauth_client")
      .values({
        id: clientId,
        name: name.trim(),
        application_type: applicationType,
        secret_hash: made?.secretHash ?? null,
        redirect_uris_json: JSON.stringify(redirectUris),
        scopes_json: JSON.stringify(granted),
        created_at: now,
        revoked_at: null,
        changed: version,
      })
      .execute();
    await tell({
      publisherId: null,
      subject: { kind: "partner", id: clientId, name: name.trim() },
      action: "created",
      before: null,
      after: { redirectUris, applicationType, isPublic, scopes: granted },
    });
    return { clientId, clientSecret: made?.secret ?? null };
  });
}

/**
 * Gives an application another secret at `now`; the one of before stays good for `overlapMs` more, so that both work until the
 * partner has changed over. 0 ends every earlier one at once. Throws a CatalogueRefusal for an application that is unknown,
 * was revoked, or has no secret.
 */
export function rotatePartnerSecret(
  catalogue: CatalogueHandle,
  clientId: string,
  { overlapMs, now }: { overlapMs: number; now: number },
): Promise<{ clientId: string; clientSecret: string; oldSecretExpiresAt: number }> {
  return changeCatalogue(catalogue, async ({ db, version, tell }) => {
    const row = await requirePartner(db, clientId);
    if (row.revoked_at !== null) throw refusal("clientId", "is revoked; register the application anew");
    if (row.secret_hash === null) throw refusal("clientId", "has no secret, for it is a public application");
    const { secret, secretHash } = makeClientSecret(randomBytes(clientSecretBytes));
    const oldSecretExpiresAt = now + overlapMs;
    if (overlapMs > 0) {
      await db
        .insertInto("oauth_row")
        .values({
          model: formerSecretModel,
          id_hash: row.secret_hash,
          payload_json: formerSecretOf(clientId),
          grant_id: null,
          expires_at: oldSecretExpiresAt,
          consumed_at: null,
        })
        .execute();
    } else {
      await endFormerSecrets(db, clientId);
    }
    await db
      .updateTable("oauth_client")
      .set({ secret_hash: secretHash, changed: version })
      .where("id", "=", clientId)
      .execute();
    await tell({
      publisherId: null,
      subject: { kind: "partner", id: clientId, name: row.name },
      action: "rotated",
      before: { oldSecretExpiresAt: null },
      after: { oldSecretExpiresAt },
    });
    return { clientId, clientSecret: secret, oldSecretExpiresAt };
  });
}

/**
 * Ends every secret of an application that was replaced and is still good; the newest goes on. Throws a CatalogueRefusal for an
 * unknown application.
 */
export function retirePartnerSecrets(
  catalogue: CatalogueHandle,
  clientId: string,
): Promise<{ clientId: string; endedSecrets: number }> {
  return changeCatalogue(catalogue, async ({ db, tell }) => {
    const { name } = await requirePartner(db, clientId);
    const endedSecrets = await endFormerSecrets(db, clientId);
    await tell({
      publisherId: null,
      subject: { kind: "partner", id: clientId, name },
      action: "secret_revoked",
      before: { formerSecrets: endedSecrets },
      after: { formerSecrets: 0 },
    });
    return { clientId, endedSecrets };
  });
}

/**
 * Ends an application at `now`, and with it whatever people have allowed it; once more changes nothing. Throws a
 * CatalogueRefusal when it is unknown.
 */
export function revokePartner(
  catalogue: CatalogueHandle,
  clientId: string,
  now: number,
): Promise<{ clientId: string; revokedAt: number; endedGrants: number }> {
  return changeCatalogue(catalogue, async ({ db, version, tell }) => {
    const row = await requirePartner(db, clientId);
    const revokedAt = row.revoked_at ?? now;
    const ended = await db
      .updateTable("oauth_grant")
      .set({ revoked_at: now, changed: version })
      .where("client_id", "=", clientId)
      .where("revoked_at", "is", null)
      .returning(["id", "publisher_id", "at"])
      .execute();
    // Of those that came to their end by themselves nobody hears that they end now.
    const disconnected = ended.filter(({ at }) => at > oldestLiveGrant(now));
    await db
      .deleteFrom("oauth_row")
      .where("grant_id", "in", (grants) =>
        grants.selectFrom("oauth_grant").select("id").where("client_id", "=", clientId),
      )
      .execute();
    await db
      .updateTable("oauth_client")
      .set({ revoked_at: revokedAt, changed: version })
      .where("id", "=", clientId)
      .execute();
    await tell({
      publisherId: null,
      subject: { kind: "partner", id: clientId, name: row.name },
      action: "revoked",
      before: { revokedAt: row.revoked_at },
      after: { revokedAt },
    });
    for (const { id, publisher_id } of disconnected)
      await tellDisconnected(tell, { id, name: row.name, publisher_id });
    return { clientId, revokedAt, endedGrants: disconnected.length };
  });
}

/** Every application that was ever registered, oldest first; `now` tells which connections still live (milliseconds since the epoch). */
export async function listPartners(db: Kysely<Schema>, now: number): Promise<ListedPartner[]> {
  const rows = await db
    .selectFrom("oauth_client")
    .selectAll("oauth_client")
    .select((eb) =>
      eb
        .selectFrom("oauth_grant")
        .select(({ fn }) => fn.countAll<number>().as("live"))
        .whereRef("oauth_grant.client_id", "=", "oauth_client.id")
        .where("oauth_grant.revoked_at", "is", null)
        .where("oauth_grant.at", ">", oldestLiveGrant(now))
        .as("live"),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const { secretHash, ...client } = clientOf(row);
    return {
      ...client,
      isPublic: secretHash === null,
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
      liveGrants: Number(row.live ?? 0),
    };
  });
}

/** An application that is not revoked; null: there is none of this id. */
export async function findPartner({ db }: CatalogueHandle, clientId: string): Promise<OauthClient | null> {
  const row = await db
    .selectFrom("oauth_client")
    .selectAll()
    .where("id", "=", clientId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return row === undefined ? null : clientOf(row);
}

const formerSecretOf = (clientId: string): string => JSON.stringify({ clientId });

const endFormerSecrets = async (db: Kysely<Schema>, clientId: string): Promise<number> => {
  const ended = await db
    .deleteFrom("oauth_row")
    .where("model", "=", formerSecretModel)
    .where("payload_json", "=", formerSecretOf(clientId))
    .returning("id_hash")
    .execute();
  return ended.length;
};

const requirePartner = async (
  db: Kysely<Schema>,
  clientId: string,
): Promise<Pick<OauthClientTable, "name" | "secret_hash" | "revoked_at">> => {
  const row = await db
    .selectFrom("oauth_client")
    .select(["name", "secret_hash", "revoked_at"])
    .where("id", "=", clientId)
    .executeTakeFirst();
  if (row === undefined) throw refusal("clientId", `no partner has the id ${JSON.stringify(clientId)}`);
  return row;
};

const problemsOf = (given: {
  name: string;
  redirectUris: readonly string[];
  applicationType: ApplicationType;
  granted: readonly Scope[];
}): InputProblem[] => {
  const { name, redirectUris, applicationType, granted } = given;
  const problems: InputProblem[] = [];
  const complain = (field: string, message: string) => problems.push({ field, message });
  const length = name.trim().length;
  if (length === 0 || length > longestName) complain("name", `must have 1 to ${longestName} characters`);
  if (!applicationTypes.includes(applicationType))
    complain("applicationType", `must be one of ${applicationTypes.join(", ")}`);
  if (granted.length === 0) complain("scopes", `must name at least one of ${scopes.join(", ")}`);
  if (redirectUris.length === 0 || redirectUris.length > mostRedirectUris)
    complain("redirectUris", `must be 1 to ${mostRedirectUris} addresses`);
  for (const text of redirectUris) {
    const wrong = redirectAddressProblem(text, applicationType);
    if (wrong !== null) complain("redirectUris", `${wrong} (given: ${JSON.stringify(text.slice(0, 100))})`);
  }
  return problems;
};

const clientOf = (row: OauthClientTable): OauthClient => {
  const addresses: unknown = JSON.parse(row.redirect_uris_json);
  const granted: unknown = JSON.parse(row.scopes_json);
  return {
    clientId: row.id,
    name: row.name,
    applicationType: row.application_type,
    secretHash: row.secret_hash,
    redirectUris: Array.isArray(addresses) ? addresses : [],
    scopes: scopes.filter((scope) => Array.isArray(granted) && granted.includes(scope)),
  };
};

const refusal = (field: string, message: string) => new CatalogueRefusal([{ field, message }]);

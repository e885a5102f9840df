import { randomBytes } from "node:crypto";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import {
  hashIntegrationSecret,
  integrationSecretBytes,
  makeIntegrationSecret,
  type StoredSecret,
} from "../../core/integration-secret.ts";
import type { Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { requireWebsite, websiteSubject } from "./websites.ts";

/** A secret as it may be shown. Times are milliseconds since the epoch. */
export type ListedSecret = {
  secretId: string;
  websiteKey: WebsiteKey;
  lastFour: string;
  createdAt: number;
  revokedAt: number | null;
};

/**
 * Issues a secret to a website at `now`; earlier ones stay good until they are revoked.
 * Throws a CatalogueRefusal for an unknown website.
 */
export function createIntegrationSecret(
  catalogue: CatalogueHandle,
  website: string,
  now: number,
): Promise<{ secret: string; secretId: string }> {
  return changeCatalogue(catalogue, async (tx) => {
    const { secret } = makeIntegrationSecret(randomBytes(integrationSecretBytes));
    return { secret, secretId: await keepSecret(tx, { website, secret, now }) };
  });
}

/**
 * Gives a website a secret that is known beforehand, as a demo needs it; `createIntegrationSecret` is for every other
 * use. Throws a CatalogueRefusal for an unknown website.
 */
export function addKnownSecret(
  catalogue: CatalogueHandle,
  given: { website: string; secret: string; now: number },
): Promise<string> {
  return changeCatalogue(catalogue, (tx) => keepSecret(tx, given));
}

/** Every secret that is new or has changed after the version `seen`, revoked ones too, for the copy in memory. */
export async function changedSecrets(
  db: Kysely<Schema>,
  seen: number,
): Promise<(StoredSecret & { isRevoked: boolean })[]> {
  const rows = await db
    .selectFrom("integration_secret")
    .select(["id", "website_id", "hash", "revoked_at"])
    .where("changed", ">", seen)
    .execute();
  return rows.map((row) => ({
    secretId: row.id,
    websiteId: row.website_id,
    hash: row.hash,
    isRevoked: row.revoked_at !== null,
  }));
}

const keepSecret = async (
  tx: CatalogueChange,
  { website, secret, now }: { website: string; secret: string; now: number },
): Promise<string> => {
  const { db, version } = tx;
  const owner = await requireWebsite(db, website);
  const { id } = await db
    .selectFrom("website")
    .select("id")
    .where("key", "=", website)
    .executeTakeFirstOrThrow();
  const secretId = randomId("secret");
  await db
    .insertInto("integration_secret")
    .values({
      id: secretId,
      website_id: id,
      hash: hashIntegrationSecret(secret).toString("base64url"),
      last_four: secret.slice(-4),
      created_at: now,
      revoked_at: null,
      changed: version,
    })
    .execute();
  const after = { secretId };
  await tx.tell({ ...websiteSubject(owner), action: "secret_created", before: null, after });
  return secretId;
};

/** Revokes a secret at `now`; once more changes nothing. Throws a CatalogueRefusal when it is unknown. */
export function revokeIntegrationSecret(
  catalogue: CatalogueHandle,
  secretId: string,
  now: number,
): Promise<{ secretId: string; revokedAt: number }> {
  return changeCatalogue(catalogue, async (tx) => {
    const row = await tx.db
      .selectFrom("integration_secret")
      .innerJoin("website", "website.id", "integration_secret.website_id")
      .select([
        "revoked_at",
        "website.key as websiteKey",
        "website.publisher_id as publisherId",
        "website.name",
      ])
      .where("integration_secret.id", "=", secretId)
      .executeTakeFirst();
    if (row === undefined) {
      const message = `no integration secret has the id ${JSON.stringify(secretId)}`;
      throw new CatalogueRefusal([{ field: "secretId", message }]);
    }
    if (row.revoked_at !== null) return { secretId, revokedAt: row.revoked_at };
    await tx.db
      .updateTable("integration_secret")
      .set({ revoked_at: now, changed: tx.version })
      .where("id", "=", secretId)
      .execute();
    const before = { secretId };
    await tx.tell({ ...websiteSubject(row), action: "secret_revoked", before, after: null });
    return { secretId, revokedAt: now };
  });
}

/** Every secret that was ever issued, or one website's, oldest first. */
export async function listIntegrationSecrets(
  db: Kysely<Schema>,
  filter: { websiteKey?: string } = {},
): Promise<ListedSecret[]> {
  let query = db
    .selectFrom("integration_secret")
    .innerJoin("website", "website.id", "integration_secret.website_id")
    .selectAll("integration_secret")
    .select("website.key")
    .orderBy("integration_secret.created_at")
    .orderBy("integration_secret.id");
  if (filter.websiteKey !== undefined) {
    await requireWebsite(db, filter.websiteKey);
    query = query.where("website.key", "=", filter.websiteKey);
  }
  return (await query.execute()).map((row) => ({
    secretId: row.id,
    websiteKey: websiteKey.parse(row.key),
    lastFour: row.last_four,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }));
}

import { randomBytes } from "node:crypto";
import { type PublisherId, publisherId } from "@offers/contract/ids";
import { type Scope, scopes } from "@offers/contract/words";
import type { Kysely } from "kysely";
import { apiKeyBytes, makeApiKey, type StoredApiKey } from "../../core/api-key.ts";
import type { ApiKeyTable, Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal } from "./catalogue-refusal.ts";
import { requirePublisher } from "./publishers.ts";

/** A key at the one moment at which it can be read. */
export type IssuedApiKey = { key: string; keyId: string };

/** A key as it may be shown. Times are milliseconds since the epoch. */
export type ListedApiKey = {
  keyId: string;
  publisherId: PublisherId;
  /** How the key begins. */
  prefix: string;
  lastFour: string;
  scopes: readonly Scope[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** To the minute; null: never. */
  lastUsedAt: number | null;
};

/**
 * Issues a key to a publisher at `now`, with every scope unless told otherwise, for ever unless `expiresAt` says so.
 * Throws a CatalogueRefusal for an unknown publisher, no scope at all, and an end that is past.
 */
export function createApiKey(
  catalogue: CatalogueHandle,
  input: { publisherId: string; scopes?: readonly Scope[]; expiresAt?: number | null },
  now: number,
): Promise<IssuedApiKey> {
  return changeCatalogue(catalogue, async (tx) => {
    await requirePublisher(tx.db, input.publisherId);
    const granted = scopes.filter((scope) => (input.scopes ?? scopes).includes(scope));
    if (granted.length === 0) throw refusal("scopes", `must name at least one of ${scopes.join(", ")}`);
    const expiresAt = input.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= now) throw refusal("expiresAt", "must lie in the future");
    return issue(tx, { publisherId: input.publisherId, scopes: granted, expiresAt, now });
  });
}

/**
 * Issues a second key with the publisher, scopes and end of `keyId`, which itself stays good for `overlapMs` more:
 * both work until every caller has changed over. Throws a CatalogueRefusal for a key that is unknown or dead.
 */
export function rotateApiKey(
  catalogue: CatalogueHandle,
  keyId: string,
  rotation: { overlapMs: number; now: number },
): Promise<IssuedApiKey & { oldKeyExpiresAt: number }> {
  return changeCatalogue(catalogue, async (tx) => {
    const { now } = rotation;
    const old = await requireKey(tx.db, keyId);
    if (old.revokedAt !== null) throw refusal("keyId", "is revoked already; create a new key instead");
    if (old.expiresAt !== null && old.expiresAt <= now) {
      throw refusal("keyId", "has expired already; create a new key instead");
    }
    const oldKeyExpiresAt = Math.min(now + rotation.overlapMs, old.expiresAt ?? Number.POSITIVE_INFINITY);
    await tx.db
      .updateTable("api_key")
      .set({ expires_at: oldKeyExpiresAt, changed: tx.version })
      .where("id", "=", keyId)
      .execute();
    const issued = await issue(tx, { ...old, now });
    return { ...issued, oldKeyExpiresAt };
  });
}

/** Revokes a key at `now`; once more changes nothing. Throws a CatalogueRefusal when it is unknown. */
export function revokeApiKey(
  catalogue: CatalogueHandle,
  keyId: string,
  now: number,
): Promise<{ keyId: string; revokedAt: number }> {
  return changeCatalogue(catalogue, async (tx) => {
    const revokedAt = (await requireKey(tx.db, keyId)).revokedAt ?? now;
    await tx.db
      .updateTable("api_key")
      .set({ revoked_at: revokedAt, changed: tx.version })
      .where("id", "=", keyId)
      .execute();
    return { keyId, revokedAt };
  });
}

/** Every key that was ever issued, or one publisher's, oldest first. */
export async function listApiKeys(
  db: Kysely<Schema>,
  filter: { publisherId?: string } = {},
): Promise<ListedApiKey[]> {
  let query = db.selectFrom("api_key").selectAll().orderBy("created_at").orderBy("id");
  if (filter.publisherId !== undefined) {
    await requirePublisher(db, filter.publisherId);
    query = query.where("publisher_id", "=", filter.publisherId);
  }
  return (await query.execute()).map(listed);
}

/** Every key that is new or has changed after the version `seen`, revoked ones too, for the copy in memory. */
export async function changedApiKeys(db: Kysely<Schema>, seen: number): Promise<StoredApiKey[]> {
  const rows = await db.selectFrom("api_key").selectAll().where("changed", ">", seen).execute();
  return rows.map((row) => {
    const { keyId: id, publisherId: owner, scopes: granted, expiresAt, revokedAt } = listed(row);
    const hash = Buffer.from(row.hash, "base64url");
    return { id, publisherId: owner, hash, scopes: granted, expiresAt, revokedAt };
  });
}

const issue = async (
  { db, version }: CatalogueChange,
  given: { publisherId: string; scopes: readonly Scope[]; expiresAt: number | null; now: number },
): Promise<IssuedApiKey> => {
  const made = makeApiKey(randomBytes(apiKeyBytes));
  await db
    .insertInto("api_key")
    .values({
      id: made.id,
      publisher_id: given.publisherId,
      hash: made.hash.toString("base64url"),
      last_four: made.lastFour,
      scopes_json: JSON.stringify(given.scopes),
      created_at: given.now,
      expires_at: given.expiresAt,
      revoked_at: null,
      last_used_at: null,
      changed: version,
    })
    .execute();
  return { key: made.key, keyId: made.id };
};

const requireKey = async (db: Kysely<Schema>, keyId: string): Promise<ListedApiKey> => {
  const row = await db.selectFrom("api_key").selectAll().where("id", "=", keyId).executeTakeFirst();
  if (row) return listed(row);
  throw refusal("keyId", `no API key has the id ${JSON.stringify(keyId)}`);
};

const listed = (row: ApiKeyTable): ListedApiKey => {
  const stored: unknown = JSON.parse(row.scopes_json);
  return {
    keyId: row.id,
    publisherId: publisherId.parse(row.publisher_id),
    prefix: `sk_${row.id}`,
    lastFour: row.last_four,
    scopes: scopes.filter((scope) => Array.isArray(stored) && stored.includes(scope)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
};

const refusal = (field: string, message: string) => new CatalogueRefusal([{ field, message }]);

import { randomBytes } from "node:crypto";
import { keyName } from "@offers/contract/dash/keys";
import { type PublisherId, publisherId, type WebsiteKey } from "@offers/contract/ids";
import { type Scope, scopes } from "@offers/contract/words";
import type { ExpressionBuilder, Kysely } from "kysely";
import { apiKeyBytes, makeApiKey, type StoredApiKey } from "../../core/api-key.ts";
import type { ApiKeyTable, Schema } from "../schema.ts";
import { type CatalogueChange, changeCatalogue } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, UnknownSubject } from "./catalogue-refusal.ts";
import { requirePublisher } from "./publishers.ts";

/** A key at the one moment at which it can be read. */
export type IssuedApiKey = { key: string; keyId: string };

/** A key as it may be shown. Times are milliseconds since the epoch. */
export type ListedApiKey = {
  keyId: string;
  publisherId: PublisherId;
  /** What uses it, as whoever made it says; `""`: it was given no name. */
  name: string;
  /** Who made it; null: somebody at the command line, or nobody noted it. */
  madeBy: string | null;
  /** The one website that it is good for; null: every website of the publisher. */
  websiteKey: WebsiteKey | null;
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
 * Issues a key to a publisher at `now`, with every scope unless told otherwise, for ever unless `expiresAt` says so,
 * and for all of its websites unless `websiteKey` names one. Throws a CatalogueRefusal for an unknown publisher, a
 * website that is not the publisher's, no scope at all, and an end that is past.
 */
export function createApiKey(
  catalogue: CatalogueHandle,
  input: {
    publisherId: string;
    websiteKey?: string | null;
    scopes?: readonly Scope[];
    expiresAt?: number | null;
    name?: string;
  },
  now: number,
): Promise<IssuedApiKey> {
  return changeCatalogue(catalogue, async (tx) => {
    const { publisherId: owner } = input;
    await requirePublisher(tx.db, owner);
    const websiteKey = input.websiteKey ?? null;
    // An empty key is no website's, and must not stand for all of them.
    const websiteId = websiteKey === null ? null : await requireOwnWebsite(tx.db, websiteKey, owner);
    const granted = scopes.filter((scope) => (input.scopes ?? scopes).includes(scope));
    if (granted.length === 0) throw refusal("scopes", `must name at least one of ${scopes.join(", ")}`);
    const expiresAt = input.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= now) throw refusal("expiresAt", "must lie in the future");
    const { name = "" } = input;
    const wrong = name === "" ? undefined : keyName.safeParse(name).error?.issues[0];
    if (wrong) throw refusal("name", wrong.message);
    return issue(tx, {
      publisherId: owner,
      websiteId,
      websiteKey,
      scopes: granted,
      expiresAt,
      name,
      now,
    });
  });
}

/**
 * Issues a second key with the publisher, website, scopes and end of `keyId`, which itself stays good for `overlapMs` more:
 * both work until every caller has changed over. The second one's end is the first one's own, not what an earlier rotation
 * has made of it. Throws a CatalogueRefusal for a key that is unknown or dead, and an UnknownSubject where `owner` says whose
 * it must be and it is not.
 */
export function rotateApiKey(
  catalogue: CatalogueHandle,
  keyId: string,
  rotation: { overlapMs: number; now: number; owner?: string },
): Promise<IssuedApiKey & { oldKeyExpiresAt: number }> {
  return changeCatalogue(catalogue, async (tx) => {
    const { now } = rotation;
    const old = await requireKey(tx.db, keyId, rotation.owner);
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
    const issued = await issue(tx, { ...old, expiresAt: await givenEnd(tx.db, old), now });
    await tx.tell({
      ...subjectOf(old),
      action: "rotated",
      before: { expiresAt: old.expiresAt },
      after: { expiresAt: oldKeyExpiresAt, followedBy: issued.keyId },
    });
    return { ...issued, oldKeyExpiresAt };
  });
}

/**
 * Revokes a key at `now`; once more changes nothing. Throws a CatalogueRefusal when it is unknown, and an UnknownSubject
 * where `owner` says whose it must be and it is not.
 */
export function revokeApiKey(
  catalogue: CatalogueHandle,
  keyId: string,
  now: number,
  owner?: string,
): Promise<{ keyId: string; revokedAt: number }> {
  return changeCatalogue(catalogue, async (tx) => {
    const key = await requireKey(tx.db, keyId, owner);
    const revokedAt = key.revokedAt ?? now;
    const [before, after] = [{ revokedAt: key.revokedAt }, { revokedAt }];
    if (await tx.tell({ ...subjectOf(key), action: "revoked", before, after })) {
      await tx.db
        .updateTable("api_key")
        .set({ revoked_at: revokedAt, changed: tx.version })
        .where("id", "=", keyId)
        .execute();
    }
    return { keyId, revokedAt };
  });
}

/** Every key that was ever issued, or one publisher's, oldest first. */
export async function listApiKeys(
  db: Kysely<Schema>,
  filter: { publisherId?: string } = {},
): Promise<ListedApiKey[]> {
  let query = keyRows(db).orderBy("api_key.created_at").orderBy("api_key.id");
  if (filter.publisherId !== undefined) {
    await requirePublisher(db, filter.publisherId);
    query = query.where("api_key.publisher_id", "=", filter.publisherId);
  }
  return (await query.execute()).map(listed);
}

/** Every key that is new or has changed after the version `seen`, revoked ones too, for the copy in memory. */
export async function changedApiKeys(db: Kysely<Schema>, seen: number): Promise<StoredApiKey[]> {
  const rows = await keyRows(db).where("api_key.changed", ">", seen).execute();
  return rows.map((row) => {
    const { keyId: id, publisherId: owner, scopes: granted, expiresAt, revokedAt } = listed(row);
    const hash = Buffer.from(row.hash, "base64url");
    return { id, publisherId: owner, websiteId: row.website_id, hash, scopes: granted, expiresAt, revokedAt };
  });
}

/** What an activity says a key is: how it begins, and nothing that would help to guess the rest. */
const subjectOf = (key: { keyId: string; publisherId: string }) => ({
  publisherId: key.publisherId,
  subject: { kind: "api_key" as const, id: key.keyId, name: `${keyPrefix}${key.keyId}` },
});

const keyPrefix = "sk_";

const issue = async (
  tx: CatalogueChange,
  given: {
    publisherId: string;
    websiteId: number | null;
    websiteKey: string | null;
    scopes: readonly Scope[];
    expiresAt: number | null;
    name: string;
    now: number;
  },
): Promise<IssuedApiKey> => {
  const made = makeApiKey(randomBytes(apiKeyBytes));
  await tx.db
    .insertInto("api_key")
    .values({
      id: made.id,
      publisher_id: given.publisherId,
      website_id: given.websiteId,
      hash: made.hash.toString("base64url"),
      last_four: made.lastFour,
      scopes_json: JSON.stringify(given.scopes),
      created_at: given.now,
      expires_at: given.expiresAt,
      revoked_at: null,
      last_used_at: null,
      name: given.name,
      made_by: tx.actor.kind === "command_line" ? null : tx.actor.name,
      made_by_user: tx.actor.kind === "user" ? tx.actor.userId : null,
      changed: tx.version,
    })
    .execute();
  const { publisherId: owner, websiteKey, scopes: granted, expiresAt, name } = given;
  await tx.tell({
    ...subjectOf({ keyId: made.id, publisherId: owner }),
    action: "created",
    before: null,
    after: { name, websiteKey, scopes: granted, expiresAt },
  });
  return { key: made.key, keyId: made.id };
};

/** Whether somebody has made a key: the key has their number, or has none and Activity knows. */
export function isKeyMadeBy(userId: number) {
  return (key: ExpressionBuilder<Schema, "api_key">) =>
    key.or([
      key("made_by_user", "=", userId),
      key.and([
        key("made_by_user", "is", null),
        key.exists(beginningOf(key).where("actor_kind", "=", "user").where("actor_id", "=", String(userId))),
      ]),
    ]);
}

/**
 * Calls the maker of keys by another name. Whose a key without its maker's number is, Activity says; where it does not know,
 * the name does: one of `names`, or one under which Activity knows this user.
 */
export async function forgetMaker(
  db: Kysely<Schema>,
  { userId, standIn, names }: { userId: number; standIn: string; names: readonly string[] },
): Promise<void> {
  const ofUser = db
    .selectFrom("activity")
    .where("actor_kind", "=", "user")
    .where("actor_id", "=", String(userId));
  await db
    .updateTable("api_key")
    .set({ made_by: standIn })
    .where((key) =>
      key.or([
        isKeyMadeBy(userId)(key),
        key.and([
          key("made_by_user", "is", null),
          key.not(key.exists(beginningOf(key))),
          key.or([key("made_by", "in", names), key("made_by", "in", ofUser.select("actor_name"))]),
        ]),
      ]),
    )
    .execute();
}

const beginningOf = (key: ExpressionBuilder<Schema, "api_key">) =>
  key
    .selectFrom("activity")
    .where("subject_kind", "=", "api_key")
    .whereRef("subject_id", "=", "api_key.id")
    .where("action", "=", "created")
    .select("activity.id");

/** The end that a living key was issued with (decisions.md#rotated-twice). */
const givenEnd = async (
  db: Kysely<Schema>,
  { keyId, expiresAt }: Pick<ListedApiKey, "keyId" | "expiresAt">,
): Promise<number | null> => {
  const rotations = await db
    .selectFrom("activity")
    .select("before_json")
    .where("subject_kind", "=", "api_key")
    .where("subject_id", "=", keyId)
    .where("action", "=", "rotated")
    .orderBy("id")
    .execute();
  for (const { before_json } of rotations) {
    const before = JSON.parse(before_json ?? "{}");
    if ("expiresAt" in before) return before.expiresAt;
  }
  return expiresAt;
};

/** Keys, each with the key of its website where it has one. */
const keyRows = (db: Kysely<Schema>) =>
  db
    .selectFrom("api_key")
    .leftJoin("website", "website.id", "api_key.website_id")
    .selectAll("api_key")
    .select("website.key as website_key");

/** The number of a publisher's website. Another publisher's is refused as an unknown one is, and so is a deleted one. */
const requireOwnWebsite = async (db: Kysely<Schema>, key: string, owner: string): Promise<number> => {
  const row = await db
    .selectFrom("website")
    .select("id")
    .where("key", "=", key)
    .where("publisher_id", "=", owner)
    .where("archived_at", "is", null)
    .executeTakeFirst();
  if (row) return row.id;
  throw refusal("websiteKey", `the publisher has no website with the key ${JSON.stringify(key)}`);
};

const requireKey = async (
  db: Kysely<Schema>,
  keyId: string,
  owner?: string,
): Promise<ListedApiKey & { websiteId: number | null }> => {
  const row = await keyRows(db).where("api_key.id", "=", keyId).executeTakeFirst();
  // Another publisher's key is as unknown as one that there never was.
  if (owner !== undefined && row?.publisher_id !== owner) throw new UnknownSubject();
  if (row) return { ...listed(row), websiteId: row.website_id };
  throw refusal("keyId", `no API key has the id ${JSON.stringify(keyId)}`);
};

const listed = (row: ApiKeyTable & { website_key: string | null }): ListedApiKey => {
  const stored: unknown = JSON.parse(row.scopes_json);
  return {
    keyId: row.id,
    publisherId: publisherId.parse(row.publisher_id),
    name: row.name,
    madeBy: row.made_by,
    websiteKey: row.website_key as WebsiteKey | null,
    prefix: `${keyPrefix}${row.id}`,
    lastFour: row.last_four,
    scopes: scopes.filter((scope) => Array.isArray(stored) && stored.includes(scope)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
};

const refusal = (field: string, message: string) => new CatalogueRefusal([{ field, message }]);

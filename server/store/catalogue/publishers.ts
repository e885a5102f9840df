import { type NewPublisher, type PublisherInput, publisherInput } from "@offers/contract/catalogue";
import { type PublicKey, type PublisherId, publicKey, publisherId } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import type { Membership } from "../../core/signed-in.ts";
import { lockSpend } from "../dialects.ts";
import type { PublisherTable, Schema } from "../schema.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import { type Condition, requireVersion } from "./catalogue-conflict.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, parseInput } from "./catalogue-refusal.ts";
import { mergePatch } from "./merge-patch.ts";

/** What a new publisher is known by: the id to its operator, the public key in its pages. */
export type PublisherKeys = { publisherId: PublisherId; publicKey: PublicKey };

export type ListedPublisher = PublisherInput &
  PublisherKeys & {
    /** How many websites it has, without those that were deleted. */
    websites: number;
    /** Milliseconds since the epoch. */
    createdAt: number;
    /** For an edit that depends on it. */
    version: number;
  };

/** Saves a publisher at `now` (milliseconds since the epoch); without `keys` they are random. */
export async function createPublisher(
  catalogue: CatalogueHandle,
  input: NewPublisher,
  made: { now: number; keys?: PublisherKeys },
): Promise<PublisherKeys> {
  const keys = made.keys ?? {
    publisherId: publisherId.parse(randomId("publisher")),
    publicKey: publicKey.parse(randomId("pub")),
  };
  const saved = parseInput(publisherInput, input);
  await changeCatalogue(catalogue, async (tx) => {
    await tx.db
      .insertInto("publisher")
      .values({
        ...columnsOf(saved),
        id: keys.publisherId,
        public_key: keys.publicKey,
        created_at: made.now,
        changed: tx.version,
      })
      .execute();
    const subject = subjectOf(keys.publisherId, saved);
    await tx.tell({ ...subject, action: "created", before: null, after: saved });
  });
  return keys;
}

/**
 * Replaces the members that `patch` holds and returns the publisher as it is then; a share stands for what is billed
 * from then on. Throws a CatalogueRefusal for an unknown publisher or a bad value, and a CatalogueConflict where
 * the condition does not hold.
 */
export function updatePublisher(
  catalogue: CatalogueHandle,
  id: string,
  patch: object,
  condition: Condition = {},
): Promise<PublisherInput> {
  return changeCatalogue(catalogue, async (tx) => {
    const { db, version } = tx;
    const found = await requirePublisher(db, id);
    await requireVersion(db, condition, found);
    const { publicKey: _, version: __, ...before } = found;
    const input = parseInput(publisherInput, mergePatch(before, patch));
    if (!(await tx.tell({ ...subjectOf(id, input), action: "updated", before, after: input }))) return input;
    if (input.shareBasisPoints !== before.shareBasisPoints) await lockSpend(db);
    await db
      .updateTable("publisher")
      .set({ ...columnsOf(input), changed: version })
      .where("id", "=", id)
      .execute();
    // A website is read together with its publisher, so what changes there has changed in all of these.
    await db.updateTable("website").set({ changed: version }).where("publisher_id", "=", id).execute();
    return input;
  });
}

/** Every publisher, oldest first. */
export async function listPublishers(db: Kysely<Schema>): Promise<ListedPublisher[]> {
  const rows = await db
    .selectFrom("publisher")
    .select((eb) => [
      "id",
      "public_key",
      "name",
      "share_basis_points",
      "shows_spend",
      "created_at",
      "changed",
      eb
        .selectFrom("website")
        .whereRef("website.publisher_id", "=", "publisher.id")
        .where("website.archived_at", "is", null)
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("websites"),
    ])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    publisherId: publisherId.parse(row.id),
    publicKey: publicKey.parse(row.public_key),
    ...inputOf(row),
    websites: row.websites ?? 0,
    createdAt: row.created_at,
    version: row.changed,
  }));
}

/** The ids of all publishers. */
export async function readPublisherIds(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("publisher").select("id").execute();
  return new Set(rows.map(({ id }) => id));
}

/** The id of each publisher by the number that stands for it in counters. */
export async function publisherIdsByNumber(db: Kysely<Schema>): Promise<ReadonlyMap<number, PublisherId>> {
  const rows = await db.selectFrom("publisher").select(["number", "id"]).execute();
  return new Map(rows.map(({ number, id }) => [number, publisherId.parse(id)]));
}

/** A publisher as those see it who may only look; null when there is none of this id. */
export async function findPublisher(db: Kysely<Schema>, id: string): Promise<Membership | null> {
  const row = await db
    .selectFrom("publisher")
    .select(["id", "public_key", "name"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    publisherId: publisherId.parse(row.id),
    publicKey: publicKey.parse(row.public_key),
    name: row.name,
    role: "viewer",
  };
}

/** What is saved of the publisher, its public key and version; throws a CatalogueRefusal when there is no such publisher. */
export async function requirePublisher(
  db: Kysely<Schema>,
  id: string,
): Promise<PublisherInput & { publicKey: PublicKey; version: number }> {
  const row = await db.selectFrom("publisher").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) return { ...inputOf(row), publicKey: publicKey.parse(row.public_key), version: row.changed };
  throw new CatalogueRefusal([
    { field: "publisherId", message: `no publisher has the id ${JSON.stringify(id)}` },
  ]);
}

const subjectOf = (id: string, { name }: PublisherInput) => ({
  publisherId: id,
  subject: { kind: "publisher" as const, id, name },
});

const columnsOf = ({ name, shareBasisPoints, showSpend }: PublisherInput) => ({
  name,
  share_basis_points: shareBasisPoints,
  shows_spend: showSpend ? (1 as const) : (0 as const),
});

const inputOf = (
  row: Pick<Selectable<PublisherTable>, keyof ReturnType<typeof columnsOf>>,
): PublisherInput => ({
  name: row.name,
  shareBasisPoints: row.share_basis_points,
  showSpend: row.shows_spend === 1,
});

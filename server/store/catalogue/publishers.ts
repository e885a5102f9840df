import { type PublisherInput, publisherInput } from "@offers/contract/catalogue";
import { type PublicKey, type PublisherId, publicKey, publisherId } from "@offers/contract/ids";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { changeCatalogue, randomId } from "./catalogue-change.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { CatalogueRefusal, parseInput } from "./catalogue-refusal.ts";
import { mergePatch } from "./merge-patch.ts";

/** What a new publisher is known by: the id to its operator, the public key in its pages. */
export type PublisherKeys = { publisherId: PublisherId; publicKey: PublicKey };

export type ListedPublisher = PublisherInput &
  PublisherKeys & {
    /** How many websites it has. */
    websites: number;
    /** Milliseconds since the epoch. */
    createdAt: number;
  };

/** Saves a publisher at `now` (milliseconds since the epoch); without `keys` they are random. */
export async function createPublisher(
  catalogue: CatalogueHandle,
  input: PublisherInput,
  made: { now: number; keys?: PublisherKeys },
): Promise<PublisherKeys> {
  const keys = made.keys ?? {
    publisherId: publisherId.parse(randomId("publisher")),
    publicKey: publicKey.parse(randomId("pub")),
  };
  await changeCatalogue(catalogue, ({ db, version }) =>
    db
      .insertInto("publisher")
      .values({
        id: keys.publisherId,
        public_key: keys.publicKey,
        name: input.name,
        created_at: made.now,
        changed: version,
      })
      .execute(),
  );
  return keys;
}

/** Replaces the members that `patch` holds; throws a CatalogueRefusal for an unknown publisher or a bad value. */
export function updatePublisher(catalogue: CatalogueHandle, id: string, patch: object): Promise<void> {
  return changeCatalogue(catalogue, async ({ db, version }) => {
    const { name } = await requirePublisher(db, id);
    const input = parseInput(publisherInput, mergePatch({ name }, patch));
    await db
      .updateTable("publisher")
      .set({ name: input.name, changed: version })
      .where("id", "=", id)
      .execute();
    // A website is read together with its publisher, so what changes there has changed in all of these.
    await db.updateTable("website").set({ changed: version }).where("publisher_id", "=", id).execute();
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
      "created_at",
      eb
        .selectFrom("website")
        .whereRef("website.publisher_id", "=", "publisher.id")
        .select((count) => count.fn.countAll<number>().as("count"))
        .as("websites"),
    ])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    publisherId: publisherId.parse(row.id),
    publicKey: publicKey.parse(row.public_key),
    name: row.name,
    websites: row.websites ?? 0,
    createdAt: row.created_at,
  }));
}

/** The id of each publisher by the number that stands for it in counters. */
export async function publisherIdsByNumber(db: Kysely<Schema>): Promise<ReadonlyMap<number, PublisherId>> {
  const rows = await db.selectFrom("publisher").select(["number", "id"]).execute();
  return new Map(rows.map(({ number, id }) => [number, publisherId.parse(id)]));
}

/** The publisher's name and public key; throws a CatalogueRefusal when there is no such publisher. */
export async function requirePublisher(
  db: Kysely<Schema>,
  id: string,
): Promise<{ name: string; publicKey: PublicKey }> {
  const row = await db.selectFrom("publisher").selectAll().where("id", "=", id).executeTakeFirst();
  if (row) return { name: row.name, publicKey: publicKey.parse(row.public_key) };
  throw new CatalogueRefusal([
    { field: "publisherId", message: `no publisher has the id ${JSON.stringify(id)}` },
  ]);
}

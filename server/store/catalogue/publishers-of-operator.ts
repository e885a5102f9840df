import type { PublisherPage, PublisherRow } from "@offers/contract/dash/operator";
import { type Kysely, sql } from "kysely";
import type { Schema } from "../schema.ts";

/** Every publisher, or one, with how many websites and people it has; the oldest first. */
export async function readPublishers(db: Kysely<Schema>, id: string | null = null): Promise<PublisherRow[]> {
  const { rows } = await sql<Omit<PublisherRow, "showSpend"> & { showsSpend: 0 | 1 }>`
    select id as "publisherId", public_key as "publicKey", name, share_basis_points as "shareBasisPoints",
      shows_spend as "showsSpend", created_at as "createdAt", changed as version,
      (select count(*) from website where website.publisher_id = publisher.id and archived_at is null) as websites,
      (select count(*) from member where member.publisher_id = publisher.id) as members
    from publisher where ${id === null ? sql`true` : sql`id = ${id}`}
    order by created_at, id`.execute(db);
  return rows.map(({ showsSpend, ...row }) => ({ ...row, showSpend: showsSpend === 1 }));
}

/** The websites of all publishers, deleted ones too, since their events are told; or those that one publisher has. The oldest first. */
export async function listSites(
  db: Kysely<Schema>,
  publisherId: string | null = null,
): Promise<(PublisherPage["sites"][number] & { publisher: string })[]> {
  const rows = await db
    .selectFrom("website")
    .innerJoin("publisher", "publisher.id", "website.publisher_id")
    .select([
      "website.key",
      "website.name",
      "website.vertical",
      "website.development",
      "website.paused",
      "website.origins_json",
      "publisher.name as publisher",
    ])
    .$if(publisherId !== null, (query) =>
      query.where("website.publisher_id", "=", publisherId ?? "").where("website.archived_at", "is", null),
    )
    .orderBy("website.id")
    .execute();
  return rows.map((row) => ({
    websiteKey: row.key,
    name: row.name,
    vertical: row.vertical,
    development: row.development === 1,
    paused: row.paused === 1,
    origins: JSON.parse(row.origins_json) as string[],
    publisher: row.publisher,
  }));
}

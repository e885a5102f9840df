import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { seededRandom } from "../../core/seeded-random.ts";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import type { Schema } from "../schema.ts";
import { openDatabase } from "../sqlite/database.ts";
import { housekeep } from "../sqlite/housekeeping.ts";
import { openSqliteCatalogue } from "../sqlite/open-catalogue.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";

/** When the salts of a made installation are those of the day. */
export const noon = Date.UTC(2026, 4, 4, 12);

/** A stopped installation on SQLite with so many visits, and with rows that are hard to carry over. */
export async function newInstallation({ visits = 60 }: { visits?: number } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "installation-"));
  const file = join(directory, "offers.sqlite");
  const source = { file, durability: "relaxed" as const };
  const catalogue = await openSqliteCatalogue({ ...source, ...byTests });
  const { db } = catalogue;
  await addWebsites(db);
  await addRandomOffers(db, { offer_cpc: { total_budget_micros: 20_000 } });
  const service = openDatabase(source);
  prepareBatchWriter(service.sqlite).write(randomEntries(seededRandom(11), visits), 0);
  service.sqlite.close();
  await addHardRows(db);
  await catalogue.close();
  const beside = async <T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T> => {
    const database = openDatabase(source);
    try {
      return await work(database.db);
    } finally {
      await database.db.destroy();
    }
  };
  const database = openDatabase(source);
  await housekeep(database, noon, 0);
  await database.db.destroy();
  return { directory, file, source, beside, remove: () => rmSync(directory, { recursive: true }) };
}

const addWebsites = async (db: Kysely<Schema>): Promise<void> => {
  const publisher = { id: "publisher_1", name: "Pier", public_key: "pub_1", created_at: 1, changed: 1 };
  await db.insertInto("publisher").values(publisher).execute();
  for (const number of [1, 2, 3]) {
    await db
      .insertInto("website")
      .values({
        ...{ key: `ws_${number}`, publisher_id: "publisher_1", name: `Site ${number}`, vertical: "news" },
        ...{ own_brand: "", development: 0, origins_json: "[]", geo_rule_json: "{}", settings_json: "{}" },
        ...{ allowlist_json: "{}", created_at: 1, changed: 1 },
      })
      .execute();
  }
};

const addHardRows = async (db: Kysely<Schema>): Promise<void> => {
  const advertiser = { id: "advertiser_rich", name: `\\x41 "quoted"\n\tÄ 漢 🙂 \\N`, created_at: 1 };
  // One above what a number holds exactly, which SQL alone can write.
  await db
    .insertInto("advertiser")
    .values({ ...advertiser, deposited_micros: 2 ** 53 })
    .execute();
  await db
    .updateTable("advertiser")
    .set({ deposited_micros: sql<number>`deposited_micros + 1` })
    .where("id", "=", "advertiser_rich")
    .execute();
  await db
    .insertInto("ledger_line")
    .columns(["at", "day", "kind", "advertiser", "micros", "currency"])
    .expression(
      db
        .selectFrom("advertiser")
        .select((eb) => [
          eb.lit(1).as("at"),
          eb.lit(0).as("day"),
          eb.val("deposit").as("kind"),
          "number",
          "deposited_micros",
          eb.val("").as("currency"),
        ])
        .where("id", "=", "advertiser_rich"),
    )
    .execute();
  const { number, line } = await db
    .selectFrom("ledger_line")
    .innerJoin("advertiser", "advertiser.number", "ledger_line.advertiser")
    .select(["advertiser.number", "ledger_line.id as line"])
    .where("advertiser.id", "=", "advertiser_rich")
    .executeTakeFirstOrThrow();
  await db.insertInto("ledger_note").values({ advertiser: number, line, note: advertiser.name }).execute();
  await db
    .insertInto("currency_rate")
    .values({ currency: "EUR", rate: 0.1 + 0.2, changed: 1 })
    .execute();
  await db.insertInto("currency_rate").values({ currency: "XAU", rate: null, changed: 1 }).execute();
  for (const email of ["ada@pier.example", "gone@pier.example"]) {
    await db
      .insertInto("user")
      .values({ email, name: "Ada", password_hash: null, created_at: 1, disabled_at: null })
      .execute();
  }
  // Whoever is gone had the last number, and nobody gets it again.
  await db.deleteFrom("user").where("email", "=", "gone@pier.example").execute();
  for (const number of [1, 2, 3]) {
    await db
      .insertInto("decline_session")
      .values({
        ...{ id: `session_${number}` as never, website_id: 1, origin: "https://pier.example" },
        ...{
          request: Buffer.alloc(12, number),
          country: "DE",
          region: "",
          test: 0,
          visitor: null,
          opener: null,
        },
        ...{ created_at: 1, expires_at: 2, ready_at: null, reason: null, suppression_json: null, device: 0 },
        ...{ catalogue: null, geo_source: null },
      })
      .execute();
  }
  // Of website 2 the database goes on counting none.
  await db.updateTable("decline_session").set({ website_id: 1 }).execute();
  await db.insertInto("decline_kept").values({ website_id: 2, sessions: 0 }).execute();
};

import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { up as layout } from "../migrations/0001-tables.ts";
import { up as openers } from "../migrations/0002-openers-of-sessions.ts";
import { up as billingLimits } from "../migrations/0003-billing-limits.ts";
import { up as setUp } from "../migrations/0004-set-up.ts";
import { up as frequency } from "../migrations/0005-frequency.ts";
import { up as placesAndDrawn } from "../migrations/0006-places-and-drawn.ts";
import { up as ranking } from "../migrations/0007-ranking.ts";
import { up as look } from "../migrations/0008-look.ts";
import { up as locales } from "../migrations/0009-locales.ts";
import { up as explained } from "../migrations/0010-explained.ts";
import { up as pacing } from "../migrations/0011-pacing.ts";
import { up as schedules } from "../migrations/0012-schedules.ts";
import { up as shares } from "../migrations/0013-shares.ts";
import { up as detail } from "../migrations/0014-detail.ts";
import { up as closing } from "../migrations/0015-closing.ts";
import { up as viewsOfNetworks } from "../migrations/0016-views-of-networks.ts";
import { up as accounts } from "../migrations/0017-accounts.ts";
import { up as activity } from "../migrations/0018-activity.ts";
import { up as trouble } from "../migrations/0019-trouble.ts";
import { up as oauth } from "../migrations/0020-oauth.ts";
import { up as archivedWebsites } from "../migrations/0021-archived-websites.ts";
import { up as keyNames } from "../migrations/0022-key-names.ts";
import { up as operating } from "../migrations/0023-operating.ts";
import { up as pingsByHost } from "../migrations/0024-pings-by-host.ts";
import { migrations as later } from "../migrations/both-engines.ts";
import type { Schema } from "../schema.ts";
import type { Database } from "./database.ts";
import { fillDetail, settleLines } from "./detail.ts";
import { refuseBesideService } from "./refuse-beside-service.ts";
import { rollBack, takeWriteLock } from "./write-lock.ts";

/** In order of their names. A migration that was ever released is never changed. */
export const migrations = {
  "0001-tables": { up: layout },
  "0002-openers-of-sessions": { up: openers },
  "0003-billing-limits": { up: billingLimits },
  "0004-set-up": { up: setUp },
  "0005-frequency": { up: frequency },
  "0006-places-and-drawn": { up: placesAndDrawn },
  "0007-ranking": { up: ranking },
  "0008-look": { up: look },
  "0009-locales": { up: locales },
  "0010-explained": { up: explained },
  "0011-pacing": { up: pacing },
  "0012-schedules": { up: schedules },
  "0013-shares": { up: shares },
  "0014-detail": { up: detail },
  "0015-closing": { up: closing },
  "0016-views-of-networks": { up: viewsOfNetworks },
  "0017-accounts": { up: accounts },
  "0018-activity": { up: activity },
  "0019-trouble": { up: trouble },
  "0020-oauth": { up: oauth },
  "0021-archived-websites": { up: archivedWebsites },
  "0022-key-names": { up: keyNames },
  "0023-operating": { up: operating },
  "0024-pings-by-host": { up: pingsByHost },
  ...later,
};

/** What programs of before the first release began with. Their events cannot be told in this layout's terms. */
const unreleased = ["0001-first-schema", "0001-layout"];

/** Another process may be migrating at this moment; a big table takes its time. */
const lockWaitMs = 15_000;

/**
 * Brings the database to this program's schema, in one transaction: a crash leaves the old schema, and of two
 * processes that start together one does it and the other finds it done. Throws when the database was written by
 * a newer program, or by the one of before the first release, or while a service runs on it that knows another schema, as far
 * as its mark is seen, and changes nothing then.
 * @param options.isAlone nobody else has it open, whatever marks say.
 */
export async function migrate({ db, sqlite }: Database, { isAlone = false } = {}): Promise<void> {
  if (await isUpToDate(db)) return;
  // None runs on a file that has no schema yet.
  if (!isAlone && (await executedMigrations(db)).length > 0) refuseBesideService(sqlite.name);
  takeWriteLock(sqlite, lockWaitMs);
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    if (!(await isUpToDate(db))) {
      const { error, results } = await migrator.migrateToLatest();
      if (error !== undefined) throw error;
      // When all migrations are done: facts and lines are read as this program reads them.
      const isDone = (name: string) => results?.some(({ migrationName }) => migrationName === name);
      if (isDone("0014-detail")) fillDetail(sqlite);
      if (isDone("0030-one-wait")) settleLines(sqlite);
    }
    sqlite.exec("commit");
  } catch (error) {
    rollBack(sqlite);
    throw error;
  }
}

const isUpToDate = async (db: Kysely<Schema>): Promise<boolean> => {
  const done = await executedMigrations(db);
  if (done.some((name) => unreleased.includes(name))) {
    throw new Error(
      "the database was written by a program of before the first release, whose layout is no longer read: " +
        "write its offers to a file with that program (offer export), move the database away, " +
        "start with an empty one, and read the offers in again (offer import)",
    );
  }
  const known = Object.keys(migrations);
  const newer = done.filter((name) => !known.includes(name));
  if (newer.length === 0) return known.every((name) => done.includes(name));
  throw new Error(
    `the database is newer than this program: it has the migration ${newer.join(", ")}, ` +
      `which is unknown here; start the version that wrote it, or a later one`,
  );
};

/** Reads without the migrator, which would create its tables first. */
const executedMigrations = async (db: Kysely<Schema>): Promise<string[]> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return rows.map(({ name }) => name);
};

import { type ConfigVerdict, checkDataDir } from "../config.ts";
import { type Database, openDatabase } from "../store/sqlite/database.ts";
import { migrate } from "../store/sqlite/migrate.ts";
import { isLockedByAnother, storageTrouble } from "../store/sqlite/storage-trouble.ts";
import type { CommandContext } from "./command.ts";
import { savingRules } from "./saving-rules.ts";

/** Where the data is, and what time it is there. */
export type CatalogueSource = {
  readConfig: () => ConfigVerdict;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/** The data is not there, not ours to open, or locked for too long. */
export class CatalogueUnavailable extends Error {
  override readonly name = "CatalogueUnavailable";
}

/**
 * Short, because a change of the catalogue tries again by itself, and at a better pace: SQLite's own waiting grows to
 * long naps, and against a service that commits batch after batch it seldom wakes at the right moment.
 */
const busyTimeoutMs = 5;

/**
 * Runs `work` on the service's own database file, which may be in use, and closes it. A new file gets its
 * schema first. Throws CatalogueUnavailable when the file cannot be opened, read or written.
 */
export async function withCatalogue<T>(
  source: CatalogueSource,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const verdict = source.readConfig();
  if (!verdict.ok) throw new CatalogueUnavailable(verdict.message);
  const { config } = verdict;
  const directory = checkDataDir(config);
  if (!directory.ok) throw new CatalogueUnavailable(directory.message);
  const file = config.databaseFile;
  const database = await opened(file, config.durability);
  try {
    const context = { ...database, rules: savingRules(config.production), now: source.now() };
    return await work(context);
  } catch (error) {
    throw explained(error, file);
  } finally {
    await database.db.destroy();
  }
}

const opened = async (file: string, durability: "full" | "relaxed"): Promise<Database> => {
  let database: Database;
  try {
    database = openDatabase({ file, durability, busyTimeoutMs });
  } catch (error) {
    throw new CatalogueUnavailable(`cannot open ${file}: ${messageOf(error)}`);
  }
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.db.destroy();
    throw new CatalogueUnavailable(`cannot prepare ${file}: ${messageOf(error)}`);
  }
};

const explained = (error: unknown, file: string): unknown => {
  if (isLockedByAnother(error)) {
    const advice = "try again, or see which program keeps a transaction open";
    return new CatalogueUnavailable(
      `another program has kept ${file} locked for seconds; nothing was changed: ${advice}`,
    );
  }
  const trouble = storageTrouble(error);
  return trouble
    ? new CatalogueUnavailable(`cannot use ${file}: ${messageOf(error)} (${trouble.code})`)
    : error;
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

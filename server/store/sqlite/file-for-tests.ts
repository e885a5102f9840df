import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { byTests, readingOf } from "../catalogue/catalogue-for-tests.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { changing } from "./open-catalogue.ts";

/** A fresh, migrated file below `parent` with its catalogue, for what is true of this engine alone. */
export async function newCatalogueFile(parent: string) {
  const directory = mkdtempSync(join(parent, "catalogue-"));
  const file = join(directory, "offers.sqlite");
  // Nothing here outlives the test, so no commit needs to wait for the disk.
  const database: Database = openDatabase({ file, durability: "relaxed" });
  await migrate(database);
  return {
    ...database,
    ...changing(database, byTests),
    file,
    ...readingOf(database),
    close: async () => {
      await database.db.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

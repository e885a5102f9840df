import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { type Database, openDatabase } from "../sqlite/database.ts";
import { migrate } from "../sqlite/migrate.ts";
import { changing } from "../sqlite/open-catalogue.ts";
import { readCatalogueChanges } from "./catalogue-changes.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import type { SavingRules } from "./saving-rules.ts";

/** Who changes something in tests, at the time of the tests. */
export const byTests = {
  actor: { kind: "command_line", name: "tests" },
  clock: Date.now,
} satisfies Pick<CatalogueHandle, "actor" | "clock">;

/** A fresh, migrated database file below `parent`, and rules that know a handful of places. */
export async function newCatalogue(parent: string) {
  const directory = mkdtempSync(join(parent, "catalogue-"));
  const file = join(directory, "offers.sqlite");
  // Nothing here outlives the test, so no commit needs to wait for the disk.
  const database: Database = openDatabase({ file, durability: "relaxed" });
  await migrate(database);
  return {
    ...database,
    ...changing(database, byTests),
    file,
    version: () =>
      Number(database.sqlite.prepare("select version from catalogue_version where id = 1").pluck().get()),
    /** Everything that has changed after the version `seen`, as one. */
    changes: async (seen = 0): Promise<CatalogueChanges> => {
      const parts: CatalogueChanges[] = [];
      const version = await readCatalogueChanges(database.db, seen, (part) => parts.push(part));
      const currencies = parts.findLast((part) => part.currencies !== undefined)?.currencies;
      return {
        version,
        ...(currencies && { currencies }),
        websites: parts.flatMap(({ websites }) => websites),
        offers: parts.flatMap(({ offers }) => offers),
        apiKeys: parts.flatMap(({ apiKeys }) => apiKeys),
        secrets: parts.flatMap(({ secrets }) => secrets),
      };
    },
    count: (
      table:
        | "activity"
        | "publisher"
        | "website"
        | "advertiser"
        | "offer"
        | "ledger_line"
        | "decline_session",
    ) => Number(database.sqlite.prepare(`select count(*) from ${table}`).pluck().get()),
    close: async () => {
      await database.db.destroy();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The rules of a development machine. */
export const fewPlaces: SavingRules = {
  isPublicSuffix: (host) => ["com", "example", "co.uk"].includes(host),
  isCountry: (code) => ["AT", "CA", "DE", "FR", "GB", "US"].includes(code),
  isRegion: (entry) => ["CA-QC", "US-NJ", "US-NY"].includes(entry),
  neverLocated: (entry) => (entry === "CA-QC" ? "the location data knows no address in CA-QC" : null),
  production: false,
};

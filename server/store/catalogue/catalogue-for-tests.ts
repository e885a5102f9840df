import { sql } from "kysely";
import type { CatalogueChanges } from "../../core/snapshot-changes.ts";
import { newDatabase, openBeside } from "../../testing/engine-of-tests.ts";
import type { Schema } from "../schema.ts";
import { readCatalogueChanges } from "./catalogue-changes.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import type { SavingRules } from "./saving-rules.ts";

/** Who changes something in tests, at the time of the tests. */
export const byTests = {
  actor: { kind: "command_line", name: "tests" },
  clock: Date.now,
} satisfies Pick<CatalogueHandle, "actor" | "clock">;

/** A catalogue in an empty database of the engine that the tests are about; of SQLite its file is below `parent`. */
export async function newCatalogue(parent: string) {
  const { address, remove } = await newDatabase(parent);
  const { close, ...catalogue } = openBeside(address, byTests);
  return {
    ...catalogue,
    address,
    ...readingOf(catalogue),
    close: async () => {
      await close();
      await remove();
    },
  };
}

/** What tests ask of a catalogue. */
export function readingOf({ db }: Pick<CatalogueHandle, "db">) {
  return {
    version: async (): Promise<number> => {
      const row = await db.selectFrom("catalogue_version").select("version").executeTakeFirstOrThrow();
      return row.version;
    },
    /** Everything that has changed after the version `seen`, as one. */
    changes: async (seen = 0): Promise<CatalogueChanges> => {
      const parts: CatalogueChanges[] = [];
      const version = await readCatalogueChanges(db, seen, (part) => parts.push(part));
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
    count: async (table: keyof Schema): Promise<number> => {
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
        db,
      );
      return rows[0]?.rows ?? 0;
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

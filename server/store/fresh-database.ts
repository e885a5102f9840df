import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import type { SavingRules } from "./saving-rules.ts";

/** For tests: an empty database of the newest schema, which goes when the test is over. */
export const freshDatabase = async (): Promise<Database & { folder: string }> => {
  const folder = mkdtempSync(join(tmpdir(), "offers-store-"));
  const database = openDatabase({ file: join(folder, "offers.sqlite"), durability: "relaxed" });
  onTestFinished(async () => {
    await database.db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  await migrate(database);
  return { ...database, folder };
};

/** For tests: rules that know four countries and one region. */
export const testRules: SavingRules = {
  isPublicSuffix: (host) => host === "example" || host === "com",
  isCountry: (code) => ["DE", "FR", "GB", "US"].includes(code),
  isRegion: (entry) => entry === "US-NJ",
  production: false,
};

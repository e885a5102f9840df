import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { findPostgres } from "../../testing/postgres-server.ts";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { describeStore } from "../conformance/describe-store.ts";
import { openStore } from "../open-store.ts";
import { openDatabase } from "./database.ts";
import { changing } from "./open-catalogue.ts";
import { openWriter, startDatabases } from "./postgres-for-tests.ts";

describe.skipIf(findPostgres() === null)("the store's promises", () => {
  let databases: Awaited<ReturnType<typeof startDatabases>>;
  beforeAll(async () => {
    databases = await startDatabases();
  });
  afterAll(() => databases?.remove());

  describeStore({
    name: "PostgreSQL",
    newDatabase: async () => {
      const { url, close, ...database } = await databases.newDatabase();
      const directory = mkdtempSync(join(tmpdir(), "offers-node-"));
      const spoolFile = join(directory, "spool.sqlite");
      const ends: (() => Promise<void>)[] = [];
      // The suite writes 50,000 entries at once, which no service does.
      const writer = await openWriter(url, {
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
      });
      return {
        ...database,
        beside: async () => {
          const another = openDatabase({ url, name: "another process" });
          ends.push(() => another.destroy());
          return changing(another, byTests);
        },
        open: (clock) =>
          openStore({
            // Its commits wait for no disk, and it is refused otherwise.
            database: { engine: "postgres", url, durability: "relaxed", needsSyncStandby: false, spoolFile },
            clock,
            log: () => undefined,
          }),
        record: async (entries) => {
          const { written } = await writer.write(entries, 0);
          const [failure] = written.failures;
          if (failure !== undefined) throw new Error(failure.message);
          // As the server itself does within a minute, which here is not waited for.
          if (entries.length > 1000) await writer.client.query("analyze");
          return written.outcomes.flatMap((outcome) => outcome ?? []);
        },
        close: async () => {
          await Promise.all([writer.close(), ...ends.map((end) => end())]);
          await close();
          rmSync(directory, { recursive: true, force: true });
        },
      };
    },
  });
});

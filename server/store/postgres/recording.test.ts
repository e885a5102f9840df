import { afterAll, beforeAll, describe } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { findPostgres } from "../../testing/postgres-server.ts";
import { describeRecording } from "../conformance/describe-recording.ts";
import { describeSessions } from "../conformance/describe-sessions.ts";
import { sessionColumns, sessionOfRow } from "../rows/session-row.ts";
import type { Store } from "../store.ts";
import { connect } from "./connect.ts";
import { changing } from "./open-catalogue.ts";
import { openWriter, startDatabases } from "./postgres-for-tests.ts";

let databases: Awaited<ReturnType<typeof startDatabases>>;
beforeAll(async () => {
  databases = await startDatabases();
});
afterAll(() => databases.remove());

/** A store of which there is a journal, without the queue before it, and the session behind it. */
const openJournal = async (url: string): Promise<Store> => {
  const { close, ...writer } = await openWriter(url);
  const client = await connect({ url, name: "tests" });
  let last: Promise<unknown> = Promise.resolve();
  const store: Pick<Store, "declineSession" | "close"> & { journal: Pick<Store["journal"], "append"> } = {
    journal: {
      append: async (entry) => {
        const writing = last.then(() => writer.write([entry], 0));
        last = writing.catch(() => undefined);
        const outcome = (await writing).written.outcomes[0];
        if (outcome == null) throw new Error("the entry failed");
        return outcome;
      },
    },
    declineSession: async (id) => {
      const { rows } = await client.query(
        `select ${sessionColumns.join(", ")} from decline_session where id = $1`,
        [id],
      );
      return rows[0] === undefined ? null : sessionOfRow(rows[0]);
    },
    close: async () => {
      await close();
      await client.end();
    },
  };
  return store as Store;
};

describe.skipIf(findPostgres() === null)("what is recorded on PostgreSQL", () => {
  const engine = {
    name: "PostgreSQL",
    newDatabase: async () => {
      const { url, close, ...database } = await databases.newDatabase();
      // Some of these batches are a hundred times as large as any that a service writes.
      const patient = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 };
      const writer = await openWriter(url, patient);
      return {
        ...database,
        beside: async () => changing(database.db, database),
        open: () => openJournal(url),
        record: async (entries: readonly JournalEntry[]) => {
          const { outcomes, failures } = (await writer.write(entries, 0)).written;
          if (failures[0] !== undefined) throw new Error(failures[0].message);
          return outcomes.flatMap((outcome) => outcome ?? []);
        },
        close: async () => {
          await writer.close();
          await close();
        },
      };
    },
  };
  describeRecording(engine);
  describeSessions(engine);
});

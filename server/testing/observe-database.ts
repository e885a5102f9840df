import { readFileSync } from "node:fs";
import type { DatabaseAddress, PostgresAddress, SqliteAddress } from "../store/database-address.ts";
import { connect } from "../store/postgres/connect.ts";
import { purgePassing } from "../store/postgres/purge.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { preparePurgeOnce } from "../store/sqlite/purge.ts";
import { openRowsAside } from "./rows-aside.ts";
import {
  noteArrivals,
  readStoredRows,
  readStoredRowsAside,
  type StoredRows,
  showEvents,
} from "./stored-rows.ts";

/** A test's look at what is stored, beside whoever stores it. */
export type Observed = {
  stored: StoredRows;
  /** Everything as text, for whoever looks for what must not stand in it. */
  dump: () => string;
  /** Deletes what has had its time at `now` (milliseconds since the epoch), as a service does once a minute. */
  purge: (now: number) => Promise<void>;
  close: () => Promise<void>;
};

/** Looks at a database that has its schema; events that are stored before have no order of arrival. */
export function observeDatabase(address: DatabaseAddress): Promise<Observed> {
  return address.engine === "sqlite" ? observeSqlite(address) : observePostgres(address);
}

const observeSqlite = async ({ file }: SqliteAddress): Promise<Observed> => {
  const { sqlite, db } = openDatabase({ file, durability: "relaxed" });
  showEvents(sqlite);
  return {
    stored: readStoredRows(sqlite),
    // The files themselves, and not the rows: what was deleted is gone from them, too.
    dump: () => ["", "-wal"].map((end) => readFileSync(file + end).toString("latin1")).join(""),
    purge: async (now) => void preparePurgeOnce(sqlite, null)(now, 10_000),
    close: () => db.destroy(),
  };
};

const observePostgres = async ({ url }: PostgresAddress): Promise<Observed> => {
  const client = await connect({ url, name: "offers tests" });
  await client.query(noteArrivals);
  await client.end();
  const aside = openRowsAside(url);
  const stored = readStoredRowsAside(aside);
  return {
    stored,
    dump: () => JSON.stringify(stored.tables().map(stored.table), asText),
    purge: async (now) => {
      const own = await connect({ url, name: "offers tests" });
      while (await purgePassing(own, now, null));
      await own.end();
    },
    close: aside.close,
  };
};

/** Bytes as those who write them know them. */
const asText = (_: string, value: unknown): unknown =>
  Buffer.isBuffer(value) ? value.toString("latin1") : value;

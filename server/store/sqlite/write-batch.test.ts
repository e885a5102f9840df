import { tmpdir } from "node:os";
import Sqlite from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import {
  addAdvertiser,
  addOffer,
  blocked,
  hop,
  impression,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newBatches = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  await addAdvertiser(database.db, "advertiser_1", 1_000_000);
  await addOffer(database.db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  showEvents(database.sqlite);
  const writer = prepareBatchWriter(database.sqlite);
  const events = () => Number(database.sqlite.prepare("select count(*) from event").pluck().get());
  return { ...database, events, write: (entries: readonly JournalEntry[]) => writer.write(entries, 0) };
};

/** What a bug would send: no column takes it. */
const broken: JournalEntry = blocked(visitOf("broken", { websiteId: null as never }));

test("an entry that cannot be stored fails alone, and its neighbours are recorded once", async () => {
  const { write, db, events } = await newBatches();
  const visit = visitOf("r1");
  const { outcomes, failures } = write([
    served(visit, [1]),
    impression(visit, 1),
    broken,
    hop(visit, 1),
    broken,
    blocked(visit),
  ]);
  expect(outcomes.map((outcome) => (outcome === null ? "failed" : outcome.refusal))).toEqual([
    null,
    null,
    "failed",
    null,
    "failed",
    null,
  ]);
  expect(failures).toEqual([
    { at: 2, message: expect.stringContaining("website_id") },
    { at: 4, message: expect.stringContaining("website_id") },
  ]);
  expect(outcomes[3]).toMatchObject({ billedMicros: 1000 });
  expect(events()).toBe(4);
  expect((await recount(db)).differences).toEqual([]);
  expect((await audit(db)).differences).toEqual([]);
  const { spent_micros } = await db
    .selectFrom("spend")
    .select("spent_micros")
    .where("subject", "=", "advertiser_1")
    .executeTakeFirstOrThrow();
  expect(spent_micros).toBe(1000);
});

test("an entry that fails half-way takes back what it had charged and counted", async () => {
  const { write, sqlite, db, events } = await newBatches();
  const visit = visitOf("r1");
  write([served(visit, [1])]);
  // The hop charges first and writes its row then.
  sqlite.exec(
    "create trigger stop before insert on fact when new.type = 4 begin select raise(abort, 'stopped'); end",
  );
  const { outcomes, failures } = write([hop(visit, 1), blocked(visit)]);
  expect(failures).toEqual([{ at: 0, message: "stopped" }]);
  expect(outcomes).toEqual([null, expect.objectContaining({ refusal: null })]);
  expect(events()).toBe(2);
  expect(sqlite.prepare("select count(*) from ledger_line where kind = 'click'").pluck().get()).toBe(0);
  expect(sqlite.prepare("select coalesce(sum(spent_micros), 0) from spend").pluck().get()).toBe(0);
  expect((await recount(db)).differences).toEqual([]);
  expect((await audit(db)).differences).toEqual([]);
});

test("a full disk refuses the whole batch, loses nothing, and writing goes on when there is room", async () => {
  const { write, sqlite, db, events } = await newBatches();
  write([blocked(visitOf("before"))]);
  const pages = Number(sqlite.pragma("page_count", { simple: true }));
  sqlite.pragma(`max_page_count = ${pages + 2}`);
  const many = Array.from({ length: 400 }, (_, index) => blocked(visitOf(`r${index}`)));
  expect(() => write(many)).toThrow(expect.objectContaining({ code: "SQLITE_FULL" }));
  expect(sqlite.inTransaction).toBe(false);
  expect(events()).toBe(1);
  sqlite.pragma("max_page_count = 1000000");
  expect(write(many).outcomes).toHaveLength(400);
  expect(events()).toBe(401);
  expect((await recount(db)).differences).toEqual([]);
});

test("a batch without entries is written all the same, as a disk that is full takes the commit of nothing", async () => {
  const { write, sqlite } = await newBatches();
  const beside = new Sqlite(sqlite.name);
  closing.push(async () => void beside.close());
  const committed = () => Number(beside.pragma("data_version", { simple: true }));
  const before = committed();
  expect(write([])).toEqual({ outcomes: [], failures: [] });
  expect(committed()).not.toBe(before);
});

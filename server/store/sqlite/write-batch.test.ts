import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { addAdvertiser, addOffer, blocked, hop, impression, served, visitOf } from "./journal-for-tests.ts";
import { prepareWriteBatch } from "./write-batch.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newBatches = async () => {
  const { close, ...database } = await newCatalogue(tmpdir());
  closing.push(close);
  await addAdvertiser(database.db, "advertiser_1", 1_000_000);
  await addOffer(database.db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  const events = () => Number(database.sqlite.prepare("select count(*) from event").pluck().get());
  return { ...database, events, write: prepareWriteBatch(database.sqlite) };
};

/** What a bug would send: no column takes it. */
const broken: JournalEntry = blocked(visitOf("broken", { websiteId: null as never }));

test("an entry that cannot be stored fails alone, and its neighbours are recorded once", async () => {
  const { write, db, events } = await newBatches();
  const visit = visitOf("r1");
  const { results } = write([
    served(visit, ["offer_1"]),
    impression(visit, "offer_1"),
    broken,
    hop(visit, "offer_1"),
    broken,
    blocked(visit),
  ]);
  expect(results.map((result) => ("outcome" in result ? result.outcome.refusal : "failed"))).toEqual([
    null,
    null,
    "failed",
    null,
    "failed",
    null,
  ]);
  expect(results[2]).toEqual({ failure: expect.stringContaining("website_id") });
  expect(results[3]).toMatchObject({ outcome: { billedMicros: 1000 } });
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
  write([served(visit, ["offer_1"])]);
  // The hop charges first and writes its row then.
  sqlite.exec(
    "create trigger stop before insert on event when new.type = 'click' begin select raise(abort, 'stopped'); end",
  );
  const { results } = write([hop(visit, "offer_1"), blocked(visit)]);
  expect(results).toEqual([{ failure: "stopped" }, { outcome: expect.objectContaining({ refusal: null }) }]);
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
  expect(write(many).results).toHaveLength(400);
  expect(events()).toBe(401);
  expect((await recount(db)).differences).toEqual([]);
});

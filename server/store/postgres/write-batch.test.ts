import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type FactType, factTypes } from "../../core/fact.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { findPostgres } from "../../testing/postgres-server.ts";
import { makePublishers } from "../books/counters-for-tests.ts";
import { readingOf } from "../conformance/engine-under-test.ts";
import {
  addAdvertiser,
  addOffer,
  beacon,
  blocked,
  hop,
  impression,
  morning,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { openWriter, startDatabases } from "./postgres-for-tests.ts";
import { recordEntries } from "./record-entries.ts";
import { prepareBatchWriter } from "./write-batch.ts";

let databases: Awaited<ReturnType<typeof startDatabases>>;
beforeAll(async () => {
  if (findPostgres() !== null) databases = await startDatabases();
});
afterAll(() => databases?.remove());

/** A database with an offer of 1000 micro-units a click, an advertiser who can pay for 100 of them, and a writer. */
const newBatches = async () => {
  const database = await databases.newDatabase();
  onTestFinished(database.close);
  const { db, url } = database;
  await addAdvertiser(db, "advertiser_1", 100_000);
  await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 1000 });
  const writer = await openWriter(url);
  onTestFinished(writer.close);
  const write = async (...entries: JournalEntry[]) => (await writer.write(entries, 0)).written;
  return { ...readingOf(database), db, url, writer, write };
};

/** What a bug would send: no column takes it. */
const broken: JournalEntry = blocked(visitOf("broken", { websiteId: null as never }));
/** And what PostgreSQL alone refuses. */
const unwritable = (country: string): JournalEntry => blocked(visitOf("odd", { country }));

describe.skipIf(findPostgres() === null)("a batch on PostgreSQL", () => {
  test.each([
    ["no number", broken, "website_id"],
    ["a zero character", unwritable("D\u0000"), "unsupported Unicode escape"],
    ["half a millisecond", blocked(visitOf("odd", { at: visitOf("odd").at + 0.5 })), "no whole number"],
    ["half a character", unwritable("\ud800"), "json"],
  ])("an entry with %s fails alone, and its neighbours are recorded once", async (_, odd, message) => {
    const { write, facts, spend, differences } = await newBatches();
    const visit = visitOf("r1");
    const { outcomes, failures } = await write(
      served(visit, [1]),
      impression(visit, 1),
      odd,
      hop(visit, 1),
      odd,
      blocked(visit),
    );
    expect(outcomes.map((outcome) => (outcome === null ? "failed" : outcome.refusal))).toEqual([
      null,
      null,
      "failed",
      null,
      "failed",
      null,
    ]);
    expect(failures).toEqual([
      { at: 2, message: expect.stringContaining(message) },
      { at: 4, message: expect.stringContaining(message) },
    ]);
    expect(outcomes[3]).toMatchObject({ billedMicros: 1000 });
    expect(await facts()).toHaveLength(3);
    expect(await spend("advertiser_1")).toEqual({ spent_micros: 1000, billed_clicks: 1 });
    expect(await differences()).toEqual([]);
  });

  test("what nobody reads has no outcome, and fails under its place all the same", async () => {
    const { writer } = await newBatches();
    const { written } = await writer.write([blocked(visitOf("r1")), broken, blocked(visitOf("r2"))], 2);
    expect(written.outcomes).toMatchObject([{ refusal: null }]);
    expect(written.failures).toMatchObject([{ at: 1 }]);
  });

  test("an entry over which a rule throws fails alone", async () => {
    const { write } = await newBatches();
    const visit = visitOf("r1");
    const { outcomes, failures } = await write(
      served(visit, [1]),
      { ...impression(visit, 1), visit: null as never },
      hop(visit, 1),
    );
    expect(outcomes).toMatchObject([{ refusal: null }, null, { billedMicros: 1000 }]);
    expect(failures).toHaveLength(1);
  });

  test("a commit that the server answers by taking it back is no commit: the batch is decided again", async () => {
    const { writer, write, facts } = await newBatches();
    const query = writer.client.query.bind(writer.client);
    let failed = 0;
    vi.spyOn(writer.client, "query").mockImplementation(((...args: Parameters<typeof query>) => {
      if ((args[0] as unknown) === "commit" && failed === 0) {
        failed += 1;
        // Whatever it may be by which the transaction has failed unnoticed.
        query("select 1 / 0").catch(() => undefined);
      }
      return query(...args);
    }) as typeof query);
    const { outcomes } = await write(blocked(visitOf("r1")));
    expect(failed).toBe(1);
    expect(outcomes).toMatchObject([{ refusal: null }]);
    expect(await facts()).toHaveLength(1);
  });

  test("a wait for a standby that was cancelled is not taken for a commit", async () => {
    const { db, writer, write } = await newBatches();
    // Cells and spends are there already.
    await write(blocked(visitOf("r1")));
    const ask = async (statement: string) => (await databases.ask(statement)).rows;
    await ask("alter system set synchronous_standby_names = 'nobody'");
    await ask("select pg_reload_conf()");
    let visits = 1;
    try {
      const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
      // The server hears of its new settings a moment later: until then commits wait for nobody.
      for (let isWaiting = false; !isWaiting; visits += 1) {
        const writing = writer
          .write([blocked(visitOf(`r${visits + 1}`))], 0)
          .catch((error: unknown) => error);
        const waits = vi.waitFor(async () => {
          expect(await ask(`select pid ${waiting}`)).toHaveLength(1);
          return true;
        }, 10_000);
        isWaiting = await Promise.race([writing.then(() => false), waits]);
        waits.catch(() => undefined);
        if (!isWaiting) continue;
        await ask(`select pg_cancel_backend(pid) ${waiting}`);
        expect(await writing).toMatchObject({ name: "CommitUnknown", reason: "not_replicated" });
      }
    } finally {
      await ask("alter system reset synchronous_standby_names");
      await ask("select pg_reload_conf()");
    }
    expect(await db.selectFrom("fact").selectAll().execute()).toHaveLength(visits);
  }, 30_000);

  test("a connection that is gone at the commit leaves it open whether there was one", async () => {
    const { db, url } = await newBatches();
    await db
      .insertInto("node" as never)
      .values({ id: "n", epoch: 1, batch: 0, seen_at: 0 } as never)
      .execute();
    const { client, close } = await openWriter(url);
    onTestFinished(close);
    const fenced = prepareBatchWriter(client, { fence: { id: "n", epoch: 1, batch: () => 7 } });
    const query = client.query.bind(client);
    vi.spyOn(client, "query").mockImplementation(((...args: Parameters<typeof query>) => {
      const sent = query(...args);
      if ((args[0] as unknown) === "commit") client.connection.stream.destroy();
      return sent;
    }) as typeof query);
    await expect(fenced.write([blocked(visitOf("r1"))], 0)).rejects.toMatchObject({
      name: "CommitUnknown",
      reason: "lost",
      batch: 7,
      decided: { written: { outcomes: [{ refusal: null }] } },
    });
  });

  test("whose place was taken writes nothing", async () => {
    const { db, url, facts } = await newBatches();
    await db
      .insertInto("node" as never)
      .values({ id: "n", epoch: 2, batch: 0, seen_at: 0 } as never)
      .execute();
    const { client, close } = await openWriter(url);
    onTestFinished(close);
    const fenced = prepareBatchWriter(client, { fence: { id: "n", epoch: 1, batch: () => 1 } });
    await expect(fenced.write([blocked(visitOf("r1"))], 0)).rejects.toMatchObject({ name: "Fenced" });
    expect(await facts()).toEqual([]);
  });

  test("a request that somebody plays with is read by parts, and goes by the same rules", async () => {
    const { write, db, counters, differences } = await newBatches();
    const visit = visitOf("r1");
    // Each answer hands out another offer, so each is a row; those that hand out nothing new are twenty rows.
    const answers = Array.from({ length: 300 }, (_, index) => served(visit, [index + 1]));
    await write(blocked(visit), ...answers.slice(0, 150));
    await write(...answers.slice(150), blocked(visit));
    await write(...answers.slice(0, 30));
    const outcomes = (
      await write(served(visit, [1]), impression(visit, 1), beacon(visit, 1), hop(visit, 1), hop(visit, 1))
    ).outcomes;
    expect(outcomes.map((outcome) => outcome?.refusal)).toEqual(["duplicate", null, null, null, "duplicate"]);
    expect(outcomes[3]).toMatchObject({ billedMicros: 1000 });
    const third = (await write(blocked(visit), impression(visit, 1), hop(visit, 1))).outcomes;
    expect(third.map((outcome) => outcome?.refusal)).toEqual(["duplicate", "duplicate", "duplicate"]);
    const rowsOf = async (type: FactType) =>
      (await db.selectFrom("fact").select("seq").where("type", "=", type).orderBy("seq").execute()).map(
        ({ seq }) => seq,
      );
    expect(await rowsOf(factTypes.served)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(await rowsOf(factTypes.repeatedAnswer)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await counters()).toMatchObject([
      { vertical: "games", served: 300, impressions: 1, clicks: 1, filtered: 34 },
      { vertical: "news", blocked: 1, filtered: 2 },
    ]);
    expect(await differences()).toEqual([]);
  });

  test.each([
    {
      table: "api_key",
      row: `insert into api_key (id, publisher_id, hash, last_four, scopes_json, created_at, changed)
        select 'used', id, '', '', '[]', 1, 1 from publisher`,
      use: { kind: "key_used", keyId: "used", at: morning },
    },
    {
      table: "oauth_grant",
      row: `insert into oauth_grant (id, client_id, user_id, publisher_id, scopes_json, at, changed)
        values ('used', 'c', 1, 'p', '[]', 1, 1)`,
      use: { kind: "grant_used", grantId: "used", at: morning },
    },
  ] as const)("waits for nobody who holds a row of $table, and notes the next use of it", async (noted) => {
    const { db, url, write, facts } = await newBatches();
    await makePublishers(db, [1]);
    const { client, close } = await openWriter(url);
    onTestFinished(close);
    await client.query(noted.row);
    const lastUsedAt = async () => (await client.query(`select last_used_at from ${noted.table}`)).rows;
    await client.query(`begin; select from ${noted.table} for update`);
    const { outcomes, failures } = await write(noted.use, blocked(visitOf("r1")));
    expect([outcomes[1], failures]).toEqual([expect.objectContaining({ refusal: null }), []]);
    expect(await facts()).toHaveLength(1);
    expect(await lastUsedAt()).toEqual([{ last_used_at: null }]);
    await client.query("rollback");
    for (const at of [morning + 60_000, morning]) await write({ ...noted.use, at });
    expect(await lastUsedAt()).toEqual([{ last_used_at: morning + 60_000 }]);
  });

  test("tells which offers have run out, and once those that the advertiser cannot pay either", async () => {
    const { db, writer } = await newBatches();
    const dearer = await addOffer(db, { id: "dearer", advertiser: "advertiser_1", payoutMicros: 2000 });
    await addOffer(db, { id: "cheaper", advertiser: "advertiser_1", payoutMicros: 10 });
    const clicks = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => visitOf(`r${from + index}`)).flatMap((visit) => [
        served(visit, [1], { micros: 995 }),
        hop(visit, 1),
      ]);
    expect((await writer.write(clicks(0, 98), 0)).exhausted).toEqual([]);
    // 1495 micro-units are left behind the next, and then 500.
    expect((await writer.write(clicks(98, 100), 0)).exhausted).toEqual(
      [1, 1, dearer].map((offer) => ({ offer, day: null })),
    );
    expect((await writer.write(clicks(100, 101), 0)).exhausted).toEqual([{ offer: 1, day: null }]);
  });

  test("is written whole or not at all for the command line", async () => {
    const { url, facts } = await newBatches();
    await expect(recordEntries(url, [blocked(visitOf("r1")), broken])).rejects.toThrow("website_id");
    expect(await facts()).toEqual([]);
    await recordEntries(url, [blocked(visitOf("r1")), blocked(visitOf("r2"))]);
    expect(await facts()).toHaveLength(2);
  });
});

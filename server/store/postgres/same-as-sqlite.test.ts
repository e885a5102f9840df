import { tmpdir } from "node:os";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { cellKey } from "../../core/cell.ts";
import { unpackOffers } from "../../core/handed-offers.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { findPostgres } from "../../testing/postgres-server.ts";
import { readingOf } from "../conformance/engine-under-test.ts";
import { addAdvertiser, addOffer } from "../conformance/journal-for-tests.ts";
import { randomRest } from "../conformance/random-rest-for-tests.ts";
import { randomEntries } from "../conformance/random-visits-for-tests.ts";
import type { Written } from "../journal/journal.ts";
import type { Schema } from "../schema.ts";
import { openDatabase } from "../sqlite/database.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { openWriters, startDatabases } from "./postgres-for-tests.ts";

/** How much is tried: 20 seeds of 300 visits in a long run. */
const seeds = Number(process.env.SEEDS ?? 4);
const visits = 300;

let databases: Awaited<ReturnType<typeof startDatabases>>;
beforeAll(async () => {
  if (findPostgres() !== null) databases = await startDatabases();
});
afterAll(() => databases?.remove());

type Write = (entries: readonly JournalEntry[]) => Promise<Written> | Written;
type Engine = { db: Kysely<Schema>; writers: Write[] };

/** The offers of the random visits, a publisher with two websites, and what was made to be called with. */
const fill = async (db: Kysely<Schema>): Promise<void> => {
  await addAdvertiser(db, "advertiser_1", 200_000);
  await addAdvertiser(db, "advertiser_2", 9000);
  const [one, two] = [{ advertiser: "advertiser_1" }, { advertiser: "advertiser_2" }];
  await addOffer(db, { id: "offer_cpc", ...one, payoutMicros: 1000, daily_click_cap: 30 });
  await addOffer(db, { id: "offer_cpc2", ...two, payoutMicros: 70, total_budget_micros: 8000 });
  await addOffer(db, { id: "offer_cpm", ...two, payoutMicros: 3000, payout_model: "CPM" });
  await addOffer(db, { id: "offer_cpa", ...one, payoutMicros: 7, payout_model: "CPA" });
  const changed = { created_at: 1, changed: 1 };
  await db
    .insertInto("publisher")
    .values({ id: "publisher_1", name: "P", public_key: "p", share_basis_points: 7001, ...changed })
    .execute();
  const website = {
    ...{ publisher_id: "publisher_1", name: "W", vertical: "news", own_brand: "", development: 0 as const },
    ...{ origins_json: "[]", geo_rule_json: "{}", settings_json: "{}", allowlist_json: "[]", ...changed },
  };
  await db
    .insertInto("website")
    .values([
      { ...website, key: "site_1" },
      { ...website, key: "site_2", share_basis_points: 333 },
    ])
    .execute();
  // Near where rows go on from half of their figures, and so that views weigh more and less than one.
  const rates = [1, 2, 3, 4].flatMap((offer) =>
    ["DE", "US", "ZZ"].flatMap((country) =>
      [1, 2].map((placement) => ({
        ...{ offer, country, placement, clicks: 333 * offer + 1, changed: 1 },
        ...(offer % 2 === 1
          ? { impressions: 19_990, surplus_milli: -5_000_001 }
          : { impressions: 20_003, surplus_milli: 3_000_007 }),
      })),
    ),
  );
  await db.insertInto("rate_count").values(rates).execute();
  const places = [999_999_991, 12_345_677].flatMap((expected_millionths, at) =>
    (["overlay", "section"] as const).map((surface) => ({
      ...{ website_id: at + 1, surface, expected_millionths, clicks: 37 * (at + 1), changed: 1 },
    })),
  );
  await db.insertInto("website_rate").values(places).execute();
  for (const id of ["key_1", "key_2"]) {
    const key = {
      id,
      publisher_id: "publisher_1",
      website_id: null,
      hash: id,
      last_four: "",
      scopes_json: "[]",
    };
    const times = { created_at: 1, expires_at: null, revoked_at: null, last_used_at: null, changed: 1 };
    await db
      .insertInto("api_key")
      .values({ ...key, ...times, name: "", made_by: null })
      .execute();
  }
};

const onSqlite = async (): Promise<Engine> => {
  const { db, file, close } = await newCatalogueFile(tmpdir());
  onTestFinished(close);
  await fill(db);
  // Beside the catalogue, as a service is: of what its own connection writes it takes no notice.
  const service = openDatabase({ file, durability: "relaxed" });
  onTestFinished(() => service.db.destroy());
  const writer = prepareBatchWriter(service.sqlite);
  return { db, writers: [(entries) => writer.write(entries, 0)] };
};

const onPostgres = async (count: number): Promise<Engine> => {
  const { db, url, close } = await databases.newDatabase();
  await fill(db);
  const writers = await openWriters(url, count);
  onTestFinished(close);
  return {
    db,
    writers: writers.map(
      ({ write }) =>
        async (entries) =>
          (await write(entries, 0)).written,
    ),
  };
};

/** Writes the entries in batches of uneven length, by the writers in turn; half-way the catalogue changes. */
const writeInTurn = async ({ db, writers }: Engine, entries: readonly JournalEntry[]): Promise<unknown[]> => {
  const random = seededRandom(9);
  const outcomes: unknown[] = [];
  let isChanged = false;
  for (let at = 0, turn = 0; at < entries.length; turn += 1) {
    const length = 1 + Math.floor(random() * 120);
    const written = await writers[turn % writers.length]?.(entries.slice(at, at + length));
    expect(written?.failures).toEqual([]);
    outcomes.push(...(written?.outcomes ?? []));
    at += length;
    if (isChanged || at < entries.length / 2) continue;
    isChanged = true;
    const models = [
      ["offer_cpc2", "CPM"],
      ["offer_cpm", "CPC"],
    ] as const;
    for (const [id, payout_model] of models) {
      await db.updateTable("offer").set({ payout_model }).where("id", "=", id).execute();
    }
    await db.updateTable("publisher").set({ share_basis_points: 5000 }).execute();
  }
  return outcomes;
};

/** What is stored, without the numbers that an engine gives to rows in its own order. */
const storedBy = async ({ db }: Engine) => {
  const cells = new Map(
    (await db.selectFrom("cell").selectAll().execute()).map(({ id, website_id, test, ...cell }) => [
      id,
      cellKey({ ...cell, websiteId: website_id, test: test === 1 }),
    ]),
  );
  const named = (cell: number): string => cells.get(cell) ?? `unknown ${cell}`;
  const all = async (table: keyof Schema, but: readonly string[] = []): Promise<string[]> => {
    const rows: Record<string, unknown>[] = await db.selectFrom(table).selectAll().execute();
    const plain = rows.map((row) =>
      Object.entries(row)
        .filter(([name]) => !but.includes(name))
        .map(([name, value]) => {
          if (name === "cell") return [name, named(Number(value))];
          if (name === "offers" && value instanceof Uint8Array) {
            const offers = unpackOffers(value).map((offer) => ({ ...offer, cell: named(offer.cell) }));
            return [name, offers];
          }
          return [name, value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value];
        })
        .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
    );
    return plain.map((row) => JSON.stringify(row)).sort();
  };
  const { counters, differences } = readingOf({ db } as Parameters<typeof readingOf>[0]);
  const rate = ["changed"];
  return {
    cells: [...cells.values()].sort(),
    fact: await all("fact"),
    ledger_line: await all("ledger_line", ["id", "xid"]),
    // PostgreSQL makes the row of a spend before anything is spent.
    spend: (await all("spend")).filter((row) => !/billed_clicks",0\].*spent_micros",0\]/.test(row)),
    counters: (await counters()).map((row) => JSON.stringify(row)).sort(),
    // Both sums over the counters, and the lines of every hour, are what the facts add up to.
    differences: await differences(),
    unkept_event: await all("unkept_event"),
    billed_click: await all("billed_click"),
    billed_network: await all("billed_network"),
    billed_view: await all("billed_view"),
    rate_count: (await all("rate_count", rate)).filter((row) => !/clicks",0\].*impressions",0\]/.test(row)),
    website_rate: await all("website_rate", rate),
    snippet_ping: await all("snippet_ping"),
    trouble: await all("trouble"),
    dismissal: await all("dismissal", ["number", "xid"]),
    decline_session: await all("decline_session", ["number"]),
    decline_kept: await all("decline_kept"),
    api_key: await all("api_key"),
  };
};

describe.skipIf(findPostgres() === null)("PostgreSQL records what SQLite does", () => {
  test.each(Array.from({ length: seeds }, (_, index) => index + 1))(
    "by 1, 2 and 4 writers in turn, row by row: seed %i",
    async (seed) => {
      const random = seededRandom(seed);
      const [events, rest] = [randomEntries(random, visits), randomRest(random, 4 * visits)];
      const entries: JournalEntry[] = [];
      while (events.length + rest.length > 0) {
        const next = random() < rest.length / (events.length + rest.length) ? rest : events;
        entries.push(...next.splice(0, 1 + Math.floor(random() * 5)));
      }
      const sqlite = await onSqlite();
      const outcomes = await writeInTurn(sqlite, entries);
      const stored = await storedBy(sqlite);
      expect(stored.differences).toEqual([]);
      expect(stored.ledger_line.length).toBeGreaterThan(50);
      for (const count of [1, 2, 4]) {
        const postgres = await onPostgres(count);
        expect(await writeInTurn(postgres, entries)).toEqual(outcomes);
        expect(await storedBy(postgres)).toEqual(stored);
      }
    },
    180_000,
  );
});

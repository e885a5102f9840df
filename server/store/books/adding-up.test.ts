import { tmpdir } from "node:os";
import type { WebsiteKey } from "@offers/contract/ids";
import { reportDimensions } from "@offers/contract/reports";
import { refusalReasons } from "@offers/contract/words";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { figureColumns, isMoney } from "../../core/figures.ts";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { seededRandom } from "../../core/seeded-random.ts";
import { dateOfDay, dayNumber } from "../../core/utc-day.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { morning, served, visitOf } from "../conformance/journal-for-tests.ts";
import { addRandomOffers, randomEntries } from "../conformance/random-visits-for-tests.ts";
import type { Schema } from "../schema.ts";
import { prepareCells } from "../sqlite/cells.ts";
import { countedIn } from "../sqlite/counted-for-tests.ts";
import { openDatabase } from "../sqlite/database.ts";
import { newCatalogueFile } from "../sqlite/file-for-tests.ts";
import { prepareRateChanges } from "../sqlite/rate-counts.ts";
import { prepareSettlingAll } from "../sqlite/waiting-sums.ts";
import { prepareBatchWriter } from "../sqlite/write-batch.ts";
import { type AuditedFigure, audit } from "./audit.ts";
import { makePublishers } from "./counters-for-tests.ts";
import { recount } from "./recount.ts";
import { readRefusedEvents } from "./refused-events.ts";
import { readReport } from "./report.ts";
import { sameBooks } from "./same-books-for-tests.ts";
import { readStatement, readStatements } from "./statement.ts";

const monday = dayNumber(Date.UTC(2026, 4, 4));
const tuesday = monday + 1;

const counts = figureColumns.filter((column) => !isMoney(column));

/** In basis points, by website; the third one's changes in the middle of the run. */
const shares = { 1: 7000, 2: 10_000, 3: 3333 } as const;
const laterShare = 0;
/** The last line of the ledger before that. */
let lastBefore = 0;

/** Answers with many offers: of visits that were handed most of them before, and of those of whom none counts. */
const manyOffers = (events: readonly JournalEntry[]): JournalEntry[] => {
  const again = events.flatMap((entry) =>
    entry.kind === "blocked" ? [served(entry.visit, [1, 2, 3, 4])] : [],
  );
  const engines = Array.from({ length: 30 }, (_, number): JournalEntry[] => {
    const visit = (name: string) => visitOf(`${name}${number}`, { websiteId: 1 + (number % 3) });
    const answer = { ...served(visit("q"), [1, 2, 3]), observed: ["search_engine" as const] };
    return [answer, { ...answer, visit: visit("n"), kind: "noted" }, answer];
  });
  const cell = {
    ...{ websiteId: 1, country: "DE", region: "", vertical: "games", surface: "overlay" as const },
    ...{ test: false, currency: "", device: 0 },
  };
  const above = { kind: "clicks_refused" as const, cell, offer: 1, placement: null, at: morning, clicks: 7 };
  return [...again, ...engines.flat(), above];
};

/** What has happened, and the books that are to have it. */
let recorded: Awaited<ReturnType<typeof newCatalogueFile>>;
let ledger: Awaited<ReturnType<typeof sameBooks>>;
beforeAll(async () => {
  recorded = await newCatalogueFile(tmpdir());
  const { db, sqlite } = recorded;
  await makePublishers(db, [2, 1]);
  await addRandomOffers(db, {
    offer_cpc: { daily_click_cap: 30 },
    offer_cpc2: { total_budget_micros: 8000 },
  });
  await db.updateTable("publisher").set({ share_basis_points: shares[1] }).where("number", "=", 1).execute();
  await db.updateTable("publisher").set({ share_basis_points: shares[3] }).where("number", "=", 2).execute();
  await db.updateTable("website").set({ share_basis_points: shares[2] }).where("id", "=", 2).execute();
  const random = seededRandom(20_260_504);
  const events = randomEntries(random, 400);
  const entries = [...events, ...manyOffers(events)];
  const writer = prepareBatchWriter(sqlite);
  // Some of it is in the counters and some waits: by themselves, far more would have to wait.
  const settle = sqlite.transaction(prepareSettlingAll(sqlite, prepareCells(sqlite)));
  for (let at = 0; at < entries.length; ) {
    const size = 1 + Math.floor(random() * 80);
    writer.write(entries.slice(at, at + size), 0);
    at += size;
    if (at < entries.length / 2) settle();
    if (lastBefore === 0 && at > entries.length / 4) {
      lastBefore = Number(sqlite.prepare("select max(id) from ledger_line").pluck().get());
      const other = openDatabase({ file: recorded.file, durability: "relaxed" });
      other.sqlite.exec(`update website set share_basis_points = ${laterShare} where id = 3`);
      await other.db.destroy();
    }
  }
  ledger = await sameBooks(recorded);
});
afterAll(() => ledger.close());

describe("after 400 random visits", () => {
  test("the run has met everything that it is meant to try", () => {
    showEvents(recorded.sqlite);
    const count = (what: string) =>
      Number(recorded.sqlite.prepare(`select ${what} from event`).pluck().get());
    expect(count("count(*)")).toBeGreaterThan(5000);
    expect(count("count(billed_micros)")).toBeGreaterThan(200);
    expect(count("count(overruled)")).toBeGreaterThan(50);
    expect(count("count(distinct reason)")).toBe(refusalReasons.length);
    expect(count("count(distinct day)")).toBe(2);
  });

  test("a recount finds every cell right", async () => {
    const { cells, differences } = await recount(ledger.db);
    expect(differences).toEqual([]);
    expect(cells).toBeGreaterThan(30);
  });

  test.each([false, true])(
    "each filtered event has a reason, or its number is kept, of tests: %s",
    async (isTest) => {
      const span = { from: 0, to: (tuesday + 1) * 86_400_000, isTest };
      const { refused, unkept, counted } = await readRefusedEvents(ledger.db, span);
      const told: Record<string, number> = {};
      for (const { date, websiteKey, events } of [...refused, ...unkept]) {
        const name = `${date} ${websiteKey}`;
        told[name] = (told[name] ?? 0) + events;
      }
      const filtered = counted.map((row) => [`${row.date} ${row.websiteKey}`, row.filtered]);
      expect(told).toEqual(Object.fromEntries(filtered));
      expect(Object.keys(told).length).toBeGreaterThan(3);
    },
  );

  test("the click rates are made of the counted events of live traffic, each once", () => {
    const { sqlite } = recorded;
    const kept = sqlite
      .prepare(
        `select offer, country, placement, impressions, clicks from rate_count
         where impressions <> 0 or clicks <> 0 order by 1, 2, 3`,
      )
      .all();
    const counted = sqlite
      .prepare(
        `select fact.offer, country, placement, sum(type = 3) as impressions, 
           sum(type = 4 and hop_after is not null) as clicks
         from fact join cell on cell.id = fact.cell
         where type in (3, 4) and fact.offer > 0 and placement in (1, 2) and reason is null and test = 0
         group by 1, 2, 3 order by 1, 2, 3`,
      )
      .all();
    expect(kept).toEqual(counted);
    expect(kept.length).toBeGreaterThan(10);
    expect(prepareRateChanges(sqlite)(0)?.counts).toHaveLength(kept.length);
  });

  test("an audit finds every sum right", async () => {
    const { lines, differences } = await audit(ledger.db);
    expect(differences).toEqual([]);
    expect(lines).toBeGreaterThan(200);
  });

  test("a report has the ledger's money of each currency, and every counter once", async () => {
    const websites = [1, 2].map((id) => ({ id, key: `ws_${id}` as WebsiteKey }));
    for (const groupBy of [[...reportDimensions], ["country" as const], ["date" as const]]) {
      const days = { from: dateOfDay(monday), to: dateOfDay(tuesday) };
      const live = { ...days, websites, test: false, eventTypes: [], groupBy };
      const { rows, totals, totalsByCurrency } = await readReport(ledger.db, live);
      const paid = recorded.sqlite
        .prepare(
          `select cell.currency, sum(billed_micros) as spend_micros, sum(earned_micros) as earned_micros from fact join cell on cell.id = fact.cell
           where website_id in (1, 2) and test = 0 group by 1 having sum(billed_micros) > 0 order by 1`,
        )
        .all();
      expect(paid).toHaveLength(2);
      expect(totalsByCurrency.filter(({ currency }) => currency !== null)).toMatchObject(paid);
      expect([totals.spend_micros, totals.earned_micros]).toEqual([null, null]);
      const counted = countedIn(recorded.sqlite).filter(
        ({ website_id, test }) => website_id < 3 && test === 0,
      );
      for (const count of counts) {
        expect(totals[count]).toBe(counted.reduce((sum, row) => sum + row[count], 0));
        expect(rows.reduce((sum, row) => sum + Number(row[count]), 0)).toBe(totals[count]);
      }
    }
  });

  test("every counted click has a counted impression, and no cap is overdrawn", async () => {
    const orphans = recorded.sqlite
      .prepare(
        `select click.id from event as click
         left join event as seen on seen.request = click.request and seen.offer_id = click.offer_id
           and seen.type = 'impression' and seen.first = 1 and seen.reason is null
         where click.type = 'click' and click.reason is null and seen.id is null`,
      )
      .all();
    expect(orphans).toEqual([]);
    const spend = await ledger.db.selectFrom("spend").selectAll().execute();
    const of = (subject: string, day: number) =>
      spend.find((row) => row.subject === subject && row.day === day);
    expect(of("offer_cpc", monday)?.billed_clicks).toBe(30);
    expect(of("offer_cpc2", 0)?.spent_micros).toBeLessThanOrEqual(8000);
    expect(of("advertiser_2", 0)?.spent_micros).toBeLessThanOrEqual(9000);
  });
});

type Line = {
  id: number;
  website: keyof typeof shares;
  kind: string;
  currency: string;
  price: number;
  earned: number;
};

describe("publishers' shares of what 400 random visits cost, of which one changes in the middle", () => {
  const linesOf = () =>
    recorded.sqlite
      .prepare(
        `select id, website, kind, currency, -micros as price, earned_micros as earned from ledger_line
         where kind <> 'deposit'`,
      )
      .all() as Line[];
  const may = { from: "2026-05-01", to: "2026-05-31" };
  const publishers = [
    { publisherId: "publisher_1", websites: [1, 2] },
    { publisherId: "publisher_2", websites: [3] },
  ];

  test("are fixed with each line, by the share that stood then, and rounded down", () => {
    const lines = linesOf();
    const met = new Set<number>();
    for (const { id, website, price, earned } of lines) {
      const share = website === 3 && id > lastBefore ? laterShare : shares[website];
      expect(earned).toBe(Number((BigInt(price) * BigInt(share)) / 10_000n));
      met.add(share);
    }
    expect([...met].sort()).toEqual([0, 10_000, 3333, 7000]);
    // Where a part of a micro-unit was left, it is the operator's.
    expect(lines.some(({ website, price }) => (price * shares[website]) % 10_000 > 0)).toBe(true);
  });

  test("agree in statements, ledger, advertisers' spend and budgets, to the micro-unit and in each currency", async () => {
    const lines = linesOf();
    const sum = (some: readonly Line[], of: "price" | "earned") =>
      some.reduce((all, line) => all + line[of], 0);
    const spent = new Map<string, number>();
    for (const { publisherId, websites } of publishers) {
      const {
        items,
        totals,
        lines: told,
        differences,
      } = await readStatement(ledger.db, { publisherId, ...may });
      expect(differences).toEqual([]);
      const own = lines.filter(({ website }) => websites.includes(website));
      expect(told).toBe(own.length);
      expect(items).toEqual(
        websites.flatMap((website) =>
          ["EUR", "JPY"].map((currency) => {
            const here = own.filter((line) => line.website === website && line.currency === currency);
            const [spend, earnings] = [sum(here, "price"), sum(here, "earned")];
            expect(spend).toBeGreaterThan(0);
            return {
              publisherId,
              websiteKey: `ws_${website}`,
              currency,
              billableClicks: here.filter(({ kind }) => kind === "click").length,
              billedViews: here.filter(({ kind }) => kind === "impression").length,
              ...{ spend, earnings, operatorsPart: spend - earnings },
              shares: expect.any(Array),
            };
          }),
        ),
      );
      for (const { shares, ...item } of items) {
        // The parts are the item, and no more of them are told than shares there were.
        expect(shares.length).toBeLessThanOrEqual(item.websiteKey === "ws_3" ? 2 : 1);
        for (const name of ["billableClicks", "billedViews", "spend", "earnings", "operatorsPart"] as const) {
          expect(shares.reduce((all, part) => all + Number(part[name]), 0)).toBe(item[name]);
        }
      }
      for (const total of totals) {
        const of = items.filter(({ currency }) => currency === total.currency);
        for (const name of ["billableClicks", "billedViews", "spend", "earnings", "operatorsPart"] as const) {
          expect(total[name]).toBe(of.reduce((all, one) => all + Number(one[name]), 0));
        }
        spent.set(total.currency, (spent.get(total.currency) ?? 0) + Number(total.spend));
      }
    }
    const ofAdvertiser = (id: string) =>
      recorded.sqlite.prepare("select spent_micros from spend where subject = ? and day = 0").pluck().get(id);
    // One of them pays in euros, the other in yen.
    expect(Object.fromEntries(spent)).toEqual({
      EUR: ofAdvertiser("advertiser_1"),
      JPY: ofAdvertiser("advertiser_2"),
    });
  });

  test("are the same whether one publisher's statement is read or all at once", async () => {
    const alone = [];
    for (const { publisherId } of publishers) {
      alone.push(await readStatement(ledger.db, { publisherId, ...may }));
    }
    expect(await readStatements(ledger.db, may)).toEqual(alone);
  });

  test("are in the statement of the month of the event alone", async () => {
    for (const [from, to] of [
      ["2026-04-01", "2026-04-30"],
      ["2026-06-01", "2026-06-30"],
    ] as const) {
      const empty = await readStatement(ledger.db, { publisherId: "publisher_1", from, to });
      expect(empty).toEqual({
        ...{ publisherId: "publisher_1", items: [], totals: [], lines: 0, differences: [] },
      });
      expect(await readStatements(ledger.db, { from, to })).toEqual([]);
    }
  });

  test.each([
    [
      "a line of the ledger that is gone",
      "delete from ledger_line where id = (select max(id) from ledger_line where website = 1)",
    ],
    [
      "a line that earned a micro-unit more",
      "update ledger_line set earned_micros = earned_micros + 1 where id = (select max(id) from ledger_line where website = 1)",
    ],
    [
      "a line of another website",
      "update ledger_line set website = 2 where id = (select max(id) from ledger_line where website = 1)",
    ],
    [
      "a counter with a micro-unit more",
      "update counter_day set earned_micros = earned_micros + 1 where website_id = 2 and test = 0 and spend_micros > 0",
    ],
  ])("a statement finds %s", async (_, plant) => {
    const { differences } = await planted(plant, (db) =>
      readStatement(db, { publisherId: "publisher_1", ...may }),
    );
    expect(differences.length).toBeGreaterThan(0);
    for (const { ledger: told, counters } of differences) expect(told).not.toBe(counters);
  });
});

/** Runs `work` on books in which something else stands, and takes it back, so that each plant stands alone. */
const planted = async <T>(plant: string, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> => {
  const tx = await ledger.db.startTransaction().execute();
  try {
    for (const statement of plant.split(";")) await sql.raw(statement).execute(tx);
    return await work(tx);
  } finally {
    await tx.rollback().execute();
  }
};

describe("a recount finds what was planted", () => {
  const rest = `day = ${monday} and vertical = 'games' and surface = 'overlay' and test = 0 and currency = 'EUR'`;
  const place = { day: "2026-05-04", vertical: "games", surface: "overlay", test: false, currency: "EUR" };
  const tables = [
    ["counter", "website_id = 2 and country = 'US'", { websiteId: 2, publisher: null, country: "US" }],
    ["counter_day", "website_id = 2", { websiteId: 2, publisher: null, country: "all" }],
    [
      "counter_publisher",
      "publisher = 1 and country = 'US'",
      { websiteId: null, publisher: 1, country: "US" },
    ],
  ] as const;
  const plants = tables.flatMap(([table, where, told]) =>
    figureColumns.map((count) => [count, table, where, told] as const),
  );
  test.each(plants)("one too many of %s in %s", async (count, table, where, told) => {
    const plant = `update ${table} set ${count} = ${count} + 1 where ${rest} and ${where}`;
    const { differences } = await planted(plant, recount);
    const [recorded, recounted] = [expect.any(Number), expect.any(Number)];
    expect(differences).toEqual([{ ...place, ...told, detail: null, count, recorded, recounted }]);
    expect(differences[0]?.recorded).toBe(Number(differences[0]?.recounted) + 1);
  });

  test("a cell that is missing, and one that nothing stands behind", async () => {
    const { differences } = await planted(
      `delete from counter where website_id = 2 and country = 'US' and ${rest};
       insert into counter (website_id, day, country, vertical, surface, test, currency, clicks)
         values (9, ${tuesday}, 'FR', 'games', 'overlay', 1, 'EUR', 5)`,
      recount,
    );
    expect(differences).toContainEqual(
      expect.objectContaining({ country: "US", count: "clicks", recorded: 0 }),
    );
    expect(differences).toContainEqual(
      expect.objectContaining({
        websiteId: 9,
        country: "FR",
        test: true,
        count: "clicks",
        recorded: 5,
        recounted: 0,
      }),
    );
  });

  test("a fact that was lost, in the counters, in both sums and in its hour's line", async () => {
    const { differences } = await planted(
      "delete from fact where (request, type) = (select request, type from fact where type = 1 limit 1)",
      recount,
    );
    expect(differences).toHaveLength(4);
    expect(differences.map(({ detail }) => detail).filter((detail) => detail !== null)).toHaveLength(1);
    for (const difference of differences) expect(difference).toMatchObject({ count: "blocked" });
  });
});

describe("an audit finds what was planted", () => {
  const plants: { plant: string; figures: AuditedFigure[]; subject?: string }[] = [
    {
      plant: "update advertiser set deposited_micros = deposited_micros + 1 where id = 'advertiser_2'",
      figures: ["advertiser_deposits"],
      subject: "advertiser_2",
    },
    {
      plant: "update spend set spent_micros = spent_micros - 1 where subject = 'advertiser_1'",
      figures: ["advertiser_spend"],
      subject: "advertiser_1",
    },
    {
      plant: "update spend set billed_clicks = billed_clicks + 1 where subject = 'advertiser_1'",
      figures: ["advertiser_billed_clicks"],
      subject: "advertiser_1",
    },
    {
      plant: "update spend set spent_micros = spent_micros + 5 where subject = 'offer_cpm' and day = 0",
      figures: ["offer_spend"],
      subject: "offer_cpm",
    },
    {
      plant: "update spend set billed_clicks = 0 where subject = 'offer_cpc' and day = 0",
      figures: ["offer_billed_clicks"],
      subject: "offer_cpc",
    },
    {
      plant: `update spend set spent_micros = 0, billed_clicks = 0 where subject = 'offer_cpc' and day = ${tuesday}`,
      figures: ["offer_day_spend", "offer_day_billed_clicks"],
      subject: "offer_cpc",
    },
    {
      plant:
        "delete from ledger_line where id = (select max(id) from ledger_line where kind = 'impression' and earned_micros > 0)",
      figures: [
        ...(["advertiser_spend", "offer_spend", "offer_day_spend", "event_billed_micros"] as const),
        ...(["billed_events", "event_earned_micros", "website_spend", "website_earnings"] as const),
      ],
    },
    {
      plant: `update fact set billed_micros = billed_micros + 1 where (request, offer, type, seq) =
        (select request, offer, type, seq from fact where billed_micros is not null limit 1)`,
      figures: ["event_billed_micros", "website_spend"],
    },
    {
      plant: `update fact set billed_micros = 0 where (request, offer, type, seq) = (
        select request, offer, type, seq from fact
        where type = 4 and reason is null and billed_micros is null limit 1)`,
      figures: ["billed_events"],
      subject: "click",
    },
    {
      plant: `update fact set earned_micros = earned_micros + 1 where (request, offer, type, seq) =
        (select request, offer, type, seq from fact where billed_micros is not null limit 1)`,
      figures: ["event_earned_micros", "website_earnings"],
    },
    {
      plant:
        "update ledger_line set website = 3 where id = (select max(id) from ledger_line where website = 2 and kind = 'click')",
      figures: ["website_spend", "website_spend", "website_earnings", "website_earnings"],
    },
  ];
  test.each(plants)("$figures: $plant", async ({ plant, figures, subject }) => {
    const { differences } = await planted(plant, audit);
    expect(differences.map(({ figure }) => figure)).toEqual(figures);
    if (subject !== undefined) for (const difference of differences) expect(difference.subject).toBe(subject);
    for (const { recorded, recomputed } of differences) expect(recorded).not.toBe(recomputed);
  });

  test("a bill of an event that is named as everybody else knows it, on its day", async () => {
    const plant = `update fact set billed_micros = billed_micros + 1 where (request, offer, type, seq) =
      (select request, offer, type, seq from fact where billed_micros is not null and type = 4 limit 1)`;
    const { differences } = await planted(plant, audit);
    expect(differences.filter(({ figure }) => figure !== "website_spend")).toEqual([
      {
        figure: "event_billed_micros",
        subject: expect.stringMatching(/^evt_[\w-]{27}$/),
        day: expect.stringMatching(/^2026-05-0[45]$/),
        recorded: expect.any(Number),
        recomputed: expect.any(Number),
      },
    ]);
  });
});

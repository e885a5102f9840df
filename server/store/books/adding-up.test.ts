import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { refusalReasons } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { counts } from "../counts.ts";
import { addAdvertiser, addOffer } from "../sqlite/journal-for-tests.ts";
import { randomEntries, randomOf, terms } from "../sqlite/random-visits-for-tests.ts";
import { prepareWriteBatch } from "../sqlite/write-batch.ts";
import { type AuditedFigure, audit } from "./audit.ts";
import { recount } from "./recount.ts";

let ledger: Awaited<ReturnType<typeof newCatalogue>>;
beforeAll(async () => {
  ledger = await newCatalogue(tmpdir());
  const { db, sqlite } = ledger;
  await addAdvertiser(db, "advertiser_1", 300_000);
  await addAdvertiser(db, "advertiser_2", 9000);
  const of = (id: keyof typeof terms, advertiser: string) => ({
    id,
    advertiser,
    payoutMicros: terms[id].micros,
  });
  await addOffer(db, { ...of("offer_cpc", "advertiser_1"), daily_click_cap: 30 });
  await addOffer(db, { ...of("offer_cpc2", "advertiser_2"), total_budget_micros: 8000 });
  await addOffer(db, { ...of("offer_cpm", "advertiser_2"), payoutMicros: 3000, payout_model: "CPM" });
  await addOffer(db, { ...of("offer_cpa", "advertiser_1"), payout_model: "CPA" });
  const random = randomOf(20_260_504);
  const entries = randomEntries(random, 400);
  const write = prepareWriteBatch(sqlite);
  for (let at = 0; at < entries.length; ) {
    const size = 1 + Math.floor(random() * 80);
    write(entries.slice(at, at + size));
    at += size;
  }
});
afterAll(() => ledger.close());

describe("after 400 random visits", () => {
  test("the run has met everything that it is meant to try", async () => {
    const figures = await ledger.db
      .selectFrom("event")
      .select((eb) => [
        eb.fn.countAll<number>().as("events"),
        eb.fn.count<number>("billed_micros").as("billed"),
        eb.fn.count<number>("overruled").as("overruled"),
        eb.fn.count<number>("reason").distinct().as("reasons"),
        eb.fn.count<number>("day").distinct().as("days"),
      ])
      .executeTakeFirstOrThrow();
    expect(figures.events).toBeGreaterThan(5000);
    expect(figures.billed).toBeGreaterThan(200);
    expect(figures.overruled).toBeGreaterThan(50);
    expect(figures.reasons).toBe(refusalReasons.length);
    expect(figures.days).toBe(2);
  });

  test("a recount finds every cell right", async () => {
    const { cells, differences } = await recount(ledger.db);
    expect(differences).toEqual([]);
    expect(cells).toBeGreaterThan(30);
  });

  test("an audit finds every sum right", async () => {
    const { lines, differences } = await audit(ledger.db);
    expect(differences).toEqual([]);
    expect(lines).toBeGreaterThan(200);
  });

  test("every counted click has a counted impression, and no cap is overdrawn", async () => {
    const orphans = ledger.sqlite
      .prepare(
        `select click.id from event as click
         left join event as seen on seen.request = click.request and seen.offer_id = click.offer_id
           and seen.type = 'impression' and seen.first = 1 and seen.reason is null
         where click.type = 'click' and click.reason is null and seen.id is null`,
      )
      .all();
    expect(orphans).toEqual([]);
    const spend = await ledger.db.selectFrom("spend").selectAll().execute();
    const of = (subject: string, day: string) =>
      spend.find((row) => row.subject === subject && row.day === day);
    expect(of("offer_cpc", "2026-05-04")?.billed_clicks).toBe(30);
    expect(of("offer_cpc2", "")?.spent_micros).toBeLessThanOrEqual(8000);
    expect(of("advertiser_2", "")?.spent_micros).toBeLessThanOrEqual(9000);
  });
});

/** Runs `work` and undoes it, so that each plant stands alone. */
const planted = async <T>(plant: string, work: () => Promise<T>): Promise<T> => {
  const { db, sqlite } = ledger;
  const backup = `${ledger.file}-planted`;
  sqlite.exec(`vacuum into '${backup}'`);
  sqlite.exec(plant);
  try {
    return await work();
  } finally {
    // Everything that a plant may have touched comes back from the copy.
    sqlite.exec(`attach '${backup}' as copy`);
    for (const table of ["counter", "spend", "ledger_line", "event"]) {
      sqlite.exec(`delete from ${table}; insert into ${table} select * from copy.${table}`);
    }
    sqlite.exec(
      "update advertiser set deposited_micros = (select deposited_micros from copy.advertiser a where a.id = advertiser.id)",
    );
    sqlite.exec("detach copy");
    rmSync(backup);
    expect((await recount(db)).differences).toEqual([]);
    expect((await audit(db)).differences).toEqual([]);
  }
};

describe("a recount finds what was planted", () => {
  const cell =
    "day = '2026-05-04' and website_id = 2 and country = 'US' and vertical = 'games' and surface = 'overlay' and test = 0";
  test.each(counts)("one too many of %s", async (count) => {
    const { differences } = await planted(`update counter set ${count} = ${count} + 1 where ${cell}`, () =>
      recount(ledger.db),
    );
    expect(differences).toEqual([
      {
        day: "2026-05-04",
        websiteId: 2,
        country: "US",
        vertical: "games",
        surface: "overlay",
        test: false,
        count,
        recorded: expect.any(Number),
        recounted: expect.any(Number),
      },
    ]);
    expect(differences[0]?.recorded).toBe((differences[0]?.recounted ?? 0) + 1);
  });

  test("a cell that is missing, and one that nothing stands behind", async () => {
    const { differences } = await planted(
      `delete from counter where ${cell};
       insert into counter values ('2026-05-06', 9, 'FR', 'games', 'overlay', 1, 0, 0, 0, 5, 0, 0, 0)`,
      () => recount(ledger.db),
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

  test("an event that was lost", async () => {
    const { differences } = await planted(
      "delete from event where id = (select id from event where type = 'blocked' limit 1)",
      () => recount(ledger.db),
    );
    expect(differences).toHaveLength(1);
    expect(differences[0]).toMatchObject({ count: "blocked" });
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
      plant: "update spend set spent_micros = spent_micros + 5 where subject = 'offer_cpm' and day = ''",
      figures: ["offer_spend"],
      subject: "offer_cpm",
    },
    {
      plant: "update spend set billed_clicks = 0 where subject = 'offer_cpc' and day = ''",
      figures: ["offer_billed_clicks"],
      subject: "offer_cpc",
    },
    {
      plant:
        "update spend set spent_micros = 0, billed_clicks = 0 where subject = 'offer_cpc' and day = '2026-05-05'",
      figures: ["offer_day_spend", "offer_day_billed_clicks"],
      subject: "offer_cpc",
    },
    {
      plant: "delete from ledger_line where id = (select max(id) from ledger_line where kind = 'impression')",
      figures: ["advertiser_spend", "offer_spend", "offer_day_spend", "event_billed_micros", "billed_events"],
    },
    {
      plant: `update event set billed_micros = billed_micros + 1
        where id = (select id from event where billed_micros is not null limit 1)`,
      figures: ["event_billed_micros"],
    },
    {
      plant: `update event set billed_micros = 0 where id = (
        select id from event where type = 'click' and reason is null and billed_micros is null limit 1)`,
      figures: ["billed_events"],
      subject: "click",
    },
  ];
  test.each(plants)("$figures: $plant", async ({ plant, figures, subject }) => {
    const { differences } = await planted(plant, () => audit(ledger.db));
    expect(differences.map(({ figure }) => figure)).toEqual(figures);
    if (subject !== undefined) for (const difference of differences) expect(difference.subject).toBe(subject);
    for (const { recorded, recomputed } of differences) expect(recorded).not.toBe(recomputed);
  });
});

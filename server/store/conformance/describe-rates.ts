import type { Kysely } from "kysely";
import { describe, expect, test } from "vitest";
import { placementNumber } from "../../core/handed-offers.ts";
import type { JournalEntry, Visit } from "../../core/journal-entry.ts";
import type { Schema } from "../schema.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";
import { beacon, hop, impression, payerOf, served, visitOf } from "./journal-for-tests.ts";
import { cpa, cpc, journalsOf } from "./open-journal-for-tests.ts";

/** What the click rates learn of a visit, which decide how all publishers' offers are ranked. */
export function describeRates(engine: EngineUnderTest): void {
  const openJournal = journalsOf(engine);

  describe("click rates", () => {
    const offers = [cpc, cpa] as const;
    const somebody = payerOf("somebody", "somewhere");
    const cases: {
      name: string;
      /** Each in a batch, and so in a transaction, of its own. */
      halves: (visit: Visit, offer: number) => JournalEntry[];
      impressions: number;
      clicks: number;
    }[] = [
      { name: "reported alone", halves: (visit, offer) => [beacon(visit, offer)], impressions: 1, clicks: 0 },
      {
        name: "reported and followed",
        halves: (visit, offer) => [beacon(visit, offer), hop(visit, offer, [], somebody)],
        impressions: 1,
        clicks: 1,
      },
      {
        name: "followed and reported",
        halves: (visit, offer) => [hop(visit, offer, [], somebody), beacon(visit, offer)],
        impressions: 1,
        clicks: 1,
      },
      {
        name: "followed alone",
        halves: (visit, offer) => [hop(visit, offer, [], somebody)],
        impressions: 1,
        clicks: 1,
      },
      {
        name: "seen, followed twice and reported twice",
        halves: (visit, offer) => [
          impression(visit, offer),
          ...[hop(visit, offer, [], somebody), hop(visit, offer, [], somebody)],
          ...[beacon(visit, offer), beacon(visit, offer)],
        ],
        impressions: 1,
        clicks: 1,
      },
      {
        name: "reported, and refused when followed",
        halves: (visit, offer) => [
          impression(visit, offer),
          beacon(visit, offer),
          hop(visit, offer, ["geo_mismatch"], somebody),
        ],
        impressions: 1,
        clicks: 0,
      },
    ];
    test.each(cases)("a click that is $name adds $clicks", async ({ halves, impressions, clicks }) => {
      const { db, record, differences } = await openJournal();
      const visit = visitOf("r1");
      await record(served(visit, offers));
      for (const offer of offers) for (const half of halves(visit, offer)) await record(half);
      const counts = await db
        .selectFrom("rate_count")
        .select(["offer", "country", "placement", "impressions", "clicks"])
        .orderBy("offer")
        .execute();
      const place = { country: "DE", placement: placementNumber("standard") };
      expect(counts).toEqual(offers.map((offer) => ({ offer, ...place, impressions, clicks })));
      expect(await differences()).toEqual([]);
    });

    test.each([
      ["goes on from all of it, up to twenty thousand views", 19_999, 0, 20_000, 0, 9002],
      ["goes on from half of it beyond them", 20_000, 401, 10_000, 200, 4500],
    ])("what was counted %s", async (_, impressions, clicks, then, clicksThen, surplusThen) => {
      const { db, record, differences } = await openJournal();
      const [visit, later] = [visitOf("r1"), visitOf("r2")];
      await record(served(visit, [cpc]), impression(visit, cpc));
      const surplus = { surplus_milli: 9002 };
      await db
        .updateTable("rate_count")
        .set({ impressions, clicks, ...surplus })
        .execute();
      await record(served(later, [cpc]), impression(later, cpc));
      const columns = ["impressions", "clicks", "surplus_milli"] as const;
      const counts = await db.selectFrom("rate_count").select(columns).execute();
      expect(counts).toEqual([{ impressions: then, clicks: clicksThen, surplus_milli: surplusThen }]);
      expect(await differences()).toEqual([]);
    });

    const home = { website_id: 1, surface: "overlay" } as const;
    const elsewhere = (request: string) => visitOf(request, { websiteId: 2 });
    const websitesIn = (db: Kysely<Schema>) =>
      db
        .selectFrom("website_rate")
        .select(["website_id", "surface", "clicks", "expected_millionths"])
        .orderBy("website_id")
        .execute();

    test("a view weighs as much as the clicks of its website say beside those that were expected", async () => {
      const { db, record, differences } = await openJournal();
      await db
        .insertInto("website_rate")
        .values([
          { ...home, clicks: 60, expected_millionths: 20_000_000, changed: 0 },
          { ...home, surface: "section", clicks: 0, expected_millionths: 900_000_000, changed: 0 },
          { ...home, website_id: 2, clicks: 0, expected_millionths: 20_000_000, changed: 0 },
          { ...home, website_id: 4, clicks: -30, expected_millionths: -19_000_000, changed: 0 },
        ])
        .execute();
      const others = [3, 4].map((websiteId) => visitOf(`r${websiteId}`, { websiteId }));
      const seen = [visitOf("r0"), visitOf("r1"), elsewhere("r2"), ...others];
      await record(...seen.flatMap((visit) => [served(visit, [cpc]), impression(visit, cpc)]));
      const columns = ["impressions", "surplus_milli"] as const;
      // Two at twice the weight, one at half of it, one of a website of which nothing is known and one of a damaged row.
      expect(await db.selectFrom("rate_count").select(columns).execute()).toEqual([
        { impressions: 5, surplus_milli: 1000 + 1000 - 500 },
      ]);
      expect(await differences()).toEqual([]);
    });

    test.each([
      ["tell nothing of a website before three hundred", 299_999, []],
      [
        "tell of their websites from three hundred on",
        300_000,
        [
          { ...home, clicks: 1, expected_millionths: 2 * 20_000 },
          { ...home, website_id: 2, clicks: 0, expected_millionths: 20_000 },
        ],
      ],
    ])("views of an offer %s", async (_, weight, learnt) => {
      const { db, record } = await openJournal();
      await record(served(visitOf("r0"), [cpc]), impression(visitOf("r0"), cpc));
      const surplus = weight - 100_000;
      await db
        .updateTable("rate_count")
        .set({ impressions: 100, clicks: 6, surplus_milli: surplus })
        .execute();
      const [one, clicked, other] = [visitOf("r1"), visitOf("r2"), elsewhere("r3")];
      await record(
        ...[one, clicked, other].flatMap((visit) => [served(visit, [cpc]), impression(visit, cpc)]),
        hop(clicked, cpc, [], somebody),
      );
      expect(await websitesIn(db)).toEqual(learnt);
    });

    test("what was clicked on a website goes on from half of it beyond a thousand expected clicks", async () => {
      const { db, record } = await openJournal();
      await record(served(visitOf("r0"), [cpc]), impression(visitOf("r0"), cpc));
      await db.updateTable("rate_count").set({ impressions: 1000, clicks: 20 }).execute();
      const all = { ...home, clicks: 501, expected_millionths: 999_980_000, changed: 0 };
      await db.insertInto("website_rate").values(all).execute();
      const seen = [visitOf("r1"), visitOf("r2")];
      const found: unknown[] = [];
      for (const visit of seen) {
        await record(served(visit, [cpc]), impression(visit, cpc));
        found.push(...(await websitesIn(db)));
      }
      expect(found).toEqual([
        { ...home, clicks: 501, expected_millionths: 1_000_000_000 },
        { ...home, clicks: 250, expected_millionths: expect.closeTo(500_000_000, -5) },
      ]);
    });

    test("the reports of one line that follows no link raise no rate, and its figures stay", async () => {
      const { db, record, counters } = await openJournal();
      const visits = Array.from({ length: 40 }, (_, number) => visitOf(`r${number}`));
      await record(...visits.flatMap((visit) => [served(visit, [cpa]), beacon(visit, cpa)]));
      expect(await db.selectFrom("rate_count").select("clicks").execute()).toEqual([{ clicks: 0 }]);
      expect(await counters()).toMatchObject([{ clicks: 40, impressions: 40 }]);
    });
  });
}

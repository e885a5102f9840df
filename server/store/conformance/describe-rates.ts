import { describe, expect, test } from "vitest";
import { placementNumber } from "../../core/handed-offers.ts";
import type { JournalEntry, Visit } from "../../core/journal-entry.ts";
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
      ["goes on from all of it, up to twenty thousand views", 19_999, 401, 20_000, 401],
      ["goes on from half of it beyond them", 20_000, 401, 10_000, 200],
    ])("what was counted %s", async (_, impressions, clicks, then, clicksThen) => {
      const { db, record, differences } = await openJournal();
      const [visit, later] = [visitOf("r1"), visitOf("r2")];
      await record(served(visit, [cpc]), impression(visit, cpc));
      await db.updateTable("rate_count").set({ impressions, clicks }).execute();
      await record(served(later, [cpc]), impression(later, cpc));
      const counts = await db.selectFrom("rate_count").select(["impressions", "clicks"]).execute();
      expect(counts).toEqual([{ impressions: then, clicks: clicksThen }]);
      expect(await differences()).toEqual([]);
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

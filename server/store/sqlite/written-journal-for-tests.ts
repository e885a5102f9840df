import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { addAdvertiser, addOffer } from "./journal-for-tests.ts";
import { prepareWriteBatch } from "./write-batch.ts";

/** A journal on a real file below `parent`: a CPC, a CPM and a CPA offer of an advertiser with 100,000 micro-units. */
export async function newJournal(parent: string) {
  const { db, sqlite, close } = await newCatalogue(parent);
  await addAdvertiser(db, "advertiser_1", 100_000);
  await addOffer(db, { id: "offer_cpc", advertiser: "advertiser_1", payoutMicros: 1000 });
  await addOffer(db, {
    id: "offer_cpm",
    advertiser: "advertiser_1",
    payoutMicros: 50_000,
    payout_model: "CPM",
  });
  await addOffer(db, { id: "offer_cpa", advertiser: "advertiser_1", payoutMicros: 7, payout_model: "CPA" });
  const write = prepareWriteBatch(sqlite);
  const record = (...entries: JournalEntry[]): JournalOutcome[] =>
    write(entries).results.map((result) => {
      if ("failure" in result) throw new Error(result.failure);
      return result.outcome;
    });
  return {
    db,
    close,
    /** Each entry in a batch of its own, or all in one. */
    record,
    rows: () =>
      sqlite
        .prepare(
          `select type, request, first, offer_id, vertical, country, surface, placement, position, day, at, reason,
             overruled, mark, test, visitor, billed_micros, click_id, beacon_at, hop_at
           from event where type <> 'served' order by type, offer_id, first desc, beacon_at, hop_at`,
        )
        .all() as Record<string, unknown>[],
    counters: () =>
      sqlite
        .prepare(
          `select * from counter where abs(blocked) + abs(served) + abs(impressions) + abs(clicks)
             + abs(billable_clicks) + abs(spend_micros) + abs(filtered) > 0
           order by day, country, vertical, surface, test`,
        )
        .all() as Record<string, unknown>[],
    spent: (subject: string, day = "") =>
      Number(
        sqlite
          .prepare("select spent_micros from spend where subject = ? and day = ?")
          .pluck()
          .get(subject, day) ?? 0,
      ),
    /** Whatever a recount or an audit finds wrong. */
    differences: async () => [...(await recount(db)).differences, ...(await audit(db)).differences],
    lines: () => sqlite.prepare("select kind, micros from ledger_line where kind <> 'deposit'").all(),
  };
}

import type { JournalEntry, JournalOutcome } from "../../core/journal-entry.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { audit } from "../books/audit.ts";
import { recount } from "../books/recount.ts";
import { addAdvertiser, addOffer } from "../conformance/journal-for-tests.ts";
import { countedIn } from "./counted-for-tests.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { prepareBatchWriter } from "./write-batch.ts";

/** The numbers of the offers of `newJournal`. */
export const [cpc, cpm] = [1, 2] as const;

/** A journal on a real file below `parent`: a CPC, a CPM and a CPA offer of an advertiser with 100,000 micro-units. */
export async function newJournal(parent: string) {
  const { db, sqlite, close } = await newCatalogueFile(parent);
  const advertiser = "advertiser_1";
  await addAdvertiser(db, advertiser, 100_000);
  await addOffer(db, { id: "offer_cpc", advertiser, payoutMicros: 1000 });
  await addOffer(db, { id: "offer_cpm", advertiser, payoutMicros: 50_000, payout_model: "CPM" });
  await addOffer(db, { id: "offer_cpa", advertiser, payoutMicros: 7, payout_model: "CPA" });
  showEvents(sqlite);
  const writer = prepareBatchWriter(sqlite);
  const record = (...entries: JournalEntry[]): JournalOutcome[] => {
    const { outcomes, failures } = writer.write(entries, 0);
    if (failures[0] !== undefined) throw new Error(failures[0].message);
    return outcomes.flatMap((outcome) => outcome ?? []);
  };
  return {
    db,
    close,
    /** Each entry in a batch of its own, or all in one. */
    record,
    /** Every impression, click and blocked visit, with the names that the tables keep as numbers. */
    rows: () =>
      sqlite
        .prepare(
          `select type, request, first, offer_id, vertical, country, surface, placement, position, day, at, reason,
             overruled, mark, test, billed_micros, click_id, beacon_at, hop_at
           from event where type <> 'served' order by type, offer_id, first desc, beacon_at, hop_at`,
        )
        .all() as Record<string, unknown>[],
    counters: (): Record<string, unknown>[] => countedIn(sqlite),
    spent: (subject: string, day = 0) =>
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

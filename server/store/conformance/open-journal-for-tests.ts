import { afterEach } from "vitest";
import type { JournalEntry } from "../../core/journal-entry.ts";
import { type EngineUnderTest, readingOf } from "./engine-under-test.ts";
import { addAdvertiser, addOffer } from "./journal-for-tests.ts";

/** The offers of each such journal, by their payout models. */
export const [cpc, cpm, cpa] = [1, 2, 3] as const;

/** Opens journals of an engine, each closed after its test: an advertiser with 100,000 micro-units, and its offers. */
export function journalsOf(engine: EngineUnderTest) {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  return async () => {
    const database = await engine.newDatabase();
    closing.push(database.close);
    const { db } = database;
    const advertiser = "advertiser_1";
    await addAdvertiser(db, advertiser, 100_000);
    await addOffer(db, { id: "offer_cpc", advertiser, payoutMicros: 1000 });
    await addOffer(db, { id: "offer_cpm", advertiser, payoutMicros: 50_000, payout_model: "CPM" });
    await addOffer(db, { id: "offer_cpa", advertiser, payoutMicros: 7, payout_model: "CPA" });
    const record = (...entries: JournalEntry[]) => database.record(entries);
    return { db, record, ...readingOf(database) };
  };
}

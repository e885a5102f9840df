import { type RefusalReason, refusalReasons } from "@offers/contract/words";
import type { JournalEntry, Visit } from "../../core/journal-entry.ts";
import {
  addAdvertiser,
  addOffer,
  beacon,
  blocked,
  hop,
  impression,
  payerOf,
  served,
  visitOf,
} from "./journal-for-tests.ts";

/** Of a database that got these offers first, in this order: what they are called, by their numbers. */
const randomOffers = ["offer_cpc", "offer_cpc2", "offer_cpm", "offer_cpa"] as const;
export const terms = {
  offer_cpc: { model: "CPC", micros: 1000 },
  // Of another advertiser, who pays in another currency.
  offer_cpc2: { model: "CPC", micros: 70, currency: "JPY" },
  offer_cpm: { model: "CPM", micros: 3, currency: "JPY" },
  offer_cpa: { model: "CPA", micros: 0 },
} as const;

type Offered = Parameters<typeof addOffer>[1];
type Caps = Omit<Offered, "id" | "advertiser" | "payoutMicros" | "payout_model">;

/** Adds their two advertisers and these offers, in that order; `caps`: what some of them may not pass. */
export async function addRandomOffers(
  db: Parameters<typeof addOffer>[0],
  caps: { [Id in keyof typeof terms]?: Caps },
): Promise<void> {
  await addAdvertiser(db, "advertiser_1", 300_000);
  await addAdvertiser(db, "advertiser_2", 9000);
  const of = (id: keyof typeof terms, advertiser: string) => ({
    ...{ id, advertiser, payoutMicros: terms[id].micros, payout_model: terms[id].model },
    ...caps[id],
  });
  await addOffer(db, of("offer_cpc", "advertiser_1"));
  await addOffer(db, of("offer_cpc2", "advertiser_2"));
  // Its price is that of a thousand views.
  await addOffer(db, { ...of("offer_cpm", "advertiser_2"), payoutMicros: 1000 * terms.offer_cpm.micros });
  await addOffer(db, of("offer_cpa", "advertiser_1"));
}

/** Visits of some days, countries and surfaces, each with a random choice of events in a random order. */
export function randomEntries(random: () => number, visits: number): JournalEntry[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const observed = (): RefusalReason[] =>
    random() < 0.2 ? [pick(refusalReasons), pick(refusalReasons)] : [];
  const entries: JournalEntry[] = [];
  const later: JournalEntry[] = [];
  for (let index = 0; index < visits; index++) {
    const visitor = Math.floor(random() * visits * 0.7);
    const base = visitOf(`r${index}`, {
      websiteId: 1 + (index % 3),
      country: pick(["DE", "US", "ZZ"]),
      surface: pick(["overlay", "section"]),
      test: random() < 0.1,
      // Around midnight, so that one click has its halves on two days.
      at: Date.UTC(2026, 4, 4, 23, 59, 58) + Math.floor(random() * 3000),
    });
    const payer = payerOf(random() < 0.1 ? null : `v${visitor}`, `w${visitor}`);
    const hopOf = (visit: Visit, offer: number, reasons: readonly RefusalReason[]) =>
      hop(visit, offer, reasons, payer);
    entries.push(blocked(base));
    for (const [index, name] of randomOffers.entries()) {
      const offer = index + 1;
      if (random() < 0.8) entries.push(served(base, [offer], terms[name]));
      for (const entryOf of [impression, beacon, hopOf, hopOf, impression, beacon]) {
        if (random() < 0.4) continue;
        const visit = { ...base, at: base.at + Math.floor(random() * 3000) };
        (random() < 0.7 ? entries : later).push(entryOf(visit, offer, observed()));
      }
    }
  }
  return [...entries, ...later];
}

import type { Database as Sqlite } from "better-sqlite3";
import { type Budget, hasRoom, nextCharge, type Spent, takeCharge } from "../../core/budget.ts";
import { earnedOf, wholeShare } from "../../core/revenue-share.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Charge } from "../journal/recording.ts";
import { type CappedOffer, capsOf, everyDay, type PricedOffer, pricedOf } from "../rows/offer-caps.ts";
import { bytesOf } from "../rows/row-bytes.ts";

export type Budgets = {
  charge: Charge;
  /** Writes what was charged since the last time: each subject once, whatever the number of its charges. */
  flush(): void;
  /** Forgets all that it remembers: another connection has written, or a transaction was undone. */
  forget(): void;
  /**
   * The numbers of offers that the charges since the last time have left with less than their next event costs. Where
   * it is the advertiser's balance, its other offers are among them.
   */
  takeExhausted(): number[];
};

/**
 * Prepares charging from memory. What is remembered of spends, caps, balances and publishers' shares is as good as the
 * rows as long as no other connection has written: the caller looks, inside the write transaction, and calls `forget` if
 * one has.
 */
export function prepareBudgets(sqlite: Sqlite): Budgets {
  const read = prepareReading(sqlite);
  const line = sqlite.prepare(
    `insert into ledger_line (at, day, kind, advertiser, offer, request, micros, currency, website, earned_micros)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addSpend = sqlite.prepare(
    `insert into spend (subject, day, spent_micros, billed_clicks) values (?, ?, ?, ?)
     on conflict (subject, day) do update set
       spent_micros = spent_micros + excluded.spent_micros, billed_clicks = billed_clicks + excluded.billed_clicks`,
  );
  let offers = new Map<number, KnownOffer | null>();
  let advertisers = new Map<number, KnownAdvertiser>();
  /** By the website's number, in basis points. */
  let shares = new Map<number, number>();
  let unwritten = new Set<KnownSpent>();
  /** Offers whose caps were asked for money, each with the UTC day of the last time. */
  let asked = new Map<number, number>();

  const offerOf = (number: number): KnownOffer | null => {
    const known = offers.get(number);
    if (known !== undefined) return known;
    const row = read.offer(number);
    const offer = row && {
      row,
      advertiser: advertiserOf(row),
      total: read.spent(row.id, everyDay),
      days: new Map(),
    };
    offers.set(number, offer);
    return offer;
  };
  const advertiserOf = ({ advertiser: number, advertiser_id: id, deposited_micros }: OfferRow) => {
    const known = advertisers.get(number);
    if (known !== undefined) return known;
    const advertiser = {
      number,
      id,
      depositedMicros: deposited_micros,
      spent: read.spent(id, everyDay),
      isBroke: false,
    };
    advertisers.set(number, advertiser);
    return advertiser;
  };
  const shareOf = (websiteId: number): number => {
    const share = shares.get(websiteId) ?? read.share(websiteId);
    shares.set(websiteId, share);
    return share;
  };
  const budgetOf = ({ row, advertiser, total, days }: KnownOffer, day: number) => {
    const spent = days.get(day) ?? read.spent(row.id, day);
    days.set(day, spent);
    return { caps: capsOf(row), total, day: spent, balance: advertiser } satisfies Budget;
  };

  return {
    charge: ({ kind, request, offer: number, micros, currency, websiteId, at }) => {
      const offer = offerOf(number);
      if (offer === null) return null;
      const day = dayNumber(at);
      const budget = budgetOf(offer, day);
      asked.set(number, day);
      if (!takeCharge(budget, { micros, clicks: kind === "click" ? 1 : 0 })) return null;
      for (const spent of [budget.total, budget.day, budget.balance.spent]) unwritten.add(spent);
      const earned = earnedOf(micros, shareOf(websiteId));
      const { number: advertiser } = offer.advertiser;
      line.run(at, day, kind, advertiser, number, bytesOf(request), -micros, currency, websiteId, earned);
      return earned;
    },
    flush: () => {
      for (const spent of unwritten) {
        const { subject, day, micros, clicks, written } = spent;
        addSpend.run(subject, day, micros - written.micros, clicks - written.clicks);
        spent.written = { micros, clicks };
      }
      unwritten.clear();
    },
    forget: () => {
      offers = new Map();
      advertisers = new Map();
      shares = new Map();
      unwritten = new Set();
    },
    takeExhausted: () => {
      const found = new Set<number>();
      for (const [number, day] of asked) {
        const offer = offerOf(number);
        const next = offer && nextCharge(pricedOf(offer.row));
        if (offer === null || next === null || hasRoom(budgetOf(offer, day), next)) continue;
        found.add(number);
        const { advertiser } = offer;
        const leftMicros = advertiser.depositedMicros - advertiser.spent.micros;
        if (advertiser.isBroke || leftMicros >= next.micros) continue;
        // Asked once. Cheaper offers that run out later are found when they are charged, or by the reader's poll.
        advertiser.isBroke = true;
        for (const sibling of read.offersOf(advertiser.id)) {
          const price = nextCharge(pricedOf(sibling));
          if (price !== null && price.micros > leftMicros) found.add(sibling.number);
        }
      }
      asked = new Map();
      return [...found];
    },
  };
}

/** What was billed to a subject, and how much of it is in its row. */
type KnownSpent = Spent & { subject: string; day: number; written: Spent };

type KnownAdvertiser = {
  number: number;
  id: string;
  depositedMicros: number;
  spent: KnownSpent;
  /** Its offers that cost more than what is left have been told. */
  isBroke: boolean;
};

type KnownOffer = {
  row: OfferRow;
  advertiser: KnownAdvertiser;
  total: KnownSpent;
  days: Map<number, KnownSpent>;
};

type OfferRow = PricedOffer &
  CappedOffer & { id: string; advertiser: number; advertiser_id: string; deposited_micros: number };

const prepareReading = (sqlite: Sqlite) => {
  const offer = sqlite.prepare<[number], OfferRow>(
    `select offer.number, offer.id, offer.payout_model, offer.payout_micros, offer.daily_budget_micros,
       offer.total_budget_micros, offer.daily_click_cap, offer.total_click_cap, offer.advertiser_id,
       advertiser.number as advertiser, advertiser.deposited_micros
     from offer join advertiser on advertiser.id = offer.advertiser_id where offer.number = +?`,
  );
  const spent = sqlite.prepare<[string, number], Spent>(
    "select spent_micros as micros, billed_clicks as clicks from spend where subject = +? and day = +?",
  );
  const offersOf = sqlite.prepare<[string], PricedOffer>(
    "select number, payout_model, payout_micros from offer where advertiser_id = +?",
  );
  const share = sqlite
    .prepare<[number], number>(
      `select coalesce(website.share_basis_points, publisher.share_basis_points)
       from website join publisher on publisher.id = website.publisher_id where website.id = +?`,
    )
    .pluck();
  return {
    /** A website that the catalogue does not know has no operator who would have kept a part. */
    share: (websiteId: number): number => share.get(websiteId) ?? wholeShare,
    offer: (number: number): OfferRow | null => offer.get(number) ?? null,
    spent: (subject: string, day: number): KnownSpent => {
      const { micros, clicks } = spent.get(subject, day) ?? { micros: 0, clicks: 0 };
      return { subject, day, micros, clicks, written: { micros, clicks } };
    },
    offersOf: (advertiserId: string) => offersOf.all(advertiserId),
  };
};

import {
  type Budget,
  hasRoom,
  isRefusedOnAnyDay,
  nextCharge,
  type RanOut,
  type Spent,
  takeCharge,
} from "../../core/budget.ts";
import { earnedOf } from "../../core/revenue-share.ts";
import { dayNumber } from "../../core/utc-day.ts";
import type { Charge } from "../journal/recording.ts";
import type { LedgerLineTable, OfferTable } from "../schema.ts";

/** The `day` of a spend that is a total. */
export const everyDay = 0;

export type PricedOffer = Pick<OfferTable, "payout_model" | "payout_micros"> & { number: number };
export type CappedOffer = Pick<
  OfferTable,
  "daily_budget_micros" | "total_budget_micros" | "daily_click_cap" | "total_click_cap"
>;

/** An offer with its price and caps, and the advertiser who pays for it. */
export type BudgetedOffer = PricedOffer &
  CappedOffer & { id: string; advertiser: number; advertiser_id: string; deposited_micros: number };

/** What charging reads, of an engine that has it at hand: nobody else writes it while it is used. */
export type BudgetRows = {
  offer(number: number): BudgetedOffer | null;
  /** What a subject has spent on a day, or on `everyDay`. */
  spent(subject: string, day: number): Spent;
  /** What the website's publisher earns of a price, in basis points. */
  share(websiteId: number): number;
};

/** What a bill writes in the ledger, but for the request's key, which is its 16 characters here. */
export type BillLine = Omit<LedgerLineTable, "id" | "request"> & { request: string };

/** What was added to a row of spends. */
export type SpendDelta = Spent & { subject: string; day: number };

export type Budgets = {
  charge: Charge;
  /** What was charged since the last time: each subject once, whatever the number of its charges. */
  takeCharged(): SpendDelta[];
  /** Forgets all that it remembers of the rows: somebody else has written, or a transaction was undone. */
  forget(): void;
  /**
   * The offers that the charges since the last time have left with less than their next event costs, and the
   * advertisers whose balance it is that is too small: theirs are other offers, which may have run out too.
   */
  takeRanOut(): { offers: RanOut[]; broke: BrokeAdvertiser[] };
};

export type BrokeAdvertiser = { id: string; depositedMicros: number; leftMicros: number };

/** Charging in memory, by rows that are read once and remembered. `addLine` writes a line in the ledger. */
export function createBudgets(rows: BudgetRows, addLine: (line: BillLine) => void): Budgets {
  let offers = new Map<number, KnownOffer | null>();
  let advertisers = new Map<number, KnownAdvertiser>();
  /** By the website's number, in basis points. */
  let shares = new Map<number, number>();
  let unwritten = new Set<KnownSpent>();
  /** Offers whose caps were asked for money, each with the last UTC day for which they were. */
  let asked = new Map<number, number>();

  const spentOf = (subject: string, day: number): KnownSpent => {
    const { micros, clicks } = rows.spent(subject, day);
    return { subject, day, micros, clicks, written: { micros, clicks } };
  };
  const offerOf = (number: number): KnownOffer | null => {
    const known = offers.get(number);
    if (known !== undefined) return known;
    const row = rows.offer(number);
    const offer = row && {
      row,
      advertiser: advertiserOf(row),
      total: spentOf(row.id, everyDay),
      days: new Map(),
    };
    offers.set(number, offer);
    return offer;
  };
  const advertiserOf = ({ advertiser: number, advertiser_id: id, deposited_micros }: BudgetedOffer) => {
    const known = advertisers.get(number);
    if (known !== undefined) return known;
    const advertiser = {
      number,
      id,
      depositedMicros: deposited_micros,
      spent: spentOf(id, everyDay),
      isBroke: false,
    };
    advertisers.set(number, advertiser);
    return advertiser;
  };
  const shareOf = (websiteId: number): number => {
    const share = shares.get(websiteId) ?? rows.share(websiteId);
    shares.set(websiteId, share);
    return share;
  };
  const budgetOf = ({ row, advertiser, total, days }: KnownOffer, day: number) => {
    const spent = days.get(day) ?? spentOf(row.id, day);
    days.set(day, spent);
    return { caps: capsOf(row), total, day: spent, balance: advertiser } satisfies Budget;
  };

  return {
    charge: ({ kind, request, offer: number, micros, currency, websiteId, at }) => {
      const offer = offerOf(number);
      if (offer === null) return null;
      const day = dayNumber(at);
      const budget = budgetOf(offer, day);
      asked.set(number, Math.max(day, asked.get(number) ?? day));
      if (!takeCharge(budget, { micros, clicks: kind === "click" ? 1 : 0 })) return null;
      for (const spent of [budget.total, budget.day, budget.balance.spent]) unwritten.add(spent);
      const earned = earnedOf(micros, shareOf(websiteId));
      const { number: advertiser } = offer.advertiser;
      const billed = { micros: -micros, currency, website: websiteId, earned_micros: earned };
      addLine({ at, day, kind, advertiser, offer: number, request, ...billed });
      return earned;
    },
    takeCharged: () => {
      const charged = [...unwritten].map((spent) => {
        const { subject, day, micros, clicks, written } = spent;
        spent.written = { micros, clicks };
        return { subject, day, micros: micros - written.micros, clicks: clicks - written.clicks };
      });
      unwritten.clear();
      return charged;
    },
    forget: () => {
      offers = new Map();
      advertisers = new Map();
      shares = new Map();
      unwritten = new Set();
    },
    takeRanOut: () => {
      const found: RanOut[] = [];
      const broke: BrokeAdvertiser[] = [];
      for (const [number, day] of asked) {
        const offer = offerOf(number);
        const next = offer && nextCharge(pricedOf(offer.row));
        if (offer === null || next === null) continue;
        const budget = budgetOf(offer, day);
        if (hasRoom(budget, next)) continue;
        found.push({ offer: number, day: isRefusedOnAnyDay(budget, next) ? null : day });
        const { advertiser } = offer;
        const { id, depositedMicros, spent } = advertiser;
        const leftMicros = depositedMicros - spent.micros;
        if (advertiser.isBroke || leftMicros >= next.micros) continue;
        // Asked once. Cheaper offers that run out later are found when they are charged, or by the reader's poll.
        advertiser.isBroke = true;
        broke.push({ id, depositedMicros, leftMicros });
      }
      asked = new Map();
      return { offers: found, broke };
    },
  };
}

/** The numbers of those offers whose next event costs more than is left. */
export function dearerThan(leftMicros: number, offers: readonly PricedOffer[]): number[] {
  return offers.flatMap((offer) => {
    const price = nextCharge(pricedOf(offer));
    return price !== null && price.micros > leftMicros ? [offer.number] : [];
  });
}

/** An offer's model and price, of its row. */
export function pricedOf({ payout_model, payout_micros }: PricedOffer) {
  return { payoutModel: payout_model, payoutMicros: payout_micros };
}

/** An offer's caps, of its row. */
export function capsOf(row: CappedOffer): Budget["caps"] {
  return {
    dailyBudgetMicros: row.daily_budget_micros,
    totalBudgetMicros: row.total_budget_micros,
    dailyClickCap: row.daily_click_cap,
    totalClickCap: row.total_click_cap,
  };
}

/** What was billed to a subject, and how much of it is in its row. */
type KnownSpent = SpendDelta & { written: Spent };

type KnownAdvertiser = {
  number: number;
  id: string;
  depositedMicros: number;
  spent: KnownSpent;
  /** Its offers that cost more than what is left have been told. */
  isBroke: boolean;
};

type KnownOffer = {
  row: BudgetedOffer;
  advertiser: KnownAdvertiser;
  total: KnownSpent;
  days: Map<number, KnownSpent>;
};

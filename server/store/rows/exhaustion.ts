import { hasRoom, nextCharge } from "../../core/budget.ts";
import { type PacedSpend, shareOfDay } from "../../core/pacing.ts";
import { type CappedOffer, capsOf, everyDay, type PricedOffer, pricedOf } from "./budgets.ts";

/** An offer, and what it and its advertiser have spent. */
export type SpentOffer = PricedOffer &
  CappedOffer & {
    pacing: string;
    created_at: number;
    deposited_micros: number;
    total_micros: number;
    total_clicks: number;
    day_micros: number;
    day_clicks: number;
    paid_micros: number;
  };

/**
 * The statement that reads them, for conditions to be added; `day` is the place of the UTC day's number. Offers of the
 * other models bill nothing here and never run out.
 */
export function spentOffers(day: string): string {
  return `
select offer.number, offer.payout_model, offer.payout_micros, offer.daily_budget_micros, offer.total_budget_micros,
  offer.daily_click_cap, offer.total_click_cap, offer.pacing, offer.created_at, advertiser.deposited_micros,
  coalesce(total.spent_micros, 0) as total_micros, coalesce(total.billed_clicks, 0) as total_clicks,
  coalesce(daily.spent_micros, 0) as day_micros, coalesce(daily.billed_clicks, 0) as day_clicks,
  coalesce(paid.spent_micros, 0) as paid_micros
from advertiser
join offer on offer.advertiser_id = advertiser.id
left join spend as total on total.subject = offer.id and total.day = ${everyDay}
left join spend as daily on daily.subject = offer.id and daily.day = ${day}
left join spend as paid on paid.subject = advertiser.id and paid.day = ${everyDay}
where offer.payout_model in ('CPC', 'CPM')`;
}

/** The numbers of the offers that have run out, and how far those have come whose budget is spread over the day. */
export type BudgetsOfDay = { exhausted: number[]; paced: PacedSpend[] };

/**
 * Which offers have less left than their next billable event costs, on any cap or on the advertiser's balance, and how far
 * those have come whose budget is spread over the day.
 */
export type Exhaustion = {
  /** Judges offers by what they have spent on a UTC day (its number); those that it is not given stay as they were. */
  judge(offers: Iterable<SpentOffer>, day: number): void;
  /** Forgets all of them. */
  forget(): void;
  all(): BudgetsOfDay;
};

export function createExhaustion(): Exhaustion {
  const exhausted = new Set<number>();
  const paced = new Map<number, PacedSpend>();
  return {
    judge: (offers, day) => {
      for (const offer of offers) {
        if (isExhausted(offer)) exhausted.add(offer.number);
        else exhausted.delete(offer.number);
        const spentShare =
          offer.pacing === "even"
            ? shareOfDay(capsOf(offer), { micros: offer.day_micros, clicks: offer.day_clicks })
            : null;
        if (spentShare === null) continue;
        paced.set(offer.number, { offer: offer.number, day, spentShare, createdAt: offer.created_at });
      }
    },
    forget: () => {
      exhausted.clear();
      paced.clear();
    },
    all: () => ({ exhausted: [...exhausted], paced: [...paced.values()] }),
  };
}

const isExhausted = (row: SpentOffer): boolean => {
  const next = nextCharge(pricedOf(row));
  if (next === null) return false;
  const budget = {
    caps: capsOf(row),
    total: { micros: row.total_micros, clicks: row.total_clicks },
    day: { micros: row.day_micros, clicks: row.day_clicks },
    balance: { depositedMicros: row.deposited_micros, spent: { micros: row.paid_micros, clicks: 0 } },
  };
  return !hasRoom(budget, next);
};

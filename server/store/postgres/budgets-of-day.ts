import { everyDay } from "../rows/budgets.ts";
import { type BudgetsOfDay, createExhaustion, type SpentOffer } from "../rows/exhaustion.ts";
import type { Ask } from "./asking.ts";

/** What offers have left, as far as it was read. Whatever fails leaves it as it was. */
export type KnownBudgets = {
  /** Reads all offers on a UTC day (its number). */
  readAll(day: number): Promise<BudgetsOfDay>;
  /** Reads those of some advertisers (their numbers). */
  readOf(advertisers: readonly number[], day: number): Promise<BudgetsOfDay>;
};

/** Prepares the question which offers have run out, and how far those have come whose budget is spread over the day. */
export function prepareBudgetsOfDay(ask: Ask): KnownBudgets {
  const known = createExhaustion();
  return {
    readAll: async (day) => {
      const offers = await ask<SpentOffer>(spentOffers, [day]);
      known.forget();
      known.judge(offers, day);
      return known.all();
    },
    readOf: async (advertisers, day) => {
      known.judge(await ask(`${spentOffers} and advertiser.number = any($2)`, [day, advertisers]), day);
      return known.all();
    },
  };
}

/** Offers of the other models bill nothing here and never run out. */
const spentOffers = `
select offer.number, offer.payout_model, offer.payout_micros, offer.daily_budget_micros, offer.total_budget_micros,
  offer.daily_click_cap, offer.total_click_cap, offer.pacing, offer.created_at, advertiser.deposited_micros,
  coalesce(total.spent_micros, 0) as total_micros, coalesce(total.billed_clicks, 0) as total_clicks,
  coalesce(daily.spent_micros, 0) as day_micros, coalesce(daily.billed_clicks, 0) as day_clicks,
  coalesce(paid.spent_micros, 0) as paid_micros
from advertiser
join offer on offer.advertiser_id = advertiser.id
left join spend as total on total.subject = offer.id and total.day = ${everyDay}
left join spend as daily on daily.subject = offer.id and daily.day = $1
left join spend as paid on paid.subject = advertiser.id and paid.day = ${everyDay}
where offer.payout_model in ('CPC', 'CPM')`;

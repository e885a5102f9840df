import type { Budget } from "../../core/budget.ts";
import type { OfferTable } from "../schema.ts";

/** The `day` of a spend that is a total. */
export const everyDay = 0;

export type PricedOffer = Pick<OfferTable, "payout_model" | "payout_micros"> & { number: number };
export type CappedOffer = Pick<
  OfferTable,
  "daily_budget_micros" | "total_budget_micros" | "daily_click_cap" | "total_click_cap"
>;

/** What an offer's row says of its price. */
export function pricedOf({ payout_model, payout_micros }: PricedOffer) {
  return { payoutModel: payout_model, payoutMicros: payout_micros };
}

/** What an offer's row says of its caps. */
export function capsOf(row: CappedOffer): Budget["caps"] {
  return {
    dailyBudgetMicros: row.daily_budget_micros,
    totalBudgetMicros: row.total_budget_micros,
    dailyClickCap: row.daily_click_cap,
    totalClickCap: row.total_click_cap,
  };
}

import type { PayoutModel } from "@offers/contract/words";
import { billablePriceMicros, billedEvent } from "./price.ts";

/** What was billed so far, in whole micro-units and in clicks. */
export type Spent = { micros: number; clicks: number };

/** Everything that limits what an offer may still be billed. A cap of null is none. */
export type Budget = {
  caps: {
    dailyBudgetMicros: number | null;
    totalBudgetMicros: number | null;
    dailyClickCap: number | null;
    totalClickCap: number | null;
  };
  /** Of the offer, ever. */
  total: Spent;
  /** Of the offer, on the UTC day in question. */
  day: Spent;
  /** Of its advertiser: everything ever paid in, and what all its offers have cost. */
  balance: { depositedMicros: number; spent: Spent };
};

/** An offer of this number has less left than its next event costs: on this UTC day, or on any (null). */
export type RanOut = { offer: number; day: number | null };

/** Whether every cap and the balance have room for a charge of `charge.micros` and `charge.clicks`. */
export function hasRoom({ caps, total, day, balance }: Budget, charge: Spent): boolean {
  return (
    isWithin(total.micros + charge.micros, caps.totalBudgetMicros) &&
    isWithin(day.micros + charge.micros, caps.dailyBudgetMicros) &&
    balance.spent.micros + charge.micros <= balance.depositedMicros &&
    (charge.clicks === 0 ||
      (isWithin(total.clicks + charge.clicks, caps.totalClickCap) &&
        isWithin(day.clicks + charge.clicks, caps.dailyClickCap)))
  );
}

/** Whether it would be refused on any other day as well. */
export function isRefusedOnAnyDay(budget: Budget, charge: Spent): boolean {
  const caps = { ...budget.caps, dailyBudgetMicros: null, dailyClickCap: null };
  return !hasRoom({ ...budget, caps }, charge);
}

/** Takes a charge from every cap and the balance, all of them or none; false when one has too little left. */
export function takeCharge(budget: Budget, charge: Spent): boolean {
  if (!hasRoom(budget, charge)) return false;
  for (const spent of [budget.total, budget.day, budget.balance.spent]) {
    spent.micros += charge.micros;
    spent.clicks += charge.clicks;
  }
  return true;
}

/**
 * What an offer's next billable event costs; null for an offer that bills nothing here and so never runs out.
 * `payoutMicros`: as the catalogue has it, for a CPM offer of a thousand impressions.
 */
export function nextCharge(offer: { payoutModel: PayoutModel; payoutMicros: number }): Spent | null {
  const billed = billedEvent(offer.payoutModel);
  return billed === null ? null : { micros: billablePriceMicros(offer), clicks: billed === "click" ? 1 : 0 };
}

function isWithin(sum: number, cap: number | null): boolean {
  return cap === null || sum <= cap;
}

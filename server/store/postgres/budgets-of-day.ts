import { type BudgetsOfDay, createExhaustion, type SpentOffer, spentOffers } from "../rows/exhaustion.ts";
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
      const offers = await ask<SpentOffer>(spentOffers("$1"), [day]);
      known.forget();
      known.judge(offers, day);
      return known.all();
    },
    readOf: async (advertisers, day) => {
      known.judge(await ask(`${spentOffers("$1")} and advertiser.number = any($2)`, [day, advertisers]), day);
      return known.all();
    },
  };
}

import type { Database as Sqlite } from "better-sqlite3";
import { everyDay } from "../rows/budgets.ts";
import { type BudgetsOfDay, createExhaustion, type SpentOffer } from "../rows/exhaustion.ts";

/** Which offers have run out, and how far others have come. */
export type ExhaustedOffers = {
  /**
   * All of both on a UTC day (its number), when something that matters may have changed since the last time; else null.
   * `isCatalogueNew`: caps or prices may have changed.
   */
  changed(day: number, isCatalogueNew: boolean): BudgetsOfDay | null;
};

/**
 * Prepares the question by whatever process offers are charged. What changes without the catalogue stands in the
 * ledger's new lines, so a poll looks at the offers of those advertisers alone.
 */
export function prepareExhaustedOffers(sqlite: Sqlite): ExhaustedOffers {
  const all = sqlite.prepare<[number], SpentOffer>(`${spentOffers}`);
  const ofAdvertiser = sqlite.prepare<[number, number], SpentOffer>(
    `${spentOffers} and advertiser.number = +?`,
  );
  const lastLine = sqlite.prepare<[], number>("select coalesce(max(id), 0) from ledger_line").pluck();
  const paying = sqlite
    .prepare<[number, number], number>(
      "select distinct advertiser from ledger_line where id > +? and id <= +?",
    )
    .pluck();
  let seen = { day: Number.NaN, line: 0 };
  const budgets = createExhaustion();

  return {
    changed: (day, isCatalogueNew) => {
      const line = Number(lastLine.get());
      if (!isCatalogueNew && day === seen.day) {
        if (line === seen.line) return null;
        for (const advertiser of paying.all(seen.line, line))
          budgets.judge(ofAdvertiser.all(day, advertiser), day);
      } else {
        budgets.forget();
        budgets.judge(all.iterate(day), day);
      }
      seen = { day, line };
      return budgets.all();
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
left join spend as daily on daily.subject = offer.id and daily.day = +?
left join spend as paid on paid.subject = advertiser.id and paid.day = ${everyDay}
where offer.payout_model in ('CPC', 'CPM')`;

import type { Database as Sqlite } from "better-sqlite3";
import { type BudgetsOfDay, createExhaustion, type SpentOffer, spentOffers } from "../rows/exhaustion.ts";

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
  const all = sqlite.prepare<[number], SpentOffer>(spentOffers("+?"));
  const ofAdvertiser = sqlite.prepare<[number, number], SpentOffer>(
    `${spentOffers("+?")} and advertiser.number = +?`,
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

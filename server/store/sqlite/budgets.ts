import type { Database as Sqlite } from "better-sqlite3";
import type { RanOut, Spent } from "../../core/budget.ts";
import { wholeShare } from "../../core/revenue-share.ts";
import type { Charge } from "../journal/recording.ts";
import {
  type BudgetedOffer,
  type BudgetRows,
  createBudgets,
  dearerThan,
  type PricedOffer,
} from "../rows/budgets.ts";
import { bytesOf } from "../rows/row-bytes.ts";

export type SqliteBudgets = {
  charge: Charge;
  /** Writes what was charged since the last time: each subject once, whatever the number of its charges. */
  flush(): void;
  /** Forgets all that it remembers: another connection has written, or a transaction was undone. */
  forget(): void;
  /**
   * The offers that the charges since the last time have left with less than their next event costs. Where
   * it is the advertiser's balance, its other offers are among them.
   */
  takeExhausted(): RanOut[];
};

/**
 * Prepares charging from memory. What is remembered of spends, caps, balances and publishers' shares is as good as the
 * rows as long as no other connection has written: the caller looks, inside the write transaction, and calls `forget` if
 * one has.
 */
export function prepareBudgets(sqlite: Sqlite): SqliteBudgets {
  const insertLine = sqlite.prepare(
    `insert into ledger_line (at, day, kind, advertiser, offer, request, micros, currency, website, earned_micros)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // A number is bound as a double, so sums are exact below 2^53 alone: what one advertiser has deposited stays below
  // (decisions.md#money-has-all-digits), and with it what its offers spend.
  const addSpend = sqlite.prepare(
    `insert into spend (subject, day, spent_micros, billed_clicks) values (?, ?, ?, ?)
     on conflict (subject, day) do update set
       spent_micros = spent_micros + excluded.spent_micros, billed_clicks = billed_clicks + excluded.billed_clicks`,
  );
  const offersOf = sqlite.prepare<[string], PricedOffer>(
    "select number, payout_model, payout_micros from offer where advertiser_id = +?",
  );
  const budgets = createBudgets(prepareRows(sqlite), (line) => {
    const { at, day, kind, advertiser, offer, request, micros, currency, website, earned_micros } = line;
    const who = [advertiser, offer, bytesOf(request)];
    insertLine.run(at, day, kind, ...who, micros, currency, website, earned_micros);
  });
  return {
    charge: budgets.charge,
    forget: budgets.forget,
    flush: () => {
      for (const { subject, day, micros, clicks } of budgets.takeCharged()) {
        addSpend.run(subject, day, micros, clicks);
      }
    },
    takeExhausted: () => {
      const { offers, broke } = budgets.takeRanOut();
      const others = broke.flatMap(({ id, leftMicros }) => dearerThan(leftMicros, offersOf.all(id)));
      return [...offers, ...others.map((offer) => ({ offer, day: null }))];
    },
  };
}

const prepareRows = (sqlite: Sqlite): BudgetRows => {
  const offer = sqlite.prepare<[number], BudgetedOffer>(
    `select offer.number, offer.id, offer.payout_model, offer.payout_micros, offer.daily_budget_micros,
       offer.total_budget_micros, offer.daily_click_cap, offer.total_click_cap, offer.advertiser_id,
       advertiser.number as advertiser, advertiser.deposited_micros
     from offer join advertiser on advertiser.id = offer.advertiser_id where offer.number = +?`,
  );
  const spent = sqlite.prepare<[string, number], Spent>(
    "select spent_micros as micros, billed_clicks as clicks from spend where subject = +? and day = +?",
  );
  const share = sqlite
    .prepare<[number], number>(
      `select coalesce(website.share_basis_points, publisher.share_basis_points)
       from website join publisher on publisher.id = website.publisher_id where website.id = +?`,
    )
    .pluck();
  return {
    offer: (number) => offer.get(number) ?? null,
    spent: (subject, day) => spent.get(subject, day) ?? { micros: 0, clicks: 0 },
    /** A website that the catalogue does not know has no operator who would have kept a part. */
    share: (websiteId) => share.get(websiteId) ?? wholeShare,
  };
};

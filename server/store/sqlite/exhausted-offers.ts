import type { Database as Sqlite } from "better-sqlite3";
import type { Selectable } from "kysely";
import { hasRoom, nextCharge } from "../../core/budget.ts";
import { type PacedSpend, shareOfDay } from "../../core/pacing.ts";
import { type CappedOffer, capsOf, everyDay, type PricedOffer, pricedOf } from "../rows/budgets.ts";
import type { OfferTable } from "../schema.ts";

/**
 * Which offers have less left than their next billable event costs, on any cap or on the advertiser's balance, and how far
 * those have come whose budget is spread over the day.
 */
export type ExhaustedOffers = {
  /**
   * All of both on a UTC day (its number), when something that matters may have changed since the last time; else null.
   * `isCatalogueNew`: caps or prices may have changed.
   */
  changed(day: number, isCatalogueNew: boolean): { exhausted: number[]; paced: PacedSpend[] } | null;
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
  let exhausted = new Set<number>();
  let paced = new Map<number, PacedSpend>();

  const judge = (offers: Iterable<SpentOffer>, day: number): void => {
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
  };
  return {
    changed: (day, isCatalogueNew) => {
      const line = Number(lastLine.get());
      if (!isCatalogueNew && day === seen.day) {
        if (line === seen.line) return null;
        for (const advertiser of paying.all(seen.line, line)) judge(ofAdvertiser.all(day, advertiser), day);
      } else {
        exhausted = new Set();
        paced = new Map();
        judge(all.iterate(day), day);
      }
      seen = { day, line };
      return { exhausted: [...exhausted], paced: [...paced.values()] };
    },
  };
}

/** An offer, and what it and its advertiser have spent. */
type SpentOffer = PricedOffer &
  CappedOffer &
  Pick<Selectable<OfferTable>, "pacing" | "created_at"> & {
    deposited_micros: number;
    total_micros: number;
    total_clicks: number;
    day_micros: number;
    day_clicks: number;
    paid_micros: number;
  };

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

import type { OfferId } from "@offers/contract/ids";
import type { Database as Sqlite } from "better-sqlite3";

export type ExhaustedOffers = {
  /** Every offer that has run out on the UTC date `day`. */
  all(day: string): OfferId[];
  /**
   * Given offers, each with the UTC date it was charged on: whichever of them have run out and, where it is the
   * balance, their advertiser's other ones that have.
   */
  among(charged: ReadonlyMap<string, string>): OfferId[];
};

/**
 * Prepares the question which offers have less left than one of their events costs, on any cap or on the
 * advertiser's balance. CPA, CPL and REVSHARE offers bill nothing here and never run out.
 */
export function prepareExhaustedOffers(sqlite: Sqlite): ExhaustedOffers {
  const all = sqlite.prepare<[string], Found>(exhausted);
  const one = sqlite.prepare<[string, string], Found>(`${exhausted} and offer.id = ?`);
  const siblings = sqlite.prepare<[string, string], Found>(`${exhausted} and offer.advertiser_id = ?`);
  return {
    all: (day) => all.all(day).map(({ id }) => id),
    among: (charged) => {
      const found = new Set<OfferId>();
      const broke = new Map<string, string>();
      for (const [offerId, day] of charged) {
        const hit = one.get(day, offerId);
        if (hit === undefined) continue;
        found.add(hit.id);
        if (hit.is_broke === 1) broke.set(hit.advertiser_id, day);
      }
      for (const [advertiserId, day] of broke) {
        for (const { id } of siblings.all(day, advertiserId)) found.add(id);
      }
      return [...found];
    },
  };
}

type Found = { id: OfferId; advertiser_id: string; is_broke: 0 | 1 };

const price =
  "case offer.payout_model when 'CPM' then offer.payout_micros / 1000 else offer.payout_micros end";
const isBroke = `coalesce(paid.spent_micros, 0) + ${price} > advertiser.deposited_micros`;

/** A cap of null makes its comparison null, which is no reason to stop. */
const exhausted = `
select offer.id, offer.advertiser_id, case when ${isBroke} then 1 else 0 end as is_broke
from offer
join advertiser on advertiser.id = offer.advertiser_id
left join spend as total on total.subject = offer.id and total.day = ''
left join spend as daily on daily.subject = offer.id and daily.day = ?
left join spend as paid on paid.subject = offer.advertiser_id and paid.day = ''
where offer.payout_model in ('CPC', 'CPM') and (
  ${isBroke}
  or coalesce(total.spent_micros, 0) + ${price} > offer.total_budget_micros
  or coalesce(daily.spent_micros, 0) + ${price} > offer.daily_budget_micros
  or (offer.payout_model = 'CPC' and coalesce(total.billed_clicks, 0) >= offer.total_click_cap)
  or (offer.payout_model = 'CPC' and coalesce(daily.billed_clicks, 0) >= offer.daily_click_cap)
)`;

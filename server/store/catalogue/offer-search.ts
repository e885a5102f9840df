import type { OfferPage, OfferRow } from "@offers/contract/dash/operator";
import type { PayoutModel } from "@offers/contract/words";
import type { Kysely, Selectable } from "kysely";
import type { OfferStatus } from "../../core/catalogue.ts";
import { hasPart } from "../dialects.ts";
import type { OfferTable, Schema } from "../schema.ts";
import { UnknownSubject } from "./catalogue-refusal.ts";
import { offerOf } from "./offer-rows.ts";

/** By what offers are looked for; what is left out is not asked. */
export type OfferSearch = {
  /** Part of the brand, the title or the id, in any case. */
  text?: string | undefined;
  status?: OfferStatus | undefined;
  advertiserId?: string | undefined;
  vertical?: string | undefined;
  model?: PayoutModel | undefined;
};

/**
 * One page of the offers that fit, the newest first, with what they have cost on the UTC day of that number and ever, and
 * how many fit in all.
 * @param at.page from 1.
 */
export async function searchOffers(
  db: Kysely<Schema>,
  search: OfferSearch,
  at: { page: number; pageSize: number; day: number },
): Promise<{ items: OfferRow[]; total: number }> {
  const fits = found(db, search);
  const { total } = await fits.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const ids = fits
    .select("offer.id")
    .orderBy("offer.created_at", "desc")
    .orderBy("offer.id")
    .limit(at.pageSize)
    .offset((at.page - 1) * at.pageSize);
  const rows = await withSpend(db, at.day)
    .where("offer.id", "in", ids)
    .orderBy("offer.created_at", "desc")
    .orderBy("offer.id")
    .execute();
  return { items: rows.map(rowOf), total };
}

/** One offer with all that is saved of it; throws UnknownSubject when there is none of this id. */
export async function findOffer(
  db: Kysely<Schema>,
  id: string,
  day: number,
): Promise<OfferPage & { offer: object }> {
  const row = await withSpend(db, day).where("offer.id", "=", id).executeTakeFirst();
  if (row === undefined) throw new UnknownSubject("offer");
  const { number: _, id: __, status: ___, ...offer } = offerOf(row);
  return { ...rowOf(row), offer, createdAt: row.created_at };
}

const found = (db: Kysely<Schema>, { text, status, advertiserId, vertical, model }: OfferSearch) => {
  let query = db.selectFrom("offer");
  if (text !== undefined && text.trim() !== "") {
    const part = text.trim();
    query = query.where((eb) =>
      eb.or(
        (["brand", "title", "id"] as const).map((column) => hasPart(db, eb.ref(`offer.${column}`), part)),
      ),
    );
  }
  if (status !== undefined) query = query.where("offer.status", "=", status);
  if (advertiserId !== undefined) query = query.where("offer.advertiser_id", "=", advertiserId);
  if (vertical !== undefined) query = query.where("offer.vertical", "=", vertical);
  if (model !== undefined) query = query.where("offer.payout_model", "=", model);
  return query;
};

const withSpend = (db: Kysely<Schema>, day: number) =>
  db
    .selectFrom("offer")
    .innerJoin("advertiser", "advertiser.id", "offer.advertiser_id")
    .leftJoin("spend as ever", (join) => join.onRef("ever.subject", "=", "offer.id").on("ever.day", "=", 0))
    .leftJoin("spend as today", (join) =>
      join.onRef("today.subject", "=", "offer.id").on("today.day", "=", day),
    )
    .selectAll("offer")
    .select([
      "advertiser.name as advertiser_name",
      "ever.spent_micros as ever_micros",
      "ever.billed_clicks as ever_clicks",
      "today.spent_micros as today_micros",
      "today.billed_clicks as today_clicks",
    ]);

type SpentRow = Selectable<OfferTable> & {
  advertiser_name: string;
  ever_micros: number | null;
  ever_clicks: number | null;
  today_micros: number | null;
  today_clicks: number | null;
};

const rowOf = (row: SpentRow): OfferRow => {
  const offer = offerOf(row);
  return {
    offerId: offer.id,
    advertiserId: offer.advertiserId,
    advertiserName: row.advertiser_name,
    brand: offer.brand,
    title: offer.title,
    vertical: offer.vertical,
    status: offer.status,
    payoutModel: offer.payoutModel,
    payoutMicros: offer.payoutMicros,
    currency: offer.currency,
    geoCoverage: [...offer.geoCoverage],
    premium: offer.premium,
    dailyBudgetMicros: offer.dailyBudgetMicros,
    totalBudgetMicros: offer.totalBudgetMicros,
    dailyClickCap: offer.dailyClickCap,
    totalClickCap: offer.totalClickCap,
    spentTodayMicros: row.today_micros ?? 0,
    clicksToday: row.today_clicks ?? 0,
    spentMicros: row.ever_micros ?? 0,
    billedClicks: row.ever_clicks ?? 0,
    version: row.changed,
  };
};

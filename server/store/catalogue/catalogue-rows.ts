import type { AdvertiserId, OfferId, PublicKey, PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import type { CatalogueRows, Offer, Website } from "../../core/catalogue.ts";
import type { OfferTable, Schema, WebsiteTable } from "../schema.ts";

/** The catalogue's version, a number that grows with every change. */
export async function readCatalogueVersion(db: Kysely<Schema>): Promise<number> {
  return (
    await db.selectFrom("catalogue_version").select("version").where("id", "=", 1).executeTakeFirstOrThrow()
  ).version;
}

/** Reads the whole catalogue at one version: nothing of a change that is only half there. */
export function readCatalogueRows(db: Kysely<Schema>): Promise<CatalogueRows> {
  return db.transaction().execute(async (tx) => {
    const version = await readCatalogueVersion(tx);
    const websites = await tx
      .selectFrom("website")
      .innerJoin("publisher", "publisher.id", "website.publisher_id")
      .selectAll("website")
      .select("publisher.public_key")
      .orderBy("website.id")
      .execute();
    const offers = await tx.selectFrom("offer").selectAll().orderBy("id").execute();
    return { version, websites: websites.map(websiteOf), offers: offers.map(offerOf) };
  });
}

/** Ids and JSON were checked when they were saved; here they get their types back. */
export function websiteOf(row: Selectable<WebsiteTable> & { public_key: string }): Website {
  return {
    id: row.id,
    key: row.key as WebsiteKey,
    publisherId: row.publisher_id as PublisherId,
    publicKey: row.public_key as PublicKey,
    name: row.name,
    vertical: row.vertical,
    ownBrand: row.own_brand,
    development: row.development === 1,
    origins: JSON.parse(row.origins_json),
    geoRule: JSON.parse(row.geo_rule_json),
    allowlist: JSON.parse(row.allowlist_json),
    settings: JSON.parse(row.settings_json),
  };
}

/** As `websiteOf`. */
export function offerOf(row: Selectable<OfferTable>): Offer {
  return {
    id: row.id as OfferId,
    advertiserId: row.advertiser_id as AdvertiserId,
    status: row.status,
    brand: row.brand,
    vertical: row.vertical,
    title: row.title,
    description: row.description,
    ctaText: row.cta_text,
    imageUrl: row.image_url,
    landingUrl: row.landing_url,
    disclosure: row.disclosure,
    terms: row.terms,
    geoCoverage: JSON.parse(row.geo_json),
    payoutModel: row.payout_model,
    payoutMicros: row.payout_micros,
    currency: row.currency,
    premium: row.premium === 1,
    dailyBudgetMicros: row.daily_budget_micros,
    totalBudgetMicros: row.total_budget_micros,
    dailyClickCap: row.daily_click_cap,
    totalClickCap: row.total_click_cap,
  };
}

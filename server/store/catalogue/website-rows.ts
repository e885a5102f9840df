import type { PublicKey, PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { Kysely, Selectable } from "kysely";
import type { Website } from "../../core/catalogue.ts";
import type { Schema, WebsiteTable } from "../schema.ts";

/** Websites, each with its publisher's public key. */
export function websiteRows(db: Kysely<Schema>) {
  return db
    .selectFrom("website")
    .innerJoin("publisher", "publisher.id", "website.publisher_id")
    .selectAll("website")
    .select("publisher.public_key");
}

/**
 * The website that a row holds. Ids and JSON were checked when they were saved; here they get their types back.
 * @param parse reads JSON; a caller with many rows may give equal texts one object.
 */
export function websiteOf(
  row: Selectable<WebsiteTable> & { public_key: string },
  parse: typeof JSON.parse = JSON.parse,
): Website {
  return {
    id: row.id,
    key: row.key as WebsiteKey,
    publisherId: row.publisher_id as PublisherId,
    publicKey: row.public_key as PublicKey,
    name: row.name,
    vertical: row.vertical,
    ownBrand: row.own_brand,
    development: row.development === 1,
    paused: row.paused === 1 || row.archived_at !== null,
    // Nobody is to reach what was deleted: no page, and no visitor is shown anything for it.
    origins: row.archived_at === null ? parse(row.origins_json) : [],
    geoRule: parse(row.geo_rule_json),
    allowlist: parse(row.allowlist_json),
    settings: parse(row.settings_json),
    floor: { micros: row.floor_micros, currency: row.floor_currency },
    shareBasisPoints: row.share_basis_points,
    secretCarrier: row.secret_carrier,
    ...(row.archived_at !== null && { archived: true }),
  };
}

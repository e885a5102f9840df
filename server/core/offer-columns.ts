import type { OfferId } from "@offers/contract/ids";
import type { Offer } from "./catalogue.ts";

/** An offer as files hold it. */
type OfferMembers = Omit<Offer, "id" | "number"> & { offerId: OfferId };

/** How a value is kept in its column, and read from a cell, where a list is separated by commas, semicolons or spaces. */
type KindOf<Value> = [Value] extends [boolean]
  ? "flag"
  : [Value] extends [readonly unknown[]]
    ? "list"
    : [Value] extends [number | null]
      ? "number"
      : [Value] extends [string | null]
        ? "text"
        : "locales";

/**
 * Every column of an offer, in the order of an offer file: under which name the table keeps it, and as what. A member
 * of an offer that is missing here, or of another kind, does not compile.
 */
export const offerColumns = {
  offerId: { column: "id", kind: "text" },
  status: { column: "status", kind: "text" },
  advertiserId: { column: "advertiser_id", kind: "text" },
  brand: { column: "brand", kind: "text" },
  vertical: { column: "vertical", kind: "text" },
  title: { column: "title", kind: "text" },
  description: { column: "description", kind: "text" },
  ctaText: { column: "cta_text", kind: "text" },
  imageUrl: { column: "image_url", kind: "text" },
  landingUrl: { column: "landing_url", kind: "text" },
  disclosure: { column: "disclosure", kind: "text" },
  terms: { column: "terms", kind: "text" },
  language: { column: "language", kind: "text" },
  locales: { column: "locales_json", kind: "locales" },
  geoCoverage: { column: "geo_json", kind: "list" },
  payoutModel: { column: "payout_model", kind: "text" },
  payoutMicros: { column: "payout_micros", kind: "number" },
  conversionRateBasisPoints: { column: "conversion_rate_basis_points", kind: "number" },
  currency: { column: "currency", kind: "text" },
  premium: { column: "premium", kind: "flag" },
  dailyBudgetMicros: { column: "daily_budget_micros", kind: "number" },
  totalBudgetMicros: { column: "total_budget_micros", kind: "number" },
  dailyClickCap: { column: "daily_click_cap", kind: "number" },
  totalClickCap: { column: "total_click_cap", kind: "number" },
  pacing: { column: "pacing", kind: "text" },
  startsAt: { column: "starts_at", kind: "text" },
  endsAt: { column: "ends_at", kind: "text" },
  days: { column: "days_json", kind: "list" },
  hours: { column: "hours_json", kind: "list" },
  timeZone: { column: "time_zone", kind: "text" },
  languages: { column: "languages_json", kind: "list" },
  devices: { column: "devices_json", kind: "list" },
  onlyPublishers: { column: "only_publishers_json", kind: "list" },
  exceptPublishers: { column: "except_publishers_json", kind: "list" },
} as const satisfies { [Name in keyof OfferMembers]: { column: string; kind: KindOf<OfferMembers[Name]> } };

export type OfferColumn = keyof typeof offerColumns;

/** What an offer says of itself; whose it is and how it is called stand beside. */
export type OfferMember = Exclude<OfferColumn, "offerId" | "advertiserId">;

type Kept<Value> = Value extends boolean ? 0 | 1 : Value extends object ? string : Value;

/** The columns of an offer's members as a table keeps them: a flag as 0 or 1, a list and locales as JSON text. */
export type OfferRow = {
  [Name in OfferMember as (typeof offerColumns)[Name]["column"]]: Kept<OfferMembers[Name]>;
};

export const offerColumnNames = Object.keys(offerColumns) as OfferColumn[];

// The command line's own words for the same things.
const otherNames: readonly [string, OfferColumn][] = [
  ["offer", "offerId"],
  ["advertiser", "advertiserId"],
  ["geo", "geoCoverage"],
];

const byPlainName = new Map<string, OfferColumn>([
  ...offerColumnNames.map((name) => [name.toLowerCase(), name] as const),
  ...otherNames,
]);

/** The column that a header cell names: `payoutMicros`, `payout_micros` and `Payout Micros` are one. Undefined: none. */
export function offerColumnOf(header: string): OfferColumn | undefined {
  return byPlainName.get(header.replace(/[\s_-]/g, "").toLowerCase());
}

import { z } from "zod";
import { currencyCode } from "./catalogue.ts";
import { offerId, websiteKey } from "./ids.ts";
import { countryCode } from "./location.ts";
import { filledLine } from "./text.ts";
import { countedTypes, deviceClasses, placements, surfaces } from "./words.ts";

/** In the order of a row's members, which is that of the rows. */
export const reportDimensions = [
  "date",
  "hour",
  "websiteKey",
  "country",
  "region",
  "vertical",
  "offer",
  "brand",
  "placement",
  "device",
] as const;
export type ReportDimension = (typeof reportDimensions)[number];
/** What a report is grouped by when nobody says: a dimension that is added later must not change these rows. */
export const defaultGrouping = [
  "date",
  "websiteKey",
  "country",
  "vertical",
] as const satisfies readonly ReportDimension[];

/** The default range is the last 30 days, today included; the longest 366 days. */
export const reportDays = { usual: 30, most: 366 } as const;

/** A calendar date that exists. */
export const calendarDate = z.iso.date("must be a date such as 2026-01-31");

/** Words as a query has them: the parameter is repeated, or one holds several with commas between. */
const wordList = <Word extends string>(words: readonly Word[]) =>
  z
    .array(z.string())
    .transform((texts) => texts.flatMap((text) => text.split(",")))
    .pipe(z.array(z.enum(words)).min(1).max(words.length));

/**
 * By how many hours the days of a report begin before those of UTC: `+05:00` is 5. A query writes `+` as `%2B`; where it
 * stands for a blank, that blank is meant. Figures are kept by the hour, so zones of half hours are none of them.
 */
export const wholeHours = z
  .string()
  .regex(
    /^(?:UTC|Z|[+ ](?:0\d|1[0-4]):00|-(?:0\d|1[0-2]):00)$/,
    "must be whole hours from UTC, from -12:00 to +14:00, such as +05:00 (in a query %2B05:00) or -08:00: figures are kept by the hour, so take the nearest one for a zone of half hours, and the offset of its season for a name such as Europe/Berlin",
  )
  .meta({ maxLength: 6, examples: ["+05:00", "-08:00", "UTC"] })
  .transform((text) => Number.parseInt(text.trim(), 10) || 0);

/** A country and its region, as offers name them. */
const regionOfCountry = z
  .string()
  .regex(/^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$/, "must be a country and its region by ISO 3166-2, such as US-NJ")
  .meta({ maxLength: 6 })
  .transform((text) => text.toUpperCase());

/** Query of GET /v1/reports/aggregate; that of GET /v1/reports/aggregate.csv has no `format`. */
export const reportQuery = z.object({
  from: calendarDate.optional(),
  to: calendarDate.optional(),
  websiteKey: websiteKey.optional(),
  country: countryCode.optional(),
  region: regionOfCountry.optional(),
  vertical: filledLine(40).optional(),
  offer: offerId.optional(),
  brand: filledLine(80).optional(),
  placement: z.enum(placements).optional(),
  device: z.enum(deviceClasses).optional(),
  timeZone: wholeHours.optional(),
  /** Rows in which any of these is above 0. */
  eventType: wordList(countedTypes).optional(),
  surface: z.enum(surfaces).optional(),
  traffic: z.enum(["live", "test"]).default("live"),
  groupBy: wordList(reportDimensions).optional(),
  format: z.enum(["json", "csv"]).optional(),
});
export type ReportQuery = z.infer<typeof reportQuery>;

/** Query of GET /v1/reports/aggregate.csv. */
export const csvReportQuery = reportQuery.omit({ format: true });

const count = z.int().min(0);

/**
 * Whole micro-units in all their digits (decisions.md#money-has-all-digits), so without the maximum of zod's integers:
 * above 2^53 - 1 a reader needs integers of 64 bits, or rounds.
 */
const amount = z.number().min(0).refine(Number.isInteger).meta({ type: "integer" });

const figures = {
  blocked: count,
  served: count,
  impressions: count,
  clicks: count,
  /** Clicks that cost an advertiser something. */
  billableClicks: count,
  /** Of the row's currency; null where the operator does not tell it (decisions.md#spend-may-be-hidden). */
  spend: amount.nullable(),
  /** Events stored with a reason: gross is what is counted plus these. */
  filtered: count,
  /** Of the served ones those that stood in a page: the others were handed out and never shown. */
  drawn: count,
  /** What the publisher earned of what was billed, of the row's currency. */
  earnings: amount,
};

/** In which money moved; null where none did. */
const currency = currencyCode.nullable();

/** The sums of all rows; money is null where it would add up several currencies. */
export const reportTotals = z.object({ ...figures, earnings: amount.nullable() });

/** The sums of the rows of one currency, or of null. */
export const currencyTotals = z.object({ ...figures, currency });

/** A dimension that `groupBy` leaves out is absent. A place may have several rows: decisions.md#money-by-currency. */
export const reportRow = z.object({
  date: calendarDate.optional(),
  /** Of the day, in the time zone that was asked for. */
  hour: z.int().min(0).max(23).optional(),
  websiteKey: z.string().optional(),
  country: z.string().optional(),
  /** Such as `US-NJ`; null: not known. */
  region: z.string().nullable().optional(),
  vertical: z.string().optional(),
  /** An offer's id; null, as its brand: of a blocked visit, which has none. */
  offer: z.string().nullable().optional(),
  /** As the offer names it today. */
  brand: z.string().nullable().optional(),
  /** Null: of a blocked visit, or not said. */
  placement: z.enum(placements).nullable().optional(),
  /** Null: not known. */
  device: z.enum(deviceClasses).nullable().optional(),
  ...figures,
  currency,
});
export type ReportRow = z.infer<typeof reportRow>;

export const reportAnswer = z.object({
  items: z.array(reportRow),
  from: calendarDate,
  to: calendarDate,
  totals: reportTotals,
  /** In the order of the codes, null at the end. */
  totalsByCurrency: z.array(currencyTotals),
});
export type ReportAnswer = z.infer<typeof reportAnswer>;

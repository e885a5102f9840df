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
const wholeHours = z
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
 * Whole micro-units in all their digits (decisions.md#money-has-all-digits), so without the maximum of zod's integers.
 */
const amount = z.number().min(0).refine(Number.isInteger).meta({ type: "integer" });
const wide = "Above 2^53 - 1 a reader needs integers of 64 bits, or rounds.";
/** In what money is told. */
const millionths = "in whole micro-units (millionths) of the currency, whatever its smallest coin";

const figures = {
  blocked: count.describe(
    "Visits that were blocked, whether or not an overlay opened: page views and servers' decisions with that verdict, " +
      "and visits that the website's own server declined. One visitor may make many.",
  ),
  served: count.describe("Offers that were handed out, once a visit and offer."),
  impressions: count.describe("Offers that were seen, once a visit and offer."),
  clicks: count.describe("Clicks, once a visit and offer: the beacon and the link are two halves of one."),
  billableClicks: count.describe("Clicks that were billed, each at its offer's price, which may be 0."),
  // decisions.md#spend-may-be-hidden
  spend: amount
    .nullable()
    .describe(
      `What was billed to advertisers, ${millionths}; null where the operator does not tell it. ${wide}`,
    ),
  filtered: count.describe("Events stored with a reason: gross is what is counted plus these."),
  drawn: count.describe(
    "Offers that stood in a page, as it said: served ones beyond these were never shown. Those that a server was given " +
      "and has not reported as served are drawn all the same.",
  ),
  earnings: amount.describe(`What the publisher earned of what was billed, ${millionths}. ${wide}`),
};

const currency = currencyCode
  .nullable()
  .describe("ISO 4217 code of the money that moved, and of `spend` and `earnings`; null where none did.");

export const reportTotals = z
  .object({
    ...figures,
    spend: figures.spend.describe(
      `What was billed to advertisers, ${millionths}; null where it would add up several currencies, where the ` +
        `operator does not tell it, and where there is no website yet. ${wide}`,
    ),
    earnings: amount
      .nullable()
      .describe(
        `What the publisher earned of what was billed, ${millionths}; null where it would add up several currencies. ${wide}`,
      ),
  })
  .describe("The sums of all rows.");

/** The sums of the rows of one currency, or of null. */
export const currencyTotals = z.object({ ...figures, currency });

/** A dimension that `groupBy` leaves out is absent. A place may have several rows: decisions.md#money-by-currency. */
export const reportRow = z.object({
  date: calendarDate.describe("The day, in the time zone that was asked for.").optional(),
  hour: z
    .int()
    .min(0)
    .max(23)
    .describe("The hour of the day, 0 to 23, in the time zone that was asked for.")
    .optional(),
  websiteKey: z.string().describe("The website's key.").optional(),
  country: z.string().describe("ISO 3166-1 alpha-2; `ZZ`: not known.").optional(),
  region: z
    .string()
    .nullable()
    .describe("ISO 3166-2 with its country, such as `US-NJ`; null: not known.")
    .optional(),
  vertical: z
    .string()
    .describe(
      "The line of business: of a blocked visit the website's, of anything else the one that the offer had then.",
    )
    .optional(),
  offer: z
    .string()
    .nullable()
    .describe("The offer's id; null: of a blocked visit, which has none.")
    .optional(),
  brand: z
    .string()
    .nullable()
    .describe("The offer's brand, as the offer names it today; null: of a blocked visit, which has none.")
    .optional(),
  placement: z
    .enum(placements)
    .nullable()
    .describe("Where in the answer the offer stood; null: of a blocked visit, or not said.")
    .optional(),
  device: z.enum(deviceClasses).nullable().describe("What the visitor sat at; null: not known.").optional(),
  ...figures,
  currency,
});
export type ReportRow = z.infer<typeof reportRow>;

export const reportAnswer = z.object({
  items: z
    .array(reportRow)
    .describe(
      "A row for each of what `groupBy` tells apart, and of each currency, where anything was counted: what had no traffic, " +
        "a whole day as well, has none. In the order of their dimensions as they stand in a row, null first, then of the " +
        "currencies, null last.",
    ),
  from: calendarDate.describe("The first day, in the time zone that was asked for."),
  to: calendarDate.describe("The last day, included."),
  totals: reportTotals,
  totalsByCurrency: z
    .array(currencyTotals)
    .describe(
      "The sums of the rows of each currency, in the order of the codes, null at the end. Only money is of a currency " +
        "whatever the grouping; the other counters are those of the rows that carry it. For rates in one currency group by `offer`.",
    ),
});
export type ReportAnswer = z.infer<typeof reportAnswer>;

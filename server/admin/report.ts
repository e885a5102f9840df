import { reportDimensions, reportQuery } from "@offers/contract/reports";
import { deviceClasses, placements, surfaces } from "@offers/contract/words";
import { z } from "zod";
import { earnedPerBlocked } from "../core/earned-per-blocked.ts";
import { figures, isMoney } from "../core/figures.ts";
import { placeProblem } from "../core/place-problem.ts";
import type { InCurrency, ReportTotals } from "../core/report-currencies.ts";
import type { ReportFilter } from "../core/report-filter.ts";
import { reportRange } from "../core/report-range.ts";
import { hourMs, utcDay } from "../core/utc-day.ts";
import { readReportBySurface, type SummedRow } from "../store/books/report.ts";
import { askedDimensions, dimensions } from "../store/books/report-dimensions.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { requireOffer } from "../store/catalogue/offers.ts";
import { requireEverWebsite, websiteKeysById } from "../store/catalogue/websites.ts";
import { type CommandContext, type Given, type Noun, type Option, type Outcome, textOf } from "./command.ts";
import { amount, table } from "./table.ts";
import { websiteOption } from "./website-options.ts";

const text = (name: string, field: string, hint: string, help: string): Option => ({
  name,
  kind: "text",
  field,
  hint,
  help,
});

export const reportNoun: Noun = {
  name: "report",
  summary: "What happened on a website, by day, offer, place and more.",
  commands: [
    {
      verb: "",
      summary: "Print a website's figures of each day, or by what --by names, and their sums by currency.",
      options: [
        websiteOption,
        text("from", "from", "YYYY-MM-DD", "the first day (29 days before the last)"),
        text("to", "to", "YYYY-MM-DD", "the last day (today)"),
        {
          name: "by",
          kind: "list",
          field: "groupBy",
          hint: "A,B",
          help: `${reportDimensions.join(", ")} (date)`,
        },
        text("time-zone", "timeZone", "±HH:00", "whole hours from UTC: whose days and hours are meant (UTC)"),
        text("country", "country", "CC", "visitors of this country alone"),
        text("region", "region", "CC-R", "of this region alone: US-NJ"),
        { ...text("offer", "offer", "O", "this offer alone"), refusedAs: "offerId" },
        text("brand", "brand", "B", "offers of this brand alone"),
        {
          name: "placement",
          kind: "choice",
          choices: placements,
          field: "placement",
          help: "in this placement alone",
        },
        {
          name: "device",
          kind: "choice",
          choices: deviceClasses,
          field: "device",
          help: "on such devices alone",
        },
        { name: "today", kind: "flag", field: "today", help: "today alone" },
        {
          name: "traffic",
          kind: "choice",
          choices: ["live", "test"],
          field: "traffic",
          help: "what visitors did, or what happened in tests (test on a development website)",
        },
      ],
      examples: [
        "report --website ws_journal --today",
        "report --website ws_journal --from 2026-01-01 --to 2026-01-31 --json",
        "report --website ws_journal --by offer,device --time-zone -05:00",
      ],
      run: report,
    },
  ],
};

/** Its options say which of the report's parameters the command has. */
const asked = reportQuery.omit({ websiteKey: true, eventType: true, format: true }).extend({
  groupBy: z.array(z.enum(reportDimensions)).min(1).optional(),
  today: z.boolean().optional(),
  traffic: z.enum(["live", "test"]).optional(),
});

async function report(given: Given, { catalogue, now, rules }: CommandContext): Promise<Outcome> {
  const { from, to, today, traffic: wanted, timeZone: utcOffset = 0, ...rest } = parseInput(asked, given);
  const { websiteKey: key, development } = await requireEverWebsite(
    catalogue.db,
    textOf(given, "websiteKey"),
  );
  const { groupBy = ["date" as const], ...narrowing } = rest;
  const problem = placeProblem(narrowing, rules);
  if (problem !== null) throw new CatalogueRefusal([problem]);
  if (narrowing.offer !== undefined) await requireOffer(catalogue.db, narrowing.offer);
  const date = utcDay(now + utcOffset * hourMs);
  if (today && (from ?? to) !== undefined) {
    throw new CatalogueRefusal([{ field: "today", message: "stands alone: leave --from and --to out" }]);
  }
  const range = reportRange(today ? { from: date, to: date } : { from, to }, date);
  if (!range.ok) throw new CatalogueRefusal([{ field: range.parameter, message: range.message }]);
  const traffic = wanted ?? (development ? "test" : "live");
  const ids = await websiteKeysById(catalogue.db);
  const [id] = [...ids].find(([, one]) => one === key) ?? [0];
  const filter: ReportFilter = {
    websites: [{ id, key }],
    from: range.from,
    to: range.to,
    test: traffic === "test",
    eventTypes: [],
    ...{ ...narrowing, utcOffset, groupBy },
  };
  const {
    report: { rows, totals, totalsByCurrency },
    ofSurfaces,
  } = await readReportBySurface(catalogue.db, filter, surfacesOfBlocked);
  const perBlocked = earnedPerBlocked(ofSurfaces.flatMap((one) => one.totalsByCurrency));
  const names = askedDimensions({ groupBy });
  const placeOf = (row: SummedRow) =>
    names.map((name) => dimensions[name].value(row[dimensions[name].column] ?? "", new Map([[id, key]])));
  const titles = [...names.map(titleOf), ...figures.map(({ name }) => titleOf(name)), "CURRENCY"];
  const currencies = totalsByCurrency.filter(({ currency }) => currency !== null);
  // Of one currency all the money is in the row of all; what else is counted has no currency of its own.
  const [only, second] = currencies;
  const currency = second === undefined ? (only?.currency ?? null) : null;
  const sums = [
    { says: groupBy.join() === "date" ? "all days" : "all", cells: cellsOf({ ...totals, currency }) },
    ...(second === undefined ? [] : currencies).map((sum) => ({
      says: `of these in ${sum.currency}`,
      cells: cellsOf(sum),
    })),
  ].map(({ says, cells }) => [says, ...names.slice(1).map(() => ""), ...cells]);
  return {
    answer: {
      websiteKey: key,
      traffic,
      from: range.from,
      to: range.to,
      items: rows.map((row) => ({
        ...Object.fromEntries(placeOf(row).map((value, index) => [names[index], value])),
        ...named(row),
        currency: row.currency,
      })),
      totals: named(totals),
      totalsByCurrency: totalsByCurrency.map((sum) => ({ ...named(sum), currency: sum.currency })),
      earningsPerBlocked: perBlocked,
    },
    text: [
      `${key}, ${traffic} traffic, ${range.from} to ${range.to}`,
      rows.length === 0
        ? "nothing happened"
        : table(titles, [
            ...rows.map((row) => [...placeOf(row).map((value) => String(value ?? "-")), ...cellsOf(row)]),
            ...sums,
          ]),
      ...perBlocked.map(
        ({ currency, micros }) =>
          `earnings per blocked visit: ${micros === null ? "-" : `${amount(micros)} ${currency}`}`,
      ),
    ].join("\n"),
  };
}

/** A section blocks nobody (decisions.md#sections-never-block). */
const surfacesOfBlocked = surfaces.filter((surface) => surface !== "section");

/** `billableClicks` → `BILLABLE CLICKS`. */
const titleOf = (name: string): string => name.replace(/[A-Z]/g, " $&").toUpperCase();

/** Money is a dash where it would be the sum of several currencies. */
const cellsOf = (row: ReportTotals & Pick<InCurrency, "currency">): string[] => [
  ...figures.map(({ column }) => {
    const value = row[column];
    if (value === null) return "-";
    return isMoney(column) ? amount(value) : String(value);
  }),
  row.currency ?? "-",
];

const named = (row: ReportTotals) =>
  Object.fromEntries(figures.map(({ name, column }) => [name, row[column]]));

import { calendarDate } from "@offers/contract/reports";
import { surfaces } from "@offers/contract/words";
import { z } from "zod";
import { earnedPerBlocked } from "../core/earned-per-blocked.ts";
import { figures, isMoney } from "../core/figures.ts";
import type { InCurrency, ReportTotals } from "../core/report-currencies.ts";
import type { ReportFilter } from "../core/report-filter.ts";
import { reportRange } from "../core/report-range.ts";
import { dateOfDay, utcDay } from "../core/utc-day.ts";
import { readReport, type SummedRow } from "../store/books/report.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { requireWebsite, websiteKeysById } from "../store/catalogue/websites.ts";
import { type CommandContext, type Given, type Noun, type Option, type Outcome, textOf } from "./command.ts";
import { amount, table } from "./table.ts";
import { websiteOption } from "./website-options.ts";

const day = (name: "from" | "to", help: string): Option => ({
  name,
  kind: "text",
  field: name,
  hint: "YYYY-MM-DD",
  help,
});

export const reportNoun: Noun = {
  name: "report",
  summary: "What happened on a website, day by day.",
  commands: [
    {
      verb: "",
      summary: "Print a website's figures of each day (UTC), and their sums by currency.",
      options: [
        websiteOption,
        day("from", "the first day (29 days before the last)"),
        day("to", "the last day (today)"),
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
      ],
      run: report,
    },
  ],
};

const asked = z.object({
  from: calendarDate.optional(),
  to: calendarDate.optional(),
  today: z.boolean().optional(),
  traffic: z.enum(["live", "test"]).optional(),
});

async function report(given: Given, { catalogue, now }: CommandContext): Promise<Outcome> {
  const { from, to, today, traffic: wanted } = parseInput(asked, given);
  const { websiteKey: key, development } = await requireWebsite(catalogue.db, textOf(given, "websiteKey"));
  const date = utcDay(now);
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
    groupBy: ["date"],
  };
  const { rows, totals, totalsByCurrency } = await readReport(catalogue.db, filter);
  const ofBlocked = [];
  for (const surface of surfacesOfBlocked) {
    ofBlocked.push(...(await readReport(catalogue.db, { ...filter, surface })).totalsByCurrency);
  }
  const perBlocked = earnedPerBlocked(ofBlocked);
  const dateOf = (row: SummedRow) => dateOfDay(row.day ?? 0);
  const titles = ["DATE", ...figures.map(({ name }) => titleOf(name)), "CURRENCY"];
  const sums = totalsByCurrency.map((sum) => ["all days", ...cellsOf(sum)]);
  return {
    answer: {
      websiteKey: key,
      traffic,
      from: range.from,
      to: range.to,
      items: rows.map((row) => ({ date: dateOf(row), ...named(row), currency: row.currency })),
      totals: named(totals),
      totalsByCurrency: totalsByCurrency.map((sum) => ({ ...named(sum), currency: sum.currency })),
      earningsPerBlocked: perBlocked,
    },
    text: [
      `${key}, ${traffic} traffic, ${range.from} to ${range.to}`,
      rows.length === 0
        ? "nothing happened"
        : table(titles, [...rows.map((row) => [dateOf(row), ...cellsOf(row)]), ...sums]),
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

const cellsOf = (row: InCurrency): string[] => [
  ...figures.map(({ column }) => (isMoney(column) ? amount(row[column]) : String(row[column]))),
  row.currency ?? "-",
];

const named = (row: ReportTotals) =>
  Object.fromEntries(figures.map(({ name, column }) => [name, row[column]]));

import type { Report, Row, Totals, Whole } from "./api.ts";
import { decimalsOf, formatCount, formatExactMoney, formatShare } from "./format.ts";

/** A figure of a report's rows, in the order of the table. */
type ReportFigure = {
  key: string;
  title: string;
  means: string;
  text: (row: Totals & { currency: string | null }) => string;
  /** What rows are ordered by. */
  rank: (row: Totals) => Whole;
};

const counted = (
  key: "blocked" | "served" | "drawn" | "impressions" | "clicks" | "billableClicks" | "filtered",
) => ({
  key,
  text: (row: Totals) => formatCount(row[key]),
  rank: (row: Totals) => row[key],
});

/**
 * Money in all its digits, those of a currency with as many decimals in every row, so that who adds the rows up arrives at the
 * sum that is shown; a dash where none moved or it is not told.
 */
const paid = (key: "spend" | "earnings", { items }: Report) => {
  const amounts = Map.groupBy(items, ({ currency }) => currency);
  const decimals = new Map(
    [...amounts].map(([currency, rows]) => [currency, decimalsOf(rows.map((row) => row[key] ?? 0))]),
  );
  return {
    key,
    text: (row: Totals & { currency: string | null }) => {
      const { [key]: micros, currency } = row;
      if (micros === null || currency === null) return "–";
      return formatExactMoney(micros, currency, decimals.get(currency));
    },
    rank: (row: Totals) => row[key] ?? 0,
  };
};

/** Every figure that a report has, and what it counts. */
const figuresOf = (report: Report): ReportFigure[] => [
  {
    ...counted("blocked"),
    title: "Blocked",
    means:
      "Page views and servers' decisions whose verdict was to block, and declined visits, whether or not an overlay opened. One visitor may make many.",
  },
  { ...counted("served"), title: "Served", means: "Offers that were handed out, once a visit and offer." },
  {
    ...counted("drawn"),
    title: "Drawn",
    means: "Served offers that stood in a page; the others were handed out and never shown.",
  },
  {
    ...counted("impressions"),
    title: "Seen",
    means: "Offers of which half was visible for a second, once a visit and offer.",
  },
  { ...counted("clicks"), title: "Clicks", means: "Offers that were clicked, once a visit and offer." },
  {
    key: "rate",
    title: "Rate",
    means: "Clicks among the offers that were seen.",
    text: (row) => formatShare(row.clicks, row.impressions),
    rank: (row) => (row.impressions ? row.clicks / row.impressions : 0),
  },
  {
    ...counted("billableClicks"),
    title: "Billable",
    means: "Clicks that were billed, each at its offer's price.",
  },
  {
    ...counted("filtered"),
    title: "Not counted",
    means: "Events that are stored with a reason, as repetitions and robots, and count nowhere else.",
  },
  {
    ...paid("spend", report),
    title: "Billed",
    means: "What advertisers were billed. A dash where nothing was.",
  },
  { ...paid("earnings", report), title: "Earned", means: "What you earned of what was billed." },
];

/** The figures that a report has something to say about: what nobody is told has no column. */
export function toldFigures(report: Report): ReportFigure[] {
  const isTold = report.items.some(({ spend }) => spend !== null) || report.totals.spend !== null;
  return figuresOf(report).filter(({ key }) => key !== "spend" || isTold);
}

/** Rows in the order of one figure, the largest first or last. Equal rows keep their order. */
export function sortedRows(rows: readonly Row[], figure: ReportFigure, order: "up" | "down"): Row[] {
  const sign = order === "up" ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [left, right] = [figure.rank(one), figure.rank(other)];
    return left < right ? -sign : left > right ? sign : 0;
  });
}

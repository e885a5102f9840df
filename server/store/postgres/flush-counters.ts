import type { Cell } from "../../core/cell.ts";
import { mostCounted } from "../../core/click-rates.ts";
import { type CounterFold, type CounterRow, counterRowsOf, daySums } from "../../core/counter-fold.ts";
import { packLines } from "../../core/detail-lines.ts";
import { figureColumns } from "../../core/figures.ts";
import { placementNumber } from "../../core/handed-offers.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import { rateRowsOf } from "../rows/rate-rows.ts";
import { counterKeys } from "../schema.ts";
import { addSums, type Row, recordset, rowsOf, type Written } from "./flush-statements.ts";
import type { Statement } from "./pipeline.ts";

const textColumns: readonly string[] = ["country", "vertical", "surface", "currency"];

const counterTable = (table: keyof typeof counterKeys): Written => ({
  table,
  columns: Object.fromEntries(
    [...counterKeys[table], ...figureColumns].map((column) => [
      column,
      textColumns.includes(column) ? "text" : "bigint",
    ]),
  ),
  keyLength: counterKeys[table].length,
});
const counterTables = {
  counter: counterTable("counter"),
  counter_day: counterTable("counter_day"),
  counter_publisher: counterTable("counter_publisher"),
};

const detailDelta: Written = {
  table: "detail_delta",
  columns: { hour: "bigint", lines: "bytea" },
  keyLength: 1,
};

const rateCount: Written = {
  table: "rate_count",
  columns: {
    offer: "bigint",
    country: "text",
    placement: "bigint",
    impressions: "bigint",
    clicks: "bigint",
  },
  keyLength: 3,
};

/** What a batch's events add to what reports and click rates are read from. */
export function flushCounters(
  fold: CounterFold,
  known: { cellOf: (cell: number) => Cell; publisherOf: (websiteId: number) => number },
): Statement[] {
  const sums = fold.sums();
  const statements: Statement[] = [];
  if (sums.length > 0) {
    const counted = counterRowsOf(daySums(sums), known);
    for (const table of ["counter", "counter_day", "counter_publisher"] as const) {
      const rows = counted[table].filter(({ figures }) => figures.some((figure) => figure !== 0));
      statements.push(
        ...addSums(counterTables[table], rows.map(rowOf(counterKeys[table])), { sums: figureColumns }),
      );
    }
    // The finest sums wait: whoever settles them adds the waiting ones of many batches to an hour's row at once.
    const lines = [...linesByHour(sums)].map(([hour, own]): Row => ({ hour, lines: packLines(own) }));
    statements.push({
      name: "append_lines",
      text: `insert into detail_delta (hour, lines) select v.hour, v.lines from ${recordset(detailDelta.columns)}`,
      values: [rowsOf(detailDelta, lines)],
    });
  }
  const rates = rateRowsOf(fold.rateSums(), known.cellOf);
  if (rates.length > 0) {
    statements.push({
      name: "add_rates",
      text: `insert into rate_count (offer, country, placement, impressions, clicks, changed)
        select v.offer, v.country, v.placement, v.impressions, v.clicks, pg_current_xact_id()::text::bigint
        from ${recordset(rateCount.columns)}
        on conflict (offer, country, placement) do update set
          impressions = (rate_count.impressions + excluded.impressions) / ${partKept},
          clicks = (rate_count.clicks + excluded.clicks) / ${partKept}, changed = excluded.changed`,
      values: [
        rowsOf(
          rateCount,
          rates.map((row): Row => ({ ...row, placement: placementNumber(row.placement) })),
        ),
      ],
    });
  }
  return statements;
}

/** What is counted of a rate is divided by this. */
const partKept = `case when rate_count.impressions + excluded.impressions > ${mostCounted} then 2 else 1 end`;

const rowOf =
  (keys: readonly string[]) =>
  ({ key, figures }: CounterRow): Row =>
    Object.fromEntries([
      ...keys.map((column, index) => [column, key[index] ?? 0] as const),
      ...figureColumns.map((column, index) => [column, figures[index] ?? 0] as const),
    ]);

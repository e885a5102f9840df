import type { Cell } from "../../core/cell.ts";
import { type CounterFold, type CounterRow, counterRowsOf, daySums } from "../../core/counter-fold.ts";
import { packLines } from "../../core/detail-lines.ts";
import { figureColumns } from "../../core/figures.ts";
import { addingToOffer, addingToWebsite, expectedOf, isKnown, surplusOf } from "../rate-sums.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import { rateRowsOf } from "../rows/rate-rows.ts";
import { counterKeys } from "../schema.ts";
import { addSums, type Row, recordset, rowsOf, type Written } from "./flush-statements.ts";
import { jsonRows, type Statement } from "./pipeline.ts";

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

/** A batch's rows. The order of texts is that of their bytes, by which other tables' rows are locked too. */
const given = `json_to_recordset($1::json) v(offer bigint, country text collate "C", placement bigint, website_id bigint,
  surface text collate "C", impressions bigint, clicks bigint)`;
const version = "pg_current_xact_id()::text::bigint";

/** What was clicked and expected on websites, by what is known of the offers so far. */
const addWebsites = `insert into website_rate (website_id, surface, clicks, expected_millionths, changed)
  select v.website_id, v.surface, sum(v.clicks), sum(v.impressions * (${expectedOf("known")})), ${version}
  from ${given} join rate_count known
    on known.offer = v.offer and known.country = v.country and known.placement = v.placement
  where ${isKnown("known")}
  group by v.website_id, v.surface order by v.website_id, v.surface
  ${addingToWebsite}`;

/** The offers' counts, by what is known of the websites now. */
const addOffers = `insert into rate_count (offer, country, placement, impressions, clicks, surplus_milli, changed)
  select v.offer, v.country, v.placement, sum(v.impressions), sum(v.clicks),
    sum(v.impressions * coalesce(${surplusOf("w")}, 0)), ${version}
  from ${given} left join website_rate w on w.website_id = v.website_id and w.surface = v.surface
  group by v.offer, v.country, v.placement order by v.offer, v.country, v.placement
  ${addingToOffer}`;

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
    const values = [jsonRows(rates.map(({ websiteId, ...row }) => ({ ...row, website_id: websiteId })))];
    statements.push(
      { name: "add_website_rates", text: addWebsites, values },
      { name: "add_rates", text: addOffers, values },
    );
  }
  return statements;
}

const rowOf =
  (keys: readonly string[]) =>
  ({ key, figures }: CounterRow): Row =>
    Object.fromEntries([
      ...keys.map((column, index) => [column, key[index] ?? 0] as const),
      ...figureColumns.map((column, index) => [column, figures[index] ?? 0] as const),
    ]);

import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold, type FoldedSum, sumOfUnkept } from "../../core/counter-fold.ts";
import { addLines, detailHours, unpackLines } from "../../core/detail-lines.ts";
import type { Cells } from "../journal/recording.ts";
import type { DetailDeltaTable, DetailTable, UnkeptEventTable } from "../schema.ts";
import { prepareCells } from "./cells.ts";
import { prepareReadEvery } from "./fact-rows.ts";

/** Prepares what adds sums to the lines of a table, inside a transaction. */
export function prepareAddingLines(
  sqlite: Sqlite,
  table: "detail" | "closed_detail",
  { cellOf }: Pick<Cells, "cellOf">,
): (sums: Iterable<FoldedSum>) => void {
  const read = sqlite
    .prepare<[number, number], DetailTable["lines"]>(
      `select lines from ${table} where website_id = +? and hour = +?`,
    )
    .pluck();
  const write = sqlite.prepare<[number, number, Uint8Array]>(
    `insert or replace into ${table} (website_id, hour, lines) values (?, ?, ?)`,
  );
  const remove = sqlite.prepare<[number, number]>(`delete from ${table} where website_id = +? and hour = +?`);
  return (sums) => {
    for (const { websiteId, hour, lines } of detailHours(sums, (cell) => cellOf(cell).websiteId)) {
      const settled = addLines(read.get(websiteId, hour) ?? null, lines);
      if (settled === null) remove.run(websiteId, hour);
      else write.run(websiteId, hour, settled);
    }
  };
}

/** Makes the lines of all facts, of which there are none: those of before there were lines. Inside a transaction. */
export function fillDetail(sqlite: Sqlite): void {
  const add = prepareAddingLines(sqlite, "detail", prepareCells(sqlite));
  for (const facts of prepareReadEvery(sqlite)()) {
    const fold = createCounterFold();
    for (const fact of facts) fold.add(fact, 1);
    add(fold.sums());
  }
  add(sqlite.prepare<[], UnkeptEventTable>("select * from unkept_event").all().map(sumOfUnkept));
}

/** What a row of waiting lines adds. */
export function sumsOf({ hour, lines }: Pick<DetailDeltaTable, "hour" | "lines">): FoldedSum[] {
  return [...unpackLines(lines)].map((line) => ({ ...line, hour }));
}

/** Adds the lines that wait to those that stand, and to no counters: those of before the counters waited with them. */
export function settleLines(sqlite: Sqlite): void {
  const add = prepareAddingLines(sqlite, "detail", prepareCells(sqlite));
  add(sqlite.prepare<[], DetailDeltaTable>("select hour, lines from detail_delta").all().flatMap(sumsOf));
  sqlite.exec("delete from detail_delta");
}

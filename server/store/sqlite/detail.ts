import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold, type FoldedSum, sumOfUnkept } from "../../core/counter-fold.ts";
import { addLines, detailHours, packLines, unpackLines } from "../../core/detail-lines.ts";
import type { Cells } from "../journal/recording.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import type { DetailDeltaTable, DetailTable, UnkeptEventTable } from "../schema.ts";
import { prepareCells } from "./cells.ts";
import { prepareReadEvery } from "./fact-rows.ts";

/** Whoever reads the lines adds about this many to them at the most, and a batch settles this many now and then. */
const mostLinesWaiting = 5000;

/**
 * Prepares what counts a batch's sums by offer, placement, region, device and hour, inside its transaction: as the counters
 * are, it is appended first, and added to what stands there when it has grown to `mostLinesWaiting`. An answer of
 * seven offers is seven lines, and they are one row.
 */
export function prepareDetail(
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): (sums: readonly FoldedSum[]) => void {
  const append = sqlite.prepare<[number, number, Uint8Array]>(
    "insert into detail_delta (number, hour, lines) select coalesce(max(number), 0) + ?, ?, ? from detail_delta",
  );
  const settle = prepareSettlingDetail(sqlite, cells);
  return (sums) => {
    let waits = 0;
    for (const [hour, lines] of linesByHour(sums)) {
      waits = Number(append.run(lines.length, hour, packLines(lines)).lastInsertRowid);
    }
    if (waits >= mostLinesWaiting) settle();
  };
}

/** Prepares what adds all that waits to the lines, inside a transaction. */
export function prepareSettlingDetail(sqlite: Sqlite, cells: Pick<Cells, "cellOf">): () => void {
  const waiting = sqlite.prepare<[], DetailDeltaTable>("select hour, lines from detail_delta");
  const forget = sqlite.prepare("delete from detail_delta");
  const settle = prepareSettling(sqlite, "detail", cells);
  return () => {
    settle(
      waiting.all().flatMap(({ hour, lines }) => [...unpackLines(lines)].map((line) => ({ ...line, hour }))),
    );
    forget.run();
  };
}

/** Makes the lines of all facts, of which there are none: those of before there were lines. Inside a transaction. */
export function fillDetail(sqlite: Sqlite): void {
  const settle = prepareSettling(sqlite, "detail", prepareCells(sqlite));
  for (const facts of prepareReadEvery(sqlite)()) {
    const fold = createCounterFold();
    for (const fact of facts) fold.add(fact, 1);
    settle(fold.sums());
  }
  settle(sqlite.prepare<[], UnkeptEventTable>("select * from unkept_event").all().map(sumOfUnkept));
}

/** Prepares what adds sums to the lines of a table, inside a transaction. */
export function prepareSettling(
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

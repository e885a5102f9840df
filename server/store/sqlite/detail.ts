import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold, type FoldedSum, sumOfUnkept } from "../../core/counter-fold.ts";
import { addLines, detailHours, packLines, unpackLines } from "../../core/detail-lines.ts";
import type { Cells } from "../journal/recording.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import type { DetailDeltaTable, DetailTable, UnkeptEventTable } from "../schema.ts";
import { prepareCells } from "./cells.ts";
import { prepareReadEvery } from "./fact-rows.ts";

/** Whoever reads the lines adds about this many to them at the most. */
export const mostLinesWaiting = 40_000;
/** Of how many websites a sorted row has the lines: to add them takes a few milliseconds, which a batch's callers wait. */
const websitesOfOneRow = 16;

/**
 * Prepares what counts a batch's sums by offer, placement, region, device and hour, inside its transaction: as the counters
 * are, it is appended first. An answer of seven offers is seven lines, and they are one row. A website's lines of an hour
 * are written whole whenever one is added, so they wait until there are many to add at once: then all that waits is sorted,
 * and the rows that this makes are settled a few with each batch, so that none has to wait for all of them. Rows with a
 * number of 0 and above are appended, those below are sorted.
 */
export function prepareDetail(
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): (sums: readonly FoldedSum[]) => void {
  const append = sqlite.prepare<[number, number, Uint8Array]>(
    "insert into detail_delta (number, hour, lines) select max(coalesce(max(number), 0), 0) + ?, ?, ? from detail_delta",
  );
  const firstSorted = sqlite.prepare<[], DetailDeltaTable>(
    "select number, hour, lines from detail_delta where number < 0 order by number desc limit 1",
  );
  const forget = sqlite.prepare<[number]>("delete from detail_delta where number = +?");
  const settle = prepareSettling(sqlite, "detail", cells);
  const sort = prepareSorting(sqlite, cells);
  /** Twice what a batch has added, so that nothing is left before there is as much again. */
  const settleSome = (added: number): boolean => {
    let settled = 0;
    while (settled <= 2 * added) {
      const row = firstSorted.get();
      if (row === undefined) return settled > 0;
      const sums = sumsOf(row);
      settle(sums);
      forget.run(row.number);
      settled += sums.length;
    }
    return true;
  };
  return (sums) => {
    let waits = 0;
    let added = 0;
    for (const [hour, lines] of linesByHour(sums)) {
      waits = Number(append.run(lines.length, hour, packLines(lines)).lastInsertRowid);
      added += lines.length;
    }
    if (!settleSome(added) && waits >= mostLinesWaiting) sort();
  };
}

/** Prepares what puts the rows that wait in the order in which lines are settled: by website, each with its hour. */
const prepareSorting = (sqlite: Sqlite, { cellOf }: Pick<Cells, "cellOf">): (() => void) => {
  const waiting = sqlite.prepare<[], DetailDeltaTable>("select number, hour, lines from detail_delta");
  const forget = sqlite.prepare("delete from detail_delta");
  const write = sqlite.prepare<[number, number, Uint8Array]>(
    "insert into detail_delta (number, hour, lines) values (?, ?, ?)",
  );
  return () => {
    const hours = Map.groupBy(
      detailHours(waiting.all().flatMap(sumsOf), (cell) => cellOf(cell).websiteId),
      ({ hour }) => hour,
    );
    forget.run();
    let number = -1;
    for (const [hour, websites] of hours) {
      for (let from = 0; from < websites.length; from += websitesOfOneRow) {
        const lines = websites.slice(from, from + websitesOfOneRow).flatMap((website) => website.lines);
        const sorted = addLines(null, lines);
        if (sorted === null) continue;
        write.run(number, hour, sorted);
        number -= 1;
      }
    }
  };
};

const sumsOf = ({ hour, lines }: Pick<DetailDeltaTable, "hour" | "lines">): FoldedSum[] =>
  [...unpackLines(lines)].map((line) => ({ ...line, hour }));

/** Prepares what adds all that waits to the lines, inside a transaction. */
export function prepareSettlingDetail(sqlite: Sqlite, cells: Pick<Cells, "cellOf">): () => void {
  const waiting = sqlite.prepare<[], DetailDeltaTable>("select hour, lines from detail_delta");
  const forget = sqlite.prepare("delete from detail_delta");
  const settle = prepareSettling(sqlite, "detail", cells);
  return () => {
    settle(waiting.all().flatMap(sumsOf));
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

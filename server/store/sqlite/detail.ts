import type { Database as Sqlite } from "better-sqlite3";
import { createCounterFold, type FoldedSum, sumOfUnkept } from "../../core/counter-fold.ts";
import { addLines, detailHours, packLines, unpackLines } from "../../core/detail-lines.ts";
import type { Cells } from "../journal/recording.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import type { DetailDeltaTable, DetailTable, UnkeptEventTable } from "../schema.ts";
import { prepareCells } from "./cells.ts";
import { prepareReadEvery } from "./fact-rows.ts";

/** So many lines are sorted at once: that takes some milliseconds, which a batch's callers wait. */
export const linesOfRun = 2500;
/** Websites are settled by so many portions, each with the lines of this many runs. */
const portions = 256;
export const runsOfRound = 16;
/** So many lines has a portion when its turn comes, if all have as many; one with more in a single run is not kept waiting. */
const linesOfPortion = (linesOfRun * runsOfRound) / portions;
/** More rows than a portion ever has. */
const portionSpan = 2 ** 20;

const portionOf = (websiteId: number): number => websiteId % portions;

/**
 * Prepares what counts a batch's sums by offer, placement, region, device and hour, inside its transaction: as the counters
 * are, it is appended first. An answer of seven offers is seven lines, and they are one row. A website's lines of an hour
 * are written whole whenever one is added, so they wait until there are many to add at once. Nothing of it may hold up a
 * batch for long: what was appended is sorted every 2,500 lines, by portions of the websites, and a few portions are settled
 * after each sorting, one or two with each batch, so that each has had its turn after sixteen. Some 40,000 lines wait at the
 * most, which whoever reads adds. Rows with a number of 0 and above are appended; those below are sorted, and each portion has
 * numbers of its own.
 */
export function prepareDetail(
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): (sums: readonly FoldedSum[]) => void {
  const append = sqlite.prepare<[number, number, Uint8Array]>(
    "insert into detail_delta (number, hour, lines) select max(coalesce(max(number), 0), 0) + ?, ?, ? from detail_delta",
  );
  const sort = prepareSorting(sqlite, cells);
  const settlePortion = prepareSettlingPortion(sqlite, cells);
  // If the transaction is undone, what it settled waits for its next turn.
  const due = new Set<number>();
  // A process that never lives for a round goes on where most is left.
  let turn = fullestPortion(sqlite);
  /** Twice what a batch has added, so that nothing is left before there is as much again. */
  const settleDue = (added: number): void => {
    let settled = 0;
    for (const portion of due) {
      due.delete(portion);
      settled += settlePortion(portion);
      if (settled > 2 * added) return;
    }
  };
  return (sums) => {
    let waits = 0;
    let added = 0;
    for (const [hour, lines] of linesByHour(sums)) {
      waits = Number(append.run(lines.length, hour, packLines(lines)).lastInsertRowid);
      added += lines.length;
    }
    settleDue(added);
    if (waits < linesOfRun) return;
    for (const portion of sort()) due.add(portion);
    for (let next = 0; next < portions / runsOfRound; next += 1) {
      due.add(turn);
      turn = (turn + 1) % portions;
    }
  };
}

/** The portion that waits with the most sorted rows. */
const fullestPortion = (sqlite: Sqlite): number =>
  sqlite
    .prepare<[], number>(
      `select -(number + 1) / ${portionSpan} as portion from detail_delta where number < 0
       group by portion order by count(*) desc, portion limit 1`,
    )
    .pluck()
    .get() ?? 0;

/** Prepares what sorts the appended rows by portions. It returns the portions that get many lines by that alone. */
const prepareSorting = (sqlite: Sqlite, { cellOf }: Pick<Cells, "cellOf">): (() => number[]) => {
  const waiting = sqlite.prepare<[], DetailDeltaTable>(
    "select number, hour, lines from detail_delta where number >= 0",
  );
  const forget = sqlite.prepare("delete from detail_delta where number >= 0");
  const write = sqlite.prepare<[number, number, Uint8Array, number, number]>(
    `insert into detail_delta (number, hour, lines)
     select coalesce(min(number), +?) - 1, ?, ? from detail_delta where number between +? and +?`,
  );
  return () => {
    const sums = waiting.all().flatMap(sumsOf);
    forget.run();
    const large: number[] = [];
    for (const [portion, own] of Map.groupBy(sums, ({ cell }) => portionOf(cellOf(cell).websiteId))) {
      if (own.length >= linesOfPortion) large.push(portion);
      for (const [hour, lines] of Map.groupBy(own, (sum) => sum.hour)) {
        const sorted = addLines(null, lines);
        if (sorted === null) continue;
        const { from, to } = numbersOf(portion);
        write.run(to + 1, hour, sorted, from, to);
      }
    }
    return large;
  };
};

/** The numbers of a portion's rows. */
const numbersOf = (portion: number): { from: number; to: number } => ({
  from: -(portion + 1) * portionSpan,
  to: -portion * portionSpan - 1,
});

/** Prepares what adds all that is sorted of a portion to its websites' lines, and returns how many lines that were. */
const prepareSettlingPortion = (
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): ((portion: number) => number) => {
  const sorted = sqlite.prepare<[number, number], DetailDeltaTable>(
    "select number, hour, lines from detail_delta where number between +? and +?",
  );
  const forget = sqlite.prepare<[number, number]>("delete from detail_delta where number between +? and +?");
  const settle = prepareSettling(sqlite, "detail", cells);
  return (portion) => {
    const { from, to } = numbersOf(portion);
    const sums = sorted.all(from, to).flatMap(sumsOf);
    if (sums.length === 0) return 0;
    settle(sums);
    forget.run(from, to);
    return sums.length;
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

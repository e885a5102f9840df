import type { Database as Sqlite } from "better-sqlite3";
import type { FoldedSum } from "../../core/counter-fold.ts";
import { addLines, packLines } from "../../core/detail-lines.ts";
import { numbersOf, portionOf, portionSpan, portions } from "../../core/detail-portions.ts";
import type { Cells } from "../journal/recording.ts";
import { linesByHour } from "../rows/lines-by-hour.ts";
import type { DetailDeltaTable } from "../schema.ts";
import { prepareAddingCounters } from "./counters.ts";
import { prepareAddingLines, sumsOf } from "./detail.ts";

/** So many lines are sorted at once: that takes some milliseconds, which a batch's callers wait. */
export const linesOfRun = 2500;
/** A portion of the websites is settled with the lines of so many runs, or of fewer where large batches make longer ones. */
export const runsOfRound = 8;
/**
 * So many lines has a portion when its turn comes, if all have as many; one with more in a single run is not kept waiting. A
 * run makes a portion due for each time that it has as many, so that a round has 20,000 whatever the length of its runs.
 */
const linesOfPortion = (linesOfRun * runsOfRound) / portions;

/**
 * Prepares what counts a batch's sums, inside its transaction. Events of a batch touch nearly as many pages of the counters and
 * of the lines by hour as there are events, and each page that is touched is written whole. So what a batch adds is appended
 * first, as a row, and is added to all of these tables when much of it has come together. Nothing of it may hold up a batch for
 * long: what was appended is sorted every 2,500 lines, by portions of the websites, and a few portions are settled after each
 * sorting, one or two with each batch, so that each has had its turn after 20,000 lines. Some 20,000 wait at the most, which
 * whoever reads adds: the tables and what waits are always what the facts add up to, whichever process wrote them. Rows with a
 * number of 0 and above are appended; those below are sorted, and each portion has numbers of its own.
 */
export function prepareWaitingSums(
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
    for (let next = 0; next < waits / linesOfPortion; next += 1) {
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

/** Prepares what settles all that is sorted of a portion, and returns how many lines that were. */
const prepareSettlingPortion = (
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): ((portion: number) => number) => {
  const sorted = sqlite.prepare<[number, number], DetailDeltaTable>(
    "select number, hour, lines from detail_delta where number between +? and +?",
  );
  const forget = sqlite.prepare<[number, number]>("delete from detail_delta where number between +? and +?");
  const add = prepareAddingSums(sqlite, cells);
  return (portion) => {
    const { from, to } = numbersOf(portion);
    const sums = sorted.all(from, to).flatMap(sumsOf);
    if (sums.length === 0) return 0;
    add(sums);
    forget.run(from, to);
    return sums.length;
  };
};

/** Prepares what settles all that waits, inside a transaction. */
export function prepareSettlingAll(sqlite: Sqlite, cells: Pick<Cells, "cellOf">): () => void {
  const waiting = sqlite.prepare<[], DetailDeltaTable>("select hour, lines from detail_delta");
  const forget = sqlite.prepare("delete from detail_delta");
  const add = prepareAddingSums(sqlite, cells);
  return () => {
    add(waiting.all().flatMap(sumsOf));
    forget.run();
  };
}

/** Prepares what adds sums to the tables that reports read, inside a transaction: none of them waits. */
export function prepareAddingSums(
  sqlite: Sqlite,
  cells: Pick<Cells, "cellOf">,
): (sums: readonly FoldedSum[]) => void {
  const adding = [prepareAddingLines(sqlite, "detail", cells), prepareAddingCounters(sqlite, cells)];
  return (sums) => {
    for (const add of adding) add(sums);
  };
}

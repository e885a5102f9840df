import type { Cell } from "./cell.ts";
import { sumExactly, type Whole } from "./exact-sum.ts";
import { type CountedFact, countFact } from "./fact.ts";
import { figures } from "./figures.ts";

/** What facts add to the counters: each touched cell is written once, whatever the number of its events. */
export type CounterFold = {
  /** Counts a fact in (1), or out again (-1) before it changes or goes. */
  add(fact: CountedFact, sign: 1 | -1): void;
  /** Takes over what another fold holds of a cell's day. */
  addSum(sum: FoldedSum): void;
  sums(): Iterable<FoldedSum>;
};

/** What the events of one cell on one UTC day (its number) add to each of the `figures`, in their order. */
export type FoldedSum = { cell: number; day: number; figures: Whole[] };

/** Events of one cell's day that were refused and have no fact. */
export type UnkeptEvents = { cell: number; day: number; events: number };

/** What they add to the counters. */
export function sumOfUnkept({ cell, day, events }: UnkeptEvents): FoldedSum {
  return { cell, day, figures: figures.map(({ name }) => (name === "filtered" ? events : 0)) };
}

/** An empty fold. */
export function createCounterFold(): CounterFold {
  const sums = new Map<number, FoldedSum>();
  const sumOf = (cell: number, day: number): FoldedSum => {
    const key = cell * mostDays + day;
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = { cell, day, figures: figures.map(() => 0) };
      sums.set(key, sum);
    }
    return sum;
  };
  return {
    add: (fact, sign) =>
      countFact(fact, (cell, day, event) => {
        const sum = sumOf(cell, day).figures;
        figures.forEach(({ of }, index) => {
          sum[index] = sumExactly(sum[index] ?? 0, sign * of(event));
        });
      }),
    addSum: ({ cell, day, figures }) => addTo(sumOf(cell, day).figures, figures),
    sums: () => sums.values(),
  };
}

/** What a fold adds to one row of a counter table: the row's key in the order of its columns, then the figures. */
export type CounterRow = { key: (string | number)[]; figures: Whole[] };

export type CounterRows = {
  counter: CounterRow[];
  counter_day: CounterRow[];
  counter_publisher: CounterRow[];
};

/**
 * Adds a fold up to the rows of the three counter tables, leaving out what comes to nothing. A counter's foreseen
 * dimensions are left out of its key, which has a cell's region no more.
 */
export function counterRowsOf(
  fold: CounterFold,
  { cellOf, publisherOf }: { cellOf: (cell: number) => Cell; publisherOf: (websiteId: number) => number },
): CounterRows {
  const tables = { counter: createRows(), counter_day: createRows(), counter_publisher: createRows() };
  for (const { cell, day, figures: added } of fold.sums()) {
    // A fact that was counted out and in again leaves nothing to write.
    if (added.every((figure) => figure === 0)) continue;
    const { websiteId, country, vertical, surface, test, currency } = cellOf(cell);
    const rest = [vertical, surface, test ? 1 : 0, currency];
    tables.counter.add([websiteId, day, country, ...rest], added);
    tables.counter_day.add([websiteId, day, ...rest], added);
    tables.counter_publisher.add([publisherOf(websiteId), day, country, ...rest], added);
  }
  return {
    counter: tables.counter.rows(),
    counter_day: tables.counter_day.rows(),
    counter_publisher: tables.counter_publisher.rows(),
  };
}

/** More than the UTC days until the year 9999. */
const mostDays = 4_000_000;

const createRows = () => {
  const rows = new Map<string, CounterRow>();
  return {
    add: (key: (string | number)[], added: readonly Whole[]) => {
      const text = key.join("\n");
      const row = rows.get(text);
      if (row === undefined) rows.set(text, { key, figures: [...added] });
      else addTo(row.figures, added);
    },
    rows: () => [...rows.values()],
  };
};

const addTo = (sums: Whole[], added: readonly Whole[]): void => {
  added.forEach((figure, index) => {
    sums[index] = sumExactly(sums[index] ?? 0, figure);
  });
};

import type { Cell } from "./cell.ts";
import { type RatedPlacement, ratedPlacements } from "./click-rates.ts";
import { sumExactly, type Whole } from "./exact-sum.ts";
import { type CountedFact, countFact, type EventPlace, factTypes } from "./fact.ts";
import { figures } from "./figures.ts";
import { dayOfHour } from "./utc-day.ts";

/** What facts add to what reports read: each touched place is written once, whatever the number of its events. */
export type CounterFold = {
  /** Counts a fact in (1), or out again (-1) before it changes or goes. */
  add(fact: CountedFact, sign: 1 | -1): void;
  /** Takes over all that another fold holds. */
  addAll(fold: CounterFold): void;
  /** Takes over what is to be added to a place. */
  addSum(sum: FoldedSum): void;
  /** What it adds to each place, without those to which it adds nothing. */
  sums(): readonly FoldedSum[];
  /** What the facts add to what click rates are made of. */
  rateSums(): Iterable<RateSum>;
};

/** What the events of an offer in one cell and one place of the answer add to its counted impressions and clicks. */
export type RateSum = {
  offer: number;
  cell: number;
  placement: RatedPlacement;
  impressions: number;
  clicks: number;
};

/** What the events of one place add to each of the `figures`, in their order. */
export type FoldedSum = EventPlace & { figures: Whole[] };

/** The same of all places of a cell on one UTC day (its number). */
export type DaySum = { cell: number; day: number; figures: Whole[] };

/** Events of one place that were refused and have no fact. */
export type UnkeptEvents = EventPlace & { events: number };

/** What they add to the counters. */
export function sumOfUnkept({ cell, hour, offer, placement, events }: UnkeptEvents): FoldedSum {
  const counted = figures.map(({ name }) => (name === "filtered" ? events : 0));
  return { cell, hour, offer, placement, figures: counted };
}

/** An empty fold. */
export function createCounterFold(): CounterFold {
  const sums = new Map<string, FoldedSum>();
  const figuresOf = ({ cell, hour, offer, placement }: EventPlace): Whole[] => {
    const key = `${cell} ${hour} ${offer} ${placement}`;
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = { cell, hour, offer, placement, figures: figures.map(() => 0) };
      sums.set(key, sum);
    }
    return sum.figures;
  };
  const rates = new Map<string, RateSum>();
  const addRate = ({ offer, cell, placement, impressions, clicks }: RateSum): void => {
    const key = `${offer} ${cell} ${placement}`;
    const sum = rates.get(key);
    if (sum === undefined) {
      rates.set(key, { offer, cell, placement, impressions, clicks });
    } else {
      sum.impressions += impressions;
      sum.clicks += clicks;
    }
  };
  const addSum: CounterFold["addSum"] = (sum) => addSums(figuresOf(sum), sum.figures);
  return {
    add: (fact, sign) => {
      countFact(fact, (place, event) => {
        const sum = figuresOf(place);
        figures.forEach(({ of }, index) => {
          sum[index] = sumExactly(sum[index] ?? 0, sign * of(event));
        });
      });
      const rate = rateOf(fact, sign);
      if (rate !== null) addRate(rate);
    },
    addAll: (fold) => {
      for (const sum of fold.sums()) addSum(sum);
      for (const rate of fold.rateSums()) addRate(rate);
    },
    addSum,
    // A fact that was counted out and in again leaves nothing to write.
    sums: () => [...sums.values()].filter(({ figures }) => !isNothing(figures)),
    rateSums: () => rates.values(),
  };
}

/**
 * What a fact adds to the click rates: a counted impression or click of an offer that stood in a place. A click that is
 * reported and not followed adds none: it meets no limit of billing, and rates decide over all publishers' offers.
 */
function rateOf({ type, offer, cell, placement, reason, hopAt }: CountedFact, sign: 1 | -1): RateSum | null {
  const place = ratedPlacements.find((rated) => rated === placement);
  if (place === undefined || offer === 0 || reason !== null) return null;
  if (type === factTypes.impression) return { offer, cell, placement: place, impressions: sign, clicks: 0 };
  if (type === factTypes.click && hopAt !== null) {
    return { offer, cell, placement: place, impressions: 0, clicks: sign };
  }
  return null;
}

/** Adds numbers to sums in their places, exactly. */
export function addSums(sums: Whole[], added: readonly Whole[]): void {
  for (const [index, figure] of added.entries()) {
    if (figure !== 0) sums[index] = sumExactly(sums[index] ?? 0, figure);
  }
}

/** Adds sums up by cell and UTC day. */
export function daySums(sums: Iterable<FoldedSum>): DaySum[] {
  const days = new Map<number, DaySum>();
  for (const { cell, hour, figures: added } of sums) {
    const day = dayOfHour(hour);
    const key = cell * mostDays + day;
    const sum = days.get(key);
    if (sum === undefined) days.set(key, { cell, day, figures: [...added] });
    else addSums(sum.figures, added);
  }
  return [...days.values()].filter(({ figures }) => !isNothing(figures));
}

/** What sums add to one row of a counter table: the row's key in the order of its columns, then the figures. */
export type CounterRow = { key: (string | number)[]; figures: Whole[] };

export type CounterRows = {
  counter: CounterRow[];
  counter_day: CounterRow[];
  counter_publisher: CounterRow[];
};

/** Adds sums up to the rows of the three counter tables, in which a cell's region and device are not told apart. */
export function counterRowsOf(
  sums: Iterable<DaySum>,
  { cellOf, publisherOf }: { cellOf: (cell: number) => Cell; publisherOf: (websiteId: number) => number },
): CounterRows {
  const tables = { counter: createRows(), counter_day: createRows(), counter_publisher: createRows() };
  for (const { cell, day, figures: added } of sums) {
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
      else addSums(row.figures, added);
    },
    rows: () => [...rows.values()],
  };
};

const isNothing = (sums: readonly Whole[]): boolean => sums.every((figure) => figure === 0);

import { describe, expect, test } from "vitest";
import { sumExactly, type Whole } from "./exact-sum.ts";
import { currencyRows, type InCurrency, totalsOf } from "./report-currencies.ts";

/** What is counted at the prices of one currency, `""` where there is none: what was blocked, clicked and spent. */
type Counted = [currency: string | null, blocked: Whole, clicks: Whole, spend: Whole];

const rowOf = ([currency, blocked, clicks, spend_micros]: Counted): InCurrency => ({
  currency,
  blocked,
  // What is counted beside these is to be added up as they are.
  served: blocked,
  impressions: clicks,
  clicks,
  billable_clicks: spend_micros === 0 ? 0 : 1,
  spend_micros,
  filtered: blocked,
  drawn: clicks,
  // Whoever adds up the one is to add up the other.
  earned_micros: spend_micros,
});
const told = ({ currency, blocked, clicks, spend_micros }: InCurrency): Counted => [
  currency,
  blocked,
  clicks,
  spend_micros,
];

const besides = ([, blocked, clicks, spend]: Counted): Partial<InCurrency> => ({
  ...{ served: blocked, filtered: blocked, impressions: clicks, drawn: clicks, earned_micros: spend },
});

describe("the rows of one place", () => {
  test.each<[string, Counted[], Counted[]]>([
    ["none of nothing", [], []],
    ["one of the currency in which money moved", [["EUR", 0, 2, 50]], [["EUR", 0, 2, 50]]],
    ["a micro-unit being money", [["EUR", 0, 1, 1]], [["EUR", 0, 1, 1]]],
    ["one of null where none did", [["EUR", 0, 2, 0]], [[null, 0, 2, 0]]],
    ["one of null for what has no price", [["", 3, 0, 0]], [[null, 3, 0, 0]]],
    [
      "one with all that is counted, as long as money moved in one",
      [
        ["", 3, 0, 0],
        ["EUR", 0, 2, 50],
        ["JPY", 0, 4, 0],
      ],
      [["EUR", 3, 6, 50]],
    ],
    [
      "one of null for several prices that nobody paid",
      [
        ["EUR", 0, 2, 0],
        ["JPY", 1, 4, 0],
      ],
      [[null, 1, 6, 0]],
    ],
    [
      "one for each currency in which money moved, in the order of the codes",
      [
        ["KWD", 0, 1, 7],
        ["EUR", 0, 2, 50],
        ["JPY", 0, 4, 900],
      ],
      [
        ["EUR", 0, 2, 50],
        ["JPY", 0, 4, 900],
        ["KWD", 0, 1, 7],
      ],
    ],
    [
      "and one of null behind them for all else",
      [
        ["", 3, 0, 0],
        ["JPY", 0, 4, 900],
        ["USD", 1, 8, 0],
        ["EUR", 0, 2, 50],
      ],
      [
        ["EUR", 0, 2, 50],
        ["JPY", 0, 4, 900],
        [null, 4, 8, 0],
      ],
    ],
  ])("are %s", (_, counted, rows) => {
    const found = currencyRows(counted.map(rowOf));
    expect(found.map(told)).toEqual(rows);
    expect(found).toMatchObject(rows.map(besides));
  });
});

describe("the sums of rows", () => {
  test.each<[string, Counted[], InCurrency["spend_micros"] | null, Counted[]]>([
    ["nothing", [], 0, []],
    [
      "money of one currency, and what cost nothing",
      [
        ["EUR", 1, 1, 50],
        [null, 2, 0, 0],
        ["EUR", 0, 3, 1],
      ],
      51,
      [
        ["EUR", 1, 4, 51],
        [null, 2, 0, 0],
      ],
    ],
    ["no money at all", [[null, 2, 1, 0]], 0, [[null, 2, 1, 0]]],
    [
      "no money of two currencies",
      [
        [null, 2, 0, 0],
        ["JPY", 0, 4, 900],
        ["EUR", 1, 1, 50],
      ],
      null,
      [
        ["EUR", 1, 1, 50],
        ["JPY", 0, 4, 900],
        [null, 2, 0, 0],
      ],
    ],
    [
      "more than a number holds exactly",
      [
        ["EUR", 0, 1, Number.MAX_SAFE_INTEGER],
        ["EUR", 0, 1, 2],
      ],
      9_007_199_254_740_993n,
      [["EUR", 0, 2, 9_007_199_254_740_993n]],
    ],
  ])("add up %s", (_, rows, spend, byCurrency) => {
    const { totals, totalsByCurrency } = totalsOf(rows.map(rowOf));
    expect([totals.spend_micros, totals.earned_micros]).toEqual([spend, spend]);
    expect(totals).not.toHaveProperty("currency");
    const sum = (at: 1 | 2) => rows.reduce<Whole>((all, row) => sumExactly(all, row[at]), 0);
    expect([totals.blocked, totals.clicks]).toEqual([sum(1), sum(2)]);
    const paid = rows.filter(([, , , cost]) => cost !== 0).length;
    expect(totals).toMatchObject({ served: sum(1), filtered: sum(1), impressions: sum(2), drawn: sum(2) });
    expect(totals.billable_clicks).toBe(paid);
    expect(totalsByCurrency.map(told)).toEqual(byCurrency);
    expect(totalsByCurrency).toMatchObject(byCurrency.map(besides));
  });
});

import { describe, expect, test } from "vitest";
import { sumExactly, type Whole } from "./exact-sum.ts";
import { currencyRows, type InCurrency, totalsOf } from "./report-currencies.ts";

/** What is counted at the prices of one currency, `""` where there is none: what was blocked, clicked and spent. */
type Counted = [currency: string | null, blocked: Whole, clicks: Whole, spend: Whole];

const rowOf = ([currency, blocked, clicks, spend_micros]: Counted): InCurrency => ({
  currency,
  blocked,
  served: 0,
  impressions: 0,
  clicks,
  billable_clicks: spend_micros === 0 ? 0 : 1,
  spend_micros,
  filtered: 0,
  drawn: 0,
  // Whoever adds up the one is to add up the other.
  earned_micros: spend_micros,
});
const told = ({ currency, blocked, clicks, spend_micros }: InCurrency): Counted => [
  currency,
  blocked,
  clicks,
  spend_micros,
];

describe("the rows of one place", () => {
  test.each<[string, Counted[], Counted[]]>([
    ["none of nothing", [], []],
    ["one of the currency in which money moved", [["EUR", 0, 2, 50]], [["EUR", 0, 2, 50]]],
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
    expect(currencyRows(counted.map(rowOf)).map(told)).toEqual(rows);
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
    for (const { spend_micros, earned_micros } of totalsByCurrency) expect(earned_micros).toBe(spend_micros);
    expect(totals).not.toHaveProperty("currency");
    const sum = (at: 1 | 2) => rows.reduce<Whole>((all, row) => sumExactly(all, row[at]), 0);
    expect([totals.blocked, totals.clicks]).toEqual([sum(1), sum(2)]);
    expect(totalsByCurrency.map(told)).toEqual(byCurrency);
  });
});

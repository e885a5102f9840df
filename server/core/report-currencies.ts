import { sumExactly, type Whole } from "./exact-sum.ts";
import type { FigureColumn, MoneyColumn } from "./figures.ts";

type Figures = Record<FigureColumn, Whole>;

/** What is counted in one currency: ISO 4217, null for all that has cost nothing. */
export type InCurrency = Figures & { currency: string | null };

/** The sums of a report's rows; money is null where it would add up several currencies. */
export type ReportTotals = Omit<Figures, MoneyColumn> & Record<MoneyColumn, Whole | null>;

/**
 * The rows of one place of a report (decisions.md#money-by-currency). A place is one row, of the currency in which money
 * moved or of null, unless money moved there in several: then each has a row with all that is counted at its prices, in
 * the order of their codes, and what is left has a row of null behind them. Nothing is counted twice, or left out.
 * @param counted what is counted in the place, once for each currency of a price, and once for what has none. The rows
 *   are made of these very objects.
 */
export function currencyRows<Row extends InCurrency>(counted: readonly Row[]): Row[] {
  const paid = counted.filter(isPaid);
  if (paid.length < 2) return oneRow(counted, paid[0]?.currency ?? null);
  const unpaid = counted.filter((one) => !isPaid(one));
  return [...paid.sort(byCurrency), ...oneRow(unpaid, null)];
}

/** The sums of a report's rows: of all, and of those of each currency in the order of the codes, null at the end. */
export function totalsOf(rows: readonly InCurrency[]): {
  totals: ReportTotals;
  totalsByCurrency: InCurrency[];
} {
  const sums = new Map<string | null, InCurrency>();
  for (const row of rows) {
    let sum = sums.get(row.currency);
    if (sum === undefined) {
      sum = { ...nothing, currency: row.currency };
      sums.set(row.currency, sum);
    }
    addTo(sum, row);
  }
  const totalsByCurrency = [...sums.values()].sort(byCurrency);
  const totals = { ...nothing };
  for (const sum of totalsByCurrency) addTo(totals, sum);
  const currencies = totalsByCurrency.filter(({ currency }) => currency !== null).length;
  const several = { ...totals, spend_micros: null, earned_micros: null };
  return { totals: currencies > 1 ? several : totals, totalsByCurrency };
}

/**
 * Adds figures to those of a row, exactly. Each is named and nothing is made, for a report of thousands of rows comes here
 * with all of them.
 */
export function addTo(row: Figures, added: Figures): void {
  row.blocked = sumExactly(row.blocked, added.blocked);
  row.served = sumExactly(row.served, added.served);
  row.impressions = sumExactly(row.impressions, added.impressions);
  row.clicks = sumExactly(row.clicks, added.clicks);
  row.billable_clicks = sumExactly(row.billable_clicks, added.billable_clicks);
  row.spend_micros = sumExactly(row.spend_micros, added.spend_micros);
  row.filtered = sumExactly(row.filtered, added.filtered);
  row.drawn = sumExactly(row.drawn, added.drawn);
  row.earned_micros = sumExactly(row.earned_micros, added.earned_micros);
}

const nothing: Figures = {
  blocked: 0,
  served: 0,
  impressions: 0,
  clicks: 0,
  billable_clicks: 0,
  spend_micros: 0,
  filtered: 0,
  drawn: 0,
  earned_micros: 0,
};

const isPaid = ({ spend_micros }: InCurrency): boolean => spend_micros > 0;

const oneRow = <Row extends InCurrency>(
  [first, ...others]: readonly Row[],
  currency: string | null,
): Row[] => {
  if (first === undefined) return [];
  for (const other of others) addTo(first, other);
  first.currency = currency;
  return [first];
};

const byCurrency = (one: InCurrency, other: InCurrency): number => {
  if (one.currency === null || other.currency === null) return one.currency === null ? 1 : -1;
  return one.currency < other.currency ? -1 : 1;
};

import type { Report, Row, Totals, Whole } from "./api.ts";
import {
  formatCount,
  formatGrowth,
  formatMoney,
  formatPoints,
  formatShare,
  formatShort,
  majorUnits,
} from "./format.ts";
import { addDays, lengthOf, wholeDays } from "./ranges.ts";

/** The figures of the overview, in their order; each can be the chart's line. */
export const figureKeys = ["blocked", "seen", "clicks", "rate", "money"] as const;
export type FigureKey = (typeof figureKeys)[number];

/** In which currency money is shown, and whose it is: what a publisher earned, or what advertisers were billed. */
export type MoneyKind = { currency: string; of: "spend" | "earnings" };

export type Sums = {
  blocked: number;
  seen: number;
  clicks: number;
  /** Events that do not count. */
  filtered: number;
  /** Events that count, of all types; the mark that offers were drawn is none. */
  counted: number;
  /** Micro-units of one currency. */
  money: bigint;
};

type Summed = Totals & { currency: string | null };

/** Adds rows up; money of the one currency alone. */
export function addUp(rows: readonly Summed[], money: MoneyKind | null): Sums {
  const sums = { blocked: 0, seen: 0, clicks: 0, filtered: 0, counted: 0, money: 0n };
  for (const row of rows) {
    sums.blocked += row.blocked;
    sums.seen += row.impressions;
    sums.clicks += row.clicks;
    sums.filtered += row.filtered;
    sums.counted += row.blocked + row.served + row.impressions + row.clicks;
    if (money && row.currency === money.currency) sums.money += BigInt(row[money.of] ?? 0);
  }
  return sums;
}

/** Adds rows up by what they have in common. */
export function addUpBy(
  rows: readonly Row[],
  name: (row: Row) => string | undefined,
  money: MoneyKind | null,
): Map<string, Sums> {
  const groups = Map.groupBy(rows, (row) => name(row) ?? "");
  return new Map([...groups].map(([key, group]) => [key, addUp(group, money)]));
}

/**
 * What is compared of a report by day and of that of the period before: the days that are over, and as many before, since
 * a day that has only begun would be held against a whole one. Null where none is over.
 */
export function comparedSums(
  { now, before }: { now: Report; before: Report },
  money: MoneyKind | null,
  today: string,
): { now: Sums; before: Sums } | null {
  const whole = wholeDays(now, today);
  if (!whole) return null;
  const lastBefore = addDays(before.from, lengthOf(whole) - 1);
  const upTo = ({ items }: Report, last: string) =>
    addUp(
      items.filter(({ date = "" }) => date <= last),
      money,
    );
  return { now: upTo(now, whole.to), before: upTo(before, lastBefore) };
}

/**
 * The money that a report tells of: in the wanted currency if it has that one, else in its first. Null where none moved. A
 * publisher's is what it earned; that of an operator who looks at it what was billed, unless the report does not tell it.
 */
export function moneyOf(
  totalsByCurrency: readonly Summed[],
  wanted: string | undefined,
  isOperator: boolean,
): MoneyKind | null {
  const sums = totalsByCurrency.filter(({ currency }) => currency !== null);
  const sum = sums.find(({ currency }) => currency === wanted) ?? sums[0];
  if (!sum?.currency) return null;
  return { currency: sum.currency, of: isOperator && sum.spend !== null ? "spend" : "earnings" };
}

/** How a figure is called. */
export function figureName(key: FigureKey, money: MoneyKind | null): string {
  if (key === "money") return money?.of === "earnings" ? "Earned" : "Billed";
  return { blocked: "Blocked visits", seen: "Offers seen", clicks: "Clicks", rate: "Click rate" }[key];
}

/** A figure as a number that a line can be drawn through; null: it is none, as a rate where nothing was seen. */
export function sizeOf(key: FigureKey, sums: Sums): number | null {
  if (key === "rate") return sums.seen === 0 ? null : sums.clicks / sums.seen;
  return key === "money" ? Number(majorUnits(sums.money)) : sums[key];
}

/** A figure in all its digits. */
export function figureText(key: FigureKey, sums: Sums, money: MoneyKind | null): string {
  if (key === "rate") return formatShare(sums.clicks, sums.seen);
  if (key !== "money") return formatCount(sums[key]);
  return money ? formatMoney(sums.money, money.currency) : "–";
}

/** A number at a line of the chart. */
export function axisText(key: FigureKey, value: number): string {
  return key === "rate" ? formatShare(value, 1, value < 0.01 && value > 0 ? 2 : 1) : formatShort(value);
}

/** By how much a figure changed since the period before: in percent, or a share in points; null where nothing was before. */
export function changeText(key: FigureKey, now: Sums, before: Sums): string | null {
  const [size, sizeBefore] = [sizeOf(key, now), sizeOf(key, before)];
  if (size === null || sizeBefore === null) return null;
  return key === "rate" ? formatPoints(size, sizeBefore) : formatGrowth(size, sizeBefore);
}

/** Whether a report tells of no event at all. */
export function isEmpty(totals: Totals): boolean {
  const all: Whole[] = [totals.blocked, totals.served, totals.impressions, totals.clicks, totals.filtered];
  return all.every((count) => Number(count) === 0);
}

import type { ReportAnswer } from "@offers/contract/reports";
import type { CountedType } from "@offers/contract/words";
import type { Whole } from "./exact-sum.ts";

/** One event as the counters see it. */
export type CountableEvent = {
  type: CountedType;
  /** Stored with a reason against it: it counts as filtered and as nothing else. */
  isFiltered: boolean;
  /** Whole micro-units; null: nothing was billed. */
  billedMicros: number | null;
  /** What the publisher earns of them; null like them. */
  earnedMicros: number | null;
};

/** A number that a report has in every row. */
type Figure = {
  /** On the wire. */
  name: keyof ReportAnswer["totals"];
  /** In the counter tables. */
  column: string;
  /** How much one event adds to it. */
  of: (event: CountableEvent) => number;
};

/** Every figure of a report, in the order of its columns: what is called how, and what counts into it. */
export const figures = [
  { name: "blocked", column: "blocked", of: (event) => countOf(event, "blocked") },
  { name: "served", column: "served", of: (event) => countOf(event, "served") },
  { name: "impressions", column: "impressions", of: (event) => countOf(event, "impression") },
  { name: "clicks", column: "clicks", of: (event) => countOf(event, "click") },
  {
    name: "billableClicks",
    column: "billable_clicks",
    of: ({ type, billedMicros }) => (type === "click" && billedMicros !== null ? 1 : 0),
  },
  { name: "spend", column: "spend_micros", of: ({ billedMicros }) => billedMicros ?? 0 },
  { name: "filtered", column: "filtered", of: ({ isFiltered }) => (isFiltered ? 1 : 0) },
  { name: "drawn", column: "drawn", of: (event) => countOf(event, "drawn") },
  { name: "earnings", column: "earned_micros", of: ({ earnedMicros }) => earnedMicros ?? 0 },
] as const satisfies readonly Figure[];

export type FigureName = (typeof figures)[number]["name"];
export type FigureColumn = (typeof figures)[number]["column"];

export const figureColumns: readonly FigureColumn[] = figures.map(({ column }) => column);

/** Numbers in the order of the figures, by their columns. */
export function byColumn(sums: readonly Whole[]): Record<FigureColumn, Whole> {
  return Object.fromEntries(figureColumns.map((column, index) => [column, sums[index] ?? 0])) as Record<
    FigureColumn,
    Whole
  >;
}

const moneyColumns = ["spend_micros", "earned_micros"] as const satisfies readonly FigureColumn[];
export type MoneyColumn = (typeof moneyColumns)[number];

/** Whether a figure is an amount of money, which is added up within one currency alone. */
export function isMoney(column: FigureColumn): column is MoneyColumn {
  return moneyColumns.some((money) => money === column);
}

/** The figure that counts a type's own events. */
export const figureOfType = {
  blocked: "blocked",
  served: "served",
  impression: "impressions",
  click: "clicks",
  drawn: "drawn",
} as const satisfies Record<CountedType, FigureName>;

function countOf(event: CountableEvent, type: CountedType): number {
  return event.type === type && !event.isFiltered ? 1 : 0;
}

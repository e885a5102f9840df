import type { CounterTable } from "./schema.ts";

/** What a cell of the counters counts. */
export const counts = [
  "blocked",
  "served",
  "impressions",
  "clicks",
  "billable_clicks",
  "spend_micros",
  "filtered",
] as const satisfies readonly (keyof CounterTable)[];

export type Count = (typeof counts)[number];

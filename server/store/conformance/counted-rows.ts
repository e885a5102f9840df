import { figureColumns } from "../../core/figures.ts";

const dimensions = ["website_id", "day", "country", "vertical", "surface", "test", "currency"];
const sums = figureColumns.map((column) => `sum(${column}) as ${column}`);
const waiting = dimensions.map((column) => (column === "day" ? "counter_delta.day" : `cell.${column}`));

/** Every counter that is not 0 with what waits to be added to it: a query for any engine. */
export const countedRows = `
  select ${[...dimensions, ...sums].join(", ")} from (
    select ${[...dimensions, ...figureColumns].join(", ")} from counter
    union all
    select ${[...waiting, ...figureColumns].join(", ")}
    from counter_delta join cell on cell.id = counter_delta.cell) as counted
  group by ${dimensions.join(", ")}
  having ${figureColumns.map((column) => `sum(${column}) <> 0`).join(" or ")}
  order by day, country, vertical, surface, test, currency`;

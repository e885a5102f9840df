import type { Database as Sqlite } from "better-sqlite3";
import type { Selectable } from "kysely";
import { unpackLines } from "../../core/detail-lines.ts";
import { dayOfHour } from "../../core/utc-day.ts";
import { countedOf } from "../conformance/counted-rows.ts";
import type { CellTable, CounterTable, DetailDeltaTable, Schema } from "../schema.ts";

/** Every counter of a file that is not 0, with what waits to be added to it. */
export function countedIn(sqlite: Sqlite): CounterTable[] {
  const all = <Row>(table: keyof Schema) => sqlite.prepare<[], Row>(`select * from ${table}`).all();
  const cells = new Map(all<Selectable<CellTable>>("cell").map((cell) => [cell.id, cell]));
  const waiting = all<DetailDeltaTable>("detail_delta").flatMap(({ hour, lines }) =>
    [...unpackLines(lines)].map(({ cell, figures }) => {
      const place = cells.get(cell);
      if (place === undefined) throw new Error(`no cell has the number ${cell}`);
      return { place, day: dayOfHour(hour), figures };
    }),
  );
  return countedOf(all("counter"), waiting);
}

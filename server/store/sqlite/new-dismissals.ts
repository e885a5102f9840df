import type { Database as Sqlite } from "better-sqlite3";
import { textOf } from "../rows/row-bytes.ts";

/** Prepares what reads the visitors who have closed the overlay since it was last asked; the first time, all of them. */
export function prepareNewDismissals(sqlite: Sqlite): () => { visitor: string; at: number }[] {
  const newer = sqlite.prepare<[number], { number: number; day: number; visitor: Uint8Array }>(
    "select number, day, visitor from dismissal where number > +? order by number",
  );
  let seen = 0;
  return () => {
    const rows = newer.all(seen);
    seen = rows.at(-1)?.number ?? seen;
    return rows.map(({ day, visitor }) => ({ visitor: textOf(visitor), at: day }));
  };
}

import type { FoldedSum } from "../../core/counter-fold.ts";
import { addLines, detailHours, unpackLines } from "../../core/detail-lines.ts";
import { createRecent, type Recent } from "../../core/recent.ts";
import { type Client, transact } from "./transaction.ts";

/** Which website a cell is of, as far as that is remembered: it never changes. */
export type WebsitesOfCells = Recent<number, number>;

/** The cells of some minutes. Whoever keeps house does so for weeks, and there are ever more of them. */
export function rememberWebsites(): WebsitesOfCells {
  return createRecent(50_000);
}

/** Adds sums to the lines of a table, inside a transaction in which nobody else does. */
export async function addToDetail(
  client: Client,
  table: "detail" | "closed_detail",
  sums: readonly FoldedSum[],
  known: WebsitesOfCells,
): Promise<void> {
  if (sums.length === 0) return;
  const websites = await websitesOf(client, sums, known);
  const hours = detailHours(sums, (cell) => websiteOf(cell, websites));
  const keys = [hours.map(({ websiteId }) => websiteId), hours.map(({ hour }) => hour)];
  const { rows } = await client.query<{ website_id: number; hour: number; lines: Uint8Array }>(
    `select website_id, hour, lines from ${table}
     join unnest($1::bigint[], $2::bigint[]) as asked (of_website, at_hour)
       on website_id = of_website and hour = at_hour`,
    keys,
  );
  const before = new Map(rows.map(({ website_id, hour, lines }) => [`${website_id} ${hour}`, lines]));
  const settled = hours.map(({ websiteId, hour, lines }) =>
    addLines(before.get(`${websiteId} ${hour}`) ?? null, lines),
  );
  await client.query(
    `insert into ${table} (website_id, hour, lines)
       select website_id, hour, lines from unnest($1::bigint[], $2::bigint[], $3::bytea[]) as added (website_id, hour, lines)
       where lines is not null
     on conflict (website_id, hour) do update set lines = excluded.lines`,
    [...keys, settled],
  );
  if (!settled.includes(null)) return;
  await client.query(
    `delete from ${table} using unnest($1::bigint[], $2::bigint[], $3::bytea[]) as added (of_website, at_hour, left_over)
     where website_id = of_website and hour = at_hour and left_over is null`,
    [...keys, settled],
  );
}

/** So many lines are added at a time: some milliseconds of work, in a transaction that is as short. */
const linesAtOnce = 5000;
/** Batches write at least a line each. */
const rowsAtOnce = linesAtOnce;

/**
 * Adds the oldest lines that wait to those that stand, 5,000 or one row at the least, in one transaction; whoever reads both
 * in one finds each line once. For whoever keeps house alone. Resolves with whether there may be more.
 */
export async function settleDetail(client: Client, websites: WebsitesOfCells): Promise<boolean> {
  return transact(client, async () => {
    const { rows } = await client.query<{ number: number; hour: number; lines: Uint8Array }>(
      "select number, hour, lines from detail_delta order by number limit $1",
      [rowsAtOnce],
    );
    const sums: FoldedSum[] = [];
    const taken: number[] = [];
    for (const { number, hour, lines } of rows) {
      if (sums.length >= linesAtOnce) break;
      for (const line of unpackLines(lines)) sums.push({ ...line, hour });
      taken.push(number);
    }
    if (taken.length === 0) return false;
    await addToDetail(client, "detail", sums, websites);
    await client.query("delete from detail_delta where number = any($1)", [taken]);
    return taken.length < rows.length || rows.length === rowsAtOnce;
  });
}

/** The websites of all cells of the sums, however few are remembered. */
const websitesOf = async (
  client: Client,
  sums: readonly FoldedSum[],
  known: WebsitesOfCells,
): Promise<ReadonlyMap<number, number>> => {
  const websites = new Map<number, number>();
  const unknown: number[] = [];
  for (const cell of new Set(sums.map((sum) => sum.cell))) {
    const website = known.get(cell);
    if (website === undefined) unknown.push(cell);
    else websites.set(cell, website);
  }
  if (unknown.length === 0) return websites;
  const { rows } = await client.query<{ id: number; website_id: number }>(
    "select id, website_id from cell where id = any($1)",
    [unknown],
  );
  for (const { id, website_id } of rows) {
    known.set(id, website_id);
    websites.set(id, website_id);
  }
  return websites;
};

const websiteOf = (cell: number, websites: ReadonlyMap<number, number>): number => {
  const website = websites.get(cell);
  if (website === undefined) throw new Error(`no cell has the number ${cell}`);
  return website;
};

import type { ClientBase } from "pg";
import type { DatabaseSettings } from "../../core/database-settings.ts";
import { dayMs } from "../../core/utc-day.ts";
import { settingsColumns } from "./server-settings.ts";

/**
 * Registers a lane of this process, or takes its row over from the connection that it had before, which can commit nothing
 * from then on: each batch is written only where the row still has its epoch. It waits for a commit that is under way, so
 * `batch` is the last one that was ever committed; 0: none.
 */
export async function takeNodeRow(
  client: Pick<ClientBase, "query">,
  id: string,
): Promise<{ epoch: number; batch: number }> {
  const { rows } = await client.query<{ epoch: number; batch: number }>(
    // The epoch begins with the time: a row that somebody has removed never comes back with an epoch that it had.
    `insert into node (id, epoch, batch, seen_at) values ($1, ${serverMs}, 0, ${serverMs})
     on conflict (id) do update set epoch = greatest(node.epoch + 1, excluded.epoch), seen_at = excluded.seen_at
     returning epoch, batch`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the node has no row");
  return row;
}

/**
 * Notes that the lane lives, and resolves with what the server says of itself meanwhile; null: somebody has taken the lane's
 * row, and it can write nothing any more.
 */
export async function beat(
  client: Pick<ClientBase, "query">,
  { id, epoch }: { id: string; epoch: number },
): Promise<DatabaseSettings | null> {
  const { rows } = await client.query<DatabaseSettings>({
    name: "beat",
    text: `update node set seen_at = ${serverMs} where id = $1 and epoch = $2 returning ${settingsColumns}`,
    values: [id, epoch],
  });
  return rows[0] ?? null;
}

/** Removes a lane that ends, and those that ended without a word more than a day ago. */
export async function removeNodeRows(client: Pick<ClientBase, "query">, id: string): Promise<void> {
  await client.query(`delete from node where id = $1 or seen_at < ${serverMs} - ${dayMs}`, [id]);
}

/** By the server's clock: that of no node is compared with another's. */
export const serverMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

import type pg from "pg";
import { advisoryLocks } from "../advisory-locks.ts";
import { connect } from "../postgres/connect.ts";
import { migrate } from "../postgres/migrate.ts";
import { requireFitServer, UnfitServer } from "../postgres/writer-session.ts";
import type { Durability } from "../sqlite/open-sqlite.ts";
import { MoveRefusal } from "./move-refusal.ts";

/** How long the connection of a mover that was killed may take to end. */
const lockTries = 20;
const restMs = 100;

/**
 * Whatever the role's own limits are, all rows are counted and compared, and a connection waits while the source is read. Nobody
 * else uses the target meanwhile.
 */
export const asLongAsItTakes = {
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
} as const;

/**
 * Connects to a database that nobody else uses, of a server that money can be recorded on, and brings it to this program's
 * schema. Rejects with a MoveRefusal else.
 */
export async function openTarget(url: string, durability: Durability): Promise<pg.Client> {
  const client = await connect({ url, name: "offers move", settings: asLongAsItTakes }).catch(
    (error: unknown) => {
      throw new MoveRefusal(error instanceof Error ? error.message : String(error));
    },
  );
  try {
    await requireFitServer(client, { durability, needsSyncStandby: false }).catch((error: unknown) => {
      throw error instanceof UnfitServer ? new MoveRefusal(error.message) : error;
    });
    // What has not reached the disk when the server falls is copied again: the note of it is in the same transaction.
    await client.query("set synchronous_commit = off");
    await takeLock(client);
    const { rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'offers %' limit 1`,
    );
    if (rows[0] !== undefined) {
      throw new MoveRefusal(`a service uses the target already (${rows[0].name}): stop it`);
    }
    await migrate(client, { isMoving: true });
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

const takeLock = async (client: pg.Client): Promise<void> => {
  for (let left = lockTries; left > 0; left -= 1) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      advisoryLocks.moving,
    ]);
    if (rows[0]?.taken) return;
    await new Promise((resume) => setTimeout(resume, restMs));
  }
  throw new MoveRefusal("another move into the target is under way");
};

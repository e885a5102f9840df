import type { ClientBase } from "pg";
import { layout } from "./layout.ts";

/**
 * A step of the schema. An additive one leaves everything in its place that older programs use, so that they go on beside
 * newer ones; a closing one names the oldest program that can, which is the number of that program's own last step.
 */
export type Migration = {
  name: string;
  oldestProgram: number;
  up: readonly string[];
};

/** The first is 1. One that was ever released is never changed. */
const migrations: readonly Migration[] = [{ name: "layout", oldestProgram: 1, up: layout() }];

/** Any number that is ours: whoever holds the lock of this name migrates. */
const migrationLock = 7_246_118_531;

/** A step waits no longer for others' locks, for all of their successors would wait behind it; then it is tried again. */
const lockTimeoutMs = 200;
const tries = 150;
const restMs = 100;

/**
 * Brings the database to this program's schema, each step in a transaction of its own. Of several programs that start
 * together one does it and the others find it done. Throws when the database needs a newer program than this one.
 */
export async function migrate(
  client: Pick<ClientBase, "query">,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [migrationLock]);
  try {
    await client.query(
      "create table if not exists schema_state (version bigint not null, oldest_program bigint not null)",
    );
    const { rows } = await client.query<{ version: number; oldest_program: number }>(
      "select version, oldest_program from schema_state",
    );
    const [state = { version: 0, oldest_program: 0 }] = rows;
    if (state.oldest_program > steps.length) {
      throw new Error(
        `the database is newer than this program: its schema is of version ${state.version}, which needs a program of ` +
          `version ${state.oldest_program} at least, and this one has ${steps.length}; start the version that wrote it, or a later one`,
      );
    }
    for (const [at, step] of steps.entries()) {
      if (at >= state.version) await takeStep(client, step, at + 1);
    }
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]);
  }
}

const takeStep = async (
  client: Pick<ClientBase, "query">,
  step: Migration,
  version: number,
): Promise<void> => {
  for (let left = tries; ; left -= 1) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      for (const statement of step.up) await client.query(statement);
      await client.query("delete from schema_state");
      await client.query("insert into schema_state (version, oldest_program) values ($1, $2)", [
        version,
        step.oldestProgram,
      ]);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if (!isLocked(error) || left === 1) throw error;
      await new Promise((resume) => setTimeout(resume, restMs));
    }
  }
};

const isLocked = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

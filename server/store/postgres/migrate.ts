import type { ClientBase } from "pg";
import { advisoryLocks } from "../advisory-locks.ts";
import { migrations } from "../migrations/both-engines.ts";
import type { PostgresStep } from "../migrations/migration.ts";
import { type Ask, askingOn } from "./asking.ts";
import { layout } from "./layout.ts";
import { refuseHalfMoved } from "./move-note.ts";
import { forgetOthersTransactions } from "./new-rows.ts";

/** A step of the schema; a program is of the version that its own last step has. */
export type Step = PostgresStep & { version: number };

/** What SQLite came to by the migrations until this one stands here as one step. */
const layoutVersion = 24;

const ownSteps: readonly Step[] = [
  { version: layoutVersion, oldestProgram: layoutVersion, up: layout() },
  ...Object.entries(migrations).map(([name, { postgres }]) => ({
    ...postgres,
    version: Number.parseInt(name, 10),
  })),
];

/** A step waits no longer for others' locks, for all of their successors would wait behind it; then it is tried again. */
const lockTimeoutMs = 200;
const tries = 150;
const restMs = 100;

type Client = Pick<ClientBase, "query">;

/** Another program that migrates is mostly done within milliseconds; one that is waited for longer is told. */
const quietMs = 1000;

/**
 * Brings the database to this program's schema, each step in a transaction of its own: a crash leaves the steps before. Of
 * several programs that start together one does it and the others find it done. Throws when the database needs a newer program
 * than this one, or is the target of a move that has not finished, unless it is for the mover. `onWait` is called once, when
 * another program has been waited for for a second.
 */
export async function migrate(
  client: Client,
  {
    steps = ownSteps,
    isMoving = false,
    onWait = () => undefined,
  }: { steps?: readonly Step[]; isMoving?: boolean; onWait?: () => void } = {},
): Promise<void> {
  await takeTurn(client, onWait);
  try {
    await client.query(
      "create table if not exists schema_state (version bigint not null, oldest_program bigint not null)",
    );
    const version = await requireOpen(askingOn(client), steps);
    for (const step of steps) if (step.version > version) await takeStep(client, step);
    // What a move has copied so far stays as it is until it was compared; the first service that starts on it forgets.
    if (isMoving) return;
    await refuseHalfMoved(client);
    await forgetOthersTransactions(client);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [advisoryLocks.migrating]);
  }
}

/** Asked again and again: a session that waited in the server for long would look like one that has fallen silent. */
const takeTurn = async (client: Client, onWait: () => void): Promise<void> => {
  let tellAt = performance.now() + quietMs;
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [
      advisoryLocks.migrating,
    ]);
    if (rows[0]?.mine === true) return;
    if (performance.now() >= tellAt) {
      tellAt = Number.POSITIVE_INFINITY;
      onWait();
    }
    await rest();
  }
};

/**
 * Resolves with the version of the schema where this program may use it. Throws where a step has closed it to programs as old as
 * this one: such as may have been running when it was taken.
 */
export async function requireOpen(ask: Ask, steps: readonly Step[] = ownSteps): Promise<number> {
  const rows = await ask<{ version: number; oldestProgram: number }>(
    `select version, oldest_program as "oldestProgram" from schema_state`,
  );
  const { version, oldestProgram } = rows[0] ?? { version: 0, oldestProgram: 0 };
  const own = steps.at(-1)?.version ?? 0;
  if (oldestProgram <= own) return version;
  throw new Error(
    `the database is newer than this program: its schema is of version ${version}, which needs a program of ` +
      `version ${oldestProgram} at least, and this one has ${own}; start the version that wrote it, or a later one`,
  );
}

const takeStep = async (client: Client, { version, oldestProgram, up }: Step): Promise<void> => {
  for (let left = tries; ; left -= 1) {
    try {
      await client.query("begin");
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      for (const statement of up) await client.query(statement);
      await client.query("delete from schema_state");
      await client.query("insert into schema_state (version, oldest_program) values ($1, $2)", [
        version,
        oldestProgram,
      ]);
      // Whoever is too old now writes nothing more: a node that is fenced off asks again whether it may.
      if (oldestProgram === version) {
        // No row is taken meanwhile that the update does not see.
        await client.query("lock table node in share row exclusive mode");
        await client.query("update node set epoch = epoch + 1");
      }
      await client.query("commit");
      return;
    } catch (error) {
      // A connection that has broken has undone it by itself.
      await client.query("rollback").catch(() => undefined);
      if (!isLocked(error) || left === 1) throw error;
      await rest();
    }
  }
};

const isLocked = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

const rest = (): Promise<void> => new Promise((resume) => setTimeout(resume, restMs));

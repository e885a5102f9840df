import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type PostgresServer, type PostgresSettings, preparePostgres } from "./postgres-server.ts";

/**
 * Makes a standby of a server that is running, by a copy of its files, and starts it. It follows by streaming; on the primary
 * it goes by `name`, by which `synchronous_standby_names` may call it. No program beside the server itself is needed.
 */
export async function startStandby(
  primary: PostgresServer,
  { name, port }: { name: string; port?: number },
): Promise<PostgresServer> {
  const standby = await preparePostgres({
    settings: following(primary, name),
    ...(port !== undefined && { port }),
  });
  const client = new pg.Client({ connectionString: primary.url("postgres") });
  await client.connect();
  try {
    // The same connection begins and ends it: the copy is made of files that are being written.
    await client.query("select pg_backup_start($1, true)", [name]);
    rmSync(standby.dataDir, { recursive: true, force: true });
    execFileSync("cp", ["-a", primary.dataDir, standby.dataDir]);
    for (const file of ["postmaster.pid", "postmaster.opts"])
      rmSync(join(standby.dataDir, file), { force: true });
    const { rows } = await client.query<{ labelfile: string }>(
      "select labelfile from pg_backup_stop(wait_for_archive => false)",
    );
    writeFileSync(join(standby.dataDir, "backup_label"), rows[0]?.labelfile ?? "");
    // The log that was written during the copy.
    execFileSync("cp", ["-a", join(primary.dataDir, "pg_wal/."), join(standby.dataDir, "pg_wal")]);
    writeFileSync(join(standby.dataDir, "standby.signal"), "");
  } finally {
    await client.end();
  }
  standby.own();
  await standby.start();
  return standby;
}

const following = (primary: PostgresServer, name: string): PostgresSettings => ({
  primary_conninfo: `host=127.0.0.1 port=${primary.port} user=offers application_name=${name}`,
});

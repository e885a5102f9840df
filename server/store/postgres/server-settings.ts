import type { ClientBase } from "pg";
import type { DatabaseSettings } from "../../core/database-settings.ts";

/** What a statement asks for that a server's settings are read by. */
export const settingsColumns = `current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isInRecovery", current_setting('fsync') as fsync,
  current_setting('full_page_writes') as "fullPageWrites", current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('synchronous_standby_names') as "synchronousStandbyNames"`;

/** What the server says of itself to this connection, for a role or a database may have settings of its own. */
export async function readServerSettings(client: Pick<ClientBase, "query">): Promise<DatabaseSettings> {
  const { rows } = await client.query<DatabaseSettings>(`select ${settingsColumns}`);
  const [settings] = rows;
  if (settings === undefined) throw new Error("the server told nothing of itself");
  return settings;
}

import { connect } from "./connect.ts";
import { startDeadline } from "./deadline.ts";
import { networkSettings } from "./writer-settings.ts";

const deadlineMs = 5000;

/** What tells a database from others: the same in its backups, on its standbys, and wherever it was restored to. */
export async function readDatabaseId(url: string): Promise<string> {
  const client = await connect({
    ...{ url, name: "offers spool" },
    settings: { statement_timeout: 2000, ...networkSettings },
  });
  // A network that falls silent now would have the start wait for ever.
  const drop = (): void => void client.connection.stream.destroy(new Error("timeout expired"));
  const callOff = startDeadline(deadlineMs, drop);
  try {
    const { rows } = await client.query<{ id: string }>("select id from database_id");
    const [row] = rows;
    if (row === undefined) throw new Error("the database has no id: its table database_id is empty");
    return row.id;
  } finally {
    await client.end().finally(callOff);
  }
}

import { connect } from "./connect.ts";
import { networkSettings } from "./writer-settings.ts";

/** What tells a database from others: the same in its backups, on its standbys, and wherever it was restored to. */
export async function readDatabaseId(url: string): Promise<string> {
  const client = await connect({
    ...{ url, name: "offers spool" },
    settings: { statement_timeout: 2000, ...networkSettings },
  });
  try {
    const { rows } = await client.query<{ id: string }>("select id from database_id");
    const [row] = rows;
    if (row === undefined) throw new Error("the database has no id: its table database_id is empty");
    return row.id;
  } finally {
    await client.end();
  }
}

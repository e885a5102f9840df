import type { Ask } from "./asking.ts";

/** How large the database is on its server, and how much the server has ever written to its log; in bytes. */
export async function serverSizes(ask: Ask): Promise<{ bytes: number; loggedBytes: number | null }> {
  const [row] = await ask<{ bytes: number; logged: number | null }>(
    `select pg_database_size(current_database())::float8 as bytes,
       case when pg_is_in_recovery() then null else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as logged`,
  );
  return { bytes: row?.bytes ?? 0, loggedBytes: row?.logged ?? null };
}

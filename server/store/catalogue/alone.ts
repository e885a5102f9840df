import { sql } from "kysely";
import { advisoryLocks } from "../advisory-locks.ts";
import { isPostgres } from "../dialects.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";

/**
 * Does what is to be done once for all nodes that start on one database: a second one waits until the first has ended, and
 * finds it done. Whoever works on a file has it to themselves.
 */
export function aloneOnDatabase<T>({ db }: Pick<CatalogueHandle, "db">, work: () => Promise<T>): Promise<T> {
  if (!isPostgres(db)) return work();
  return db.connection().execute(async (own) => {
    // However long it takes the other one: nobody is served before.
    await sql`set lock_timeout = 0`.execute(own);
    await sql`select pg_advisory_lock(${sql.lit(advisoryLocks.filling)})`.execute(own);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(advisoryLocks.filling)})`.execute(own);
      await sql`reset lock_timeout`.execute(own);
    }
  });
}

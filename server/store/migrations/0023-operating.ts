import { type Kysely, sql } from "kysely";

/**
 * How the operator's own commands ended last; an advertiser's deposits, which are few among the lines of the ledger and
 * are looked for by themselves: no line of what is billed stands in that index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table run_note (
      kind text primary key check (kind in ('backup', 'recount', 'audit')),
      at integer not null,
      is_good integer not null check (is_good in (0, 1)),
      says text not null
    ) strict, without rowid`,
    `create index ledger_line_deposit on ledger_line (advertiser, id) where kind = 'deposit'`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

import type { RunNote } from "@offers/contract/dash/operator";
import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";

/**
 * Keeps how the last run of one of the operator's commands ended, in place of the one before. It is no change of the
 * catalogue, and nobody's activity.
 */
export async function noteRun(catalogue: CatalogueHandle, note: RunNote): Promise<void> {
  const { kind, at, says } = note;
  const row = { at, is_good: note.isGood ? (1 as const) : (0 as const), says };
  await catalogue.transact((db) =>
    db
      .insertInto("run_note")
      .values({ kind, ...row })
      .onConflict((on) => on.column("kind").doUpdateSet(row))
      .execute(),
  );
}

/** The last run of each command that was ever run. */
export async function readRunNotes(db: Kysely<Schema>): Promise<RunNote[]> {
  const rows = await db.selectFrom("run_note").selectAll().orderBy("kind").execute();
  return rows.map(({ kind, at, is_good, says }) => ({ kind, at, isGood: is_good === 1, says }));
}

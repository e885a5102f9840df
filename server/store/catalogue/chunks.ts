import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** A browser goes on with an old loader for a day at the most (routes/embed-files.ts). */
const keptMs = 2 * 24 * 60 * 60 * 1000;

/**
 * Keeps the chunks of a release that serves at `now` (milliseconds since the epoch), gzipped, by their names: with its start,
 * and each hour. Those of other releases go two days after the first who came without them, unless one that has them came
 * meanwhile. A name stands for its content, so what is there is not written again; and each statement leaves rows that the
 * next one goes on from.
 */
export async function putChunks(
  db: Kysely<Schema>,
  chunks: ReadonlyMap<string, Uint8Array>,
  now: number,
): Promise<void> {
  // Nothing was built, which replaces nothing.
  if (chunks.size === 0) return;
  const kept = await db.selectFrom("chunk").select(["name", "replaced_at"]).execute();
  const current = new Set(kept.filter((row) => row.replaced_at === null).map(({ name }) => name));
  const missing = [...chunks].filter(([name]) => !current.has(name));
  if (missing.length > 0) {
    await db
      .insertInto("chunk")
      // In one order, so that two nodes that start at once do not wait for each other in a circle; in one statement, for one commit.
      .values(missing.sort(byName).map(([name, script]) => ({ name, script, replaced_at: null })))
      .onConflict((on) => on.column("name").doUpdateSet({ replaced_at: null }))
      .execute();
  }
  const replaced = [...current].filter((name) => !chunks.has(name));
  if (replaced.length > 0) {
    await db.updateTable("chunk").set({ replaced_at: now }).where("name", "in", replaced).execute();
  }
  if (kept.some((row) => row.replaced_at !== null && row.replaced_at < now - keptMs)) {
    await db
      .deleteFrom("chunk")
      .where("replaced_at", "<", now - keptMs)
      .execute();
  }
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** A chunk by its name, gzipped, of whichever release that is kept. */
export async function findChunk(db: Kysely<Schema>, name: string): Promise<Uint8Array | null> {
  const row = await db.selectFrom("chunk").select("script").where("name", "=", name).executeTakeFirst();
  // Bytes of its own, which may be moved to another thread.
  return row === undefined ? null : new Uint8Array(row.script);
}

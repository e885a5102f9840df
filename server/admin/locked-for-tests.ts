import type { Kysely } from "kysely";
import { vi } from "vitest";
import type { Schema } from "../store/schema.ts";

/**
 * Runs a command while another program keeps the database locked, longer than the command waits: a minute passes with each
 * look at the time.
 */
export function whileLocked<T>(db: Kysely<Schema>, run: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx
      .updateTable("catalogue_version")
      .set(({ ref }) => ({ version: ref("version") }))
      .execute();
    let minutes = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => ++minutes * 60_000);
    try {
      return await run();
    } finally {
      clock.mockRestore();
    }
  });
}

import { randomBytes } from "node:crypto";
import { noteActivity, type Told } from "./activity.ts";
import type { CatalogueHandle } from "./catalogue-handle.ts";
import { SignedOut } from "./catalogue-refusal.ts";
import { findLetIn } from "./let-in.ts";

/** A change under way: a catalogue within its transaction, so that a change can be made of others. */
export type CatalogueChange = CatalogueHandle & {
  /** The version that this change makes; every row that it writes carries it as `changed`. */
  version: number;
  /**
   * Notes what the change does, in its transaction, and says whether that makes any difference: a change that makes
   * none is not noted, and writes nothing either. Every change tells (decisions.md#activity-in-the-transaction).
   */
  tell(told: Told): Promise<boolean>;
};

/**
 * Runs `change` in one transaction that also makes a new version of the catalogue, so that every running server
 * reads the rows that carry it. Within a change it joins that one's transaction. What `change` throws takes all of
 * it back. It may be run several times (see `CatalogueHandle.transact`), so it has no effects besides its statements.
 * Throws SignedOut for a user who is shut out or removed.
 */
export function changeCatalogue<T>(
  catalogue: CatalogueHandle,
  change: (tx: CatalogueChange) => Promise<T>,
): Promise<T> {
  return catalogue.transact(async (db) => {
    // The version comes first on purpose: two changes at once wait for each other here, on any engine, and a
    // transaction of SQLite that starts with a read cannot write once another process has committed in between.
    const { version } = await db
      .updateTable("catalogue_version")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", 1)
      .returning("version")
      .executeTakeFirstOrThrow();
    const { actor, clock } = catalogue;
    // It may have waited behind what shut them out, and would bring the name of somebody who is forgotten back.
    if (actor.kind === "user" && (await findLetIn(db, actor.userId)) === undefined) throw new SignedOut();
    return change({
      db,
      version,
      actor,
      clock,
      transact: (work) => work(db),
      tell: (told) => noteActivity(db, { actor, at: clock(), version }, told),
    });
  });
}

/** `prefix_` and 22 random base64url characters: 128 bits. */
export function randomId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("base64url")}`;
}

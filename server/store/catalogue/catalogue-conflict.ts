import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";
import { type Activity, activityOfVersion } from "./activity.ts";

/** On what an edit depends (decisions.md#edits-on-a-version). */
export type Condition = {
  /** The version that the editor has seen: of a row that has another one by now nothing is changed. */
  ifVersion?: number | undefined;
};

/** Thrown when somebody else was quicker. Nothing of the edit has been written. */
export class CatalogueConflict extends Error {
  override readonly name = "CatalogueConflict";
  /** The row's version of now. */
  readonly version: number;
  /** What is saved now. */
  readonly current: object;
  /** Who changed it last, when, and what; null: that is not known any more. */
  readonly lastChange: Activity | null;

  constructor(found: { version: number; current: object; lastChange: Activity | null }) {
    super(`it was changed meanwhile: its version is ${found.version}`);
    this.version = found.version;
    this.current = found.current;
    this.lastChange = found.lastChange;
  }
}

/**
 * Throws a {@link CatalogueConflict} when the condition names another version than `current` has. Within a change,
 * whose first statement makes all others wait, so of two edits of one version the second one finds the first.
 */
export async function requireVersion(
  db: Kysely<Schema>,
  { ifVersion }: Condition,
  current: { version: number },
): Promise<void> {
  const { version } = current;
  if (ifVersion === undefined || ifVersion === version) return;
  throw new CatalogueConflict({ version, current, lastChange: await activityOfVersion(db, version) });
}

import type { Kysely } from "kysely";

/** A step of the schema, as each engine takes it. */
export type Migration = {
  /** SQLite, where one program alone has the file: whatever leaves the rows as the new one reads them. */
  up(db: Kysely<unknown>): Promise<void>;
  /** PostgreSQL, where programs of before may be running beside the new one. */
  postgres: PostgresStep;
};

export type PostgresStep = {
  /** Statements, in one transaction that waits for nobody's lock for long. */
  up: readonly string[];
  /**
   * The number of the oldest step whose program can go on with what this one leaves behind. That of the step before, or of one
   * still earlier: it is additive, and programs from there on run beside it. Its own number: it closes, and no other does.
   */
  oldestProgram: number;
};

/** The advisory locks of a PostgreSQL that this program takes: any numbers that are ours, one for each purpose. */
export const advisoryLocks = {
  /** Whoever holds it brings the database to its schema. */
  migrating: 7_246_118_531,
  /** Whoever holds it fills an empty database. */
  filling: 7_246_118_532,
  /** Of all nodes the one that has it keeps house. */
  keepingHouse: 7_246_118_533,
  /** Of those who delete facts, at home or by a command, one at a time does. */
  deleting: 7_246_118_534,
  /** Whoever holds it moves an installation into the database. */
  moving: 7_246_118_535,
} as const;

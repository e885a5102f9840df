import { findPostgres } from "./postgres-server.ts";

/** Says before the tests of a run that those of PostgreSQL are skipped, where this machine has none. */
export default function sayWithoutPostgres(): void {
  if (findPostgres() !== null) return;
  console.warn(
    "No PostgreSQL was found, and its tests here are skipped. `npm ci` brings one; PG_BIN names the folder of another's programs.",
  );
}

import { describe, expect, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import type { Check } from "./checks.ts";
import { programsFor } from "./restores/engines.ts";
import { restores } from "./restores.ts";
import { rotation } from "./rotation.ts";

const failing = (checks: readonly Check[]): string[] =>
  checks.filter(({ holds }) => !holds).map(({ claim, seen }) => `${claim}: ${seen}`);

describe.each(["sqlite", "postgres"] as const)("on %s", (engine) => {
  test.skipIf(engine === "postgres" && findPostgres() === null)(
    "every secret is replaced under load without a lost call, and the old one is refused by all nodes",
    async () => {
      expect(failing(await rotation({ engine, settleMs: 1000 }))).toEqual([]);
    },
    240_000,
  );

  test.skipIf(programsFor(engine) === null)(
    "backups taken under load are restored: whole, a beginning of what was acknowledged, without salts and secrets",
    async () => {
      const options = { engine, restores: 3, visitors: 64, acksBetween: 400 };
      expect(failing(await restores(options))).toEqual([]);
    },
    240_000,
  );
});

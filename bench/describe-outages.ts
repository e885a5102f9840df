import { describe, expect, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import type { Check } from "./checks.ts";
import { type ClocksOptions, postgresClocks } from "./postgres-clocks.ts";
import { type FailoverOptions, postgresFailover } from "./postgres-failover.ts";
import { type LimitsOptions, postgresLimits } from "./postgres-limits.ts";
import { type OutageOptions, postgresOutage } from "./postgres-outage.ts";
import { type PausedOptions, postgresPaused } from "./postgres-paused.ts";

export type OutageSizes = {
  outages: readonly OutageOptions[];
  failover: FailoverOptions;
  paused: PausedOptions;
  clocks: ClocksOptions;
  limits: LimitsOptions;
};

/** What several nodes on one PostgreSQL promise while something of them is gone; one after another. */
export function describeOutages(sizes: OutageSizes): void {
  describe.skipIf(findPostgres() === null)(
    "promises, kept by nodes on PostgreSQL",
    { timeout: 900_000 },
    () => {
      test.each(sizes.outages)(
        "without a database for $seconds s visitors are served, and counted afterwards",
        async (options) => {
          expect(broken(await postgresOutage(options))).toEqual([]);
        },
      );

      test("nothing that was acknowledged is lost with the primary, where commits wait for a standby", async () => {
        expect(broken(await postgresFailover(sizes.failover))).toEqual([]);
      });

      test("a node that stands still holds up no decision of the others, and counts nothing twice", async () => {
        expect(broken(await postgresPaused(sizes.paused))).toEqual([]);
      });

      test("nodes whose clocks are wrong judge and date by the server's", async () => {
        expect(broken(await postgresClocks(sizes.clocks))).toEqual([]);
      });

      test("all nodes count a visitor's calls together, and no call waits for the count", async () => {
        expect(broken(await postgresLimits(sizes.limits))).toEqual([]);
      });
    },
  );
}

const broken = (checks: readonly Check[]): readonly Check[] => {
  expect(checks.length).toBeGreaterThan(3);
  return checks.filter((check) => !check.holds);
};

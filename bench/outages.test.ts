import { describe, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import { expectKept } from "./expect-kept.ts";
import { postgresClocks } from "./postgres-clocks.ts";
import { postgresFailover } from "./postgres-failover.ts";
import { postgresLimits } from "./postgres-limits.ts";
import { postgresOutage } from "./postgres-outage.ts";
import { postgresPaused } from "./postgres-paused.ts";
import { smallOutages as sizes } from "./promise-sizes.ts";

/** What several nodes on one PostgreSQL promise while something of them is gone; one after another. */
describe.skipIf(findPostgres() === null)(
  "promises, kept by nodes on PostgreSQL",
  { timeout: 900_000 },
  () => {
    test.each(sizes.outages)(
      "without a database for $seconds s visitors are served, and counted afterwards",
      async (options) => {
        await expectKept(postgresOutage(options));
      },
    );

    test("nothing that was acknowledged is lost with the primary, where commits wait for a standby", async () => {
      await expectKept(postgresFailover(sizes.failover));
    });

    test("a node that stands still holds up no decision of the others, and counts nothing twice", async () => {
      await expectKept(postgresPaused(sizes.paused));
    });

    test("nodes whose clocks are wrong judge and date by the server's", async () => {
      await expectKept(postgresClocks(sizes.clocks));
    });

    test("all nodes count a visitor's calls together, and no call waits for the count", async () => {
      await expectKept(postgresLimits(sizes.limits));
    });
  },
);

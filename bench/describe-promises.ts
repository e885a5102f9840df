import { afterAll, describe, expect, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import { type BudgetRaceOptions, budgetRace } from "./budget-race.ts";
import { type CapRaceOptions, capRace } from "./cap-race.ts";
import type { Check } from "./checks.ts";
import { type CrashOptions, crash } from "./crash.ts";
import { fsyncHeld } from "./fsync-held.ts";
import { hopFlood } from "./hop-flood.ts";
import { lock } from "./lock.ts";
import { compileSlowFsync } from "./machine/slow-fsync.ts";
import { mixedEvents } from "./mixed-events.ts";
import { type PostgresCapsOptions, postgresCaps } from "./postgres-caps.ts";
import { type PostgresCrashOptions, postgresCrash } from "./postgres-crash.ts";
import { refusedPings } from "./refused-pings.ts";
import { reports } from "./reports.ts";
import { serverCrash } from "./server-crash.ts";
import { type StoppingOptions, stopping } from "./stopping.ts";
import { tokenFlips } from "./token-flips.ts";

/** How much of each promise is tried. What a number does not change, such as a token's bits, has none. */
export type PromiseSizes = {
  budgetRace: BudgetRaceOptions;
  capRace: CapRaceOptions;
  crash: CrashOptions;
  serverCrash: CrashOptions;
  stopping: StoppingOptions;
  /** Seconds of a flood of one link. */
  floodSeconds: number;
  /** Pings from made up origins. */
  refusedPings: number;
  /** Counters of a report, and how long it may take. */
  reports: { rows: number; mostMs: number };
  mixedEvents: number;
  postgresCrash: PostgresCrashOptions;
  /** Where the machine has the time. */
  postgres?: { caps: PostgresCapsOptions; mixedEvents: number };
};

const withoutPostgres = findPostgres() === null;

/** Null where nothing can delay an fsync: on anything but Linux, and without a C compiler. */
const slowFsync = await compileSlowFsync();

/** Each of these starts real services; one after another, so that they do not slow each other down. */
export function describePromises(sizes: PromiseSizes): void {
  describe("promises, kept by a real service", { timeout: 900_000 }, () => {
    afterAll(() => slowFsync?.remove());

    test(`${sizes.budgetRace.visitors} visitors click at once and the budget's clicks are billed, by one process or two`, async () => {
      expect(broken(await budgetRace(sizes.budgetRace))).toEqual([]);
    });

    test("caps of a day, an offer and an advertiser are billed exactly by two processes, one of which is killed", async () => {
      expect(broken(await capRace(sizes.capRace))).toEqual([]);
    });

    test("nothing that was acknowledged is lost or doubled when the service is killed under load", async () => {
      expect(broken(await crash(sizes.crash))).toEqual([]);
    });

    test("a server that sends an event until it is acknowledged has exactly one, whatever kills the service", async () => {
      expect(broken(await serverCrash(sizes.serverCrash))).toEqual([]);
    });

    test("while another process holds the write lock, reads go on and writes are refused honestly", async () => {
      expect(broken(await lock({ holdMs: 5000, writers: 8 }))).toEqual([]);
    });

    test("a service that is asked to stop under load answers every request that it took, and keeps what it said", async () => {
      expect(broken(await stopping(sizes.stopping))).toEqual([]);
    });

    test("a flood of one link takes every caller on, and costs the disk what was admitted", async () => {
      expect(broken(await hopFlood({ seconds: sizes.floodSeconds, clients: 32 }))).toEqual([]);
    });

    test("refused pings from origins without end are answered alike, and cost the disk a few rows", async () => {
      expect(broken(await refusedPings({ pings: sizes.refusedPings, clients: 32 }))).toEqual([]);
    });

    test("a report of a year is answered at once, and holds no decision up", async () => {
      expect(broken(await reports(sizes.reports))).toEqual([]);
    });

    test("after events of every kind the reports, the counters, the events and the ledger agree", async () => {
      expect(broken(await mixedEvents({ events: sizes.mixedEvents, clients: 16 }))).toEqual([]);
    });

    test.skipIf(slowFsync === null)(
      "while every fsync is held up, no write is acknowledged sooner",
      async () => {
        if (slowFsync === null) return;
        expect(broken(await fsyncHeld(slowFsync, { heldMs: 300, writes: 4 }))).toEqual([]);
      },
    );

    test.skipIf(withoutPostgres)(
      "nothing that nodes acknowledged is lost or doubled when they, their database or its connections end",
      async () => {
        expect(broken(await postgresCrash(sizes.postgresCrash))).toEqual([]);
      },
    );

    const { postgres } = sizes;
    if (postgres !== undefined) {
      test.skipIf(withoutPostgres)("caps are billed exactly by nodes that share a database", async () => {
        expect(broken(await postgresCaps(postgres.caps))).toEqual([]);
      });

      test.skipIf(withoutPostgres)(
        "after events of every kind over nodes the reports, the counters, the events and the ledger agree",
        async () => {
          const options = { events: postgres.mixedEvents, clients: 16, nodes: 2 };
          expect(broken(await mixedEvents({ ...options, engine: "postgres" }))).toEqual([]);
        },
      );
    }

    test("a token that was altered in one bit is refused", async () => {
      expect(broken(await tokenFlips())).toEqual([]);
    });
  });
}

const broken = (checks: readonly Check[]): readonly Check[] => {
  expect(checks.length).toBeGreaterThan(3);
  return checks.filter((check) => !check.holds);
};

import { afterAll, describe, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import { budgetRace } from "./budget-race.ts";
import { capRace } from "./cap-race.ts";
import { crash } from "./crash.ts";
import { expectKept } from "./expect-kept.ts";
import { fsyncHeld } from "./fsync-held.ts";
import { hopFlood } from "./hop-flood.ts";
import { lock } from "./lock.ts";
import { compileSlowFsync } from "./machine/slow-fsync.ts";
import { mixedEvents } from "./mixed-events.ts";
import { postgresCrash } from "./postgres-crash.ts";
import { smallSizes as sizes } from "./promise-sizes.ts";
import { refusedPings } from "./refused-pings.ts";
import { reports } from "./reports.ts";
import { serverCrash } from "./server-crash.ts";
import { stopping } from "./stopping.ts";
import { tokenFlips } from "./token-flips.ts";

const withoutPostgres = findPostgres() === null;

/** Null where nothing can delay an fsync: on anything but Linux, and without a C compiler. */
const slowFsync = await compileSlowFsync();

/** Each of these starts real services; one after another, so that they do not slow each other down. */
describe("promises, kept by a real service", { timeout: 900_000 }, () => {
  afterAll(() => slowFsync?.remove());

  test(`${sizes.budgetRace.visitors} visitors click at once and the budget's clicks are billed, by one process or two`, async () => {
    await expectKept(budgetRace(sizes.budgetRace));
  });

  test("caps of a day, an offer and an advertiser are billed exactly by two processes, one of which is killed", async () => {
    await expectKept(capRace(sizes.capRace));
  });

  test("nothing that was acknowledged is lost or doubled when the service is killed under load", async () => {
    await expectKept(crash(sizes.crash));
  });

  test("a server that sends an event until it is acknowledged has exactly one, whatever kills the service", async () => {
    await expectKept(serverCrash(sizes.serverCrash));
  });

  test("while another process holds the write lock, reads go on and writes are refused honestly", async () => {
    await expectKept(lock({ holdMs: 5000, writers: 8 }));
  });

  test("a service that is asked to stop under load answers every request that it took, and keeps what it said", async () => {
    await expectKept(stopping(sizes.stopping));
  });

  test("a flood of one link takes every caller on, and costs the disk what was admitted", async () => {
    await expectKept(hopFlood({ seconds: sizes.floodSeconds, clients: 32 }));
  });

  test("refused pings from origins without end are answered alike, and cost the disk a few rows", async () => {
    await expectKept(refusedPings({ pings: sizes.refusedPings, clients: 32 }));
  });

  test("a report of a year is answered at once, and holds no decision up", async () => {
    await expectKept(reports(sizes.reports));
  });

  test("after events of every kind the reports, the counters, the events and the ledger agree", async () => {
    await expectKept(mixedEvents({ events: sizes.mixedEvents, clients: 16 }));
  });

  test.skipIf(slowFsync === null)(
    "while every fsync is held up, no write is acknowledged sooner",
    async () => {
      if (slowFsync === null) return;
      await expectKept(fsyncHeld(slowFsync, { heldMs: 300, writes: 4 }));
    },
  );

  test.skipIf(withoutPostgres)(
    "nothing that nodes acknowledged is lost or doubled when they, their database or its connections end",
    async () => {
      await expectKept(postgresCrash(sizes.postgresCrash));
    },
  );

  test("a token that was altered in one bit is refused", async () => {
    await expectKept(tokenFlips());
  });
});

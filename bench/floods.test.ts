import { describe, test } from "vitest";
import { expectKept } from "./expect-kept.ts";
import { hopFlood } from "./hop-flood.ts";
import { mixedEvents } from "./mixed-events.ts";
import { smallSizes as sizes } from "./promise-sizes.ts";
import { refusedPings } from "./refused-pings.ts";

describe("promises, kept by a real service that is asked much", { timeout: 900_000 }, () => {
  test("a flood of one link takes every caller on, and costs the disk what was admitted", async () => {
    await expectKept(hopFlood(sizes.hopFlood));
  });

  test("refused pings from origins without end are answered alike, and cost the disk a few rows", async () => {
    await expectKept(refusedPings(sizes.refusedPings));
  });

  test("after events of every kind the reports, the counters, the events and the ledger agree", async () => {
    await expectKept(mixedEvents({ events: sizes.mixedEvents, clients: 16 }));
  });
});

import { describe, test } from "vitest";
import { expectKept } from "./expect-kept.ts";
import { hopFlood } from "./hop-flood.ts";
import { wholeSizes } from "./promise-sizes.ts";
import { refusedPings } from "./refused-pings.ts";
import { reports } from "./reports.ts";

/** What of the promises in their whole sizes the nemesis does not try. */
describe("floods, and reports of much, in their whole sizes", { timeout: 900_000 }, () => {
  test("a flood of one link takes every caller on, and costs the disk what was admitted", async () => {
    await expectKept(hopFlood(wholeSizes.hopFlood));
  });

  test("refused pings from origins without end are answered alike, and cost the disk a few rows", async () => {
    await expectKept(refusedPings(wholeSizes.refusedPings));
  });

  test("a report of a year is answered at once, and holds no decision up", async () => {
    await expectKept(reports(wholeSizes.reports));
  });
});

import { afterAll, describe, expect, test } from "vitest";
import { budgetRace } from "./budget-race.ts";
import { capRace } from "./cap-race.ts";
import type { Check } from "./checks.ts";
import { crash } from "./crash.ts";
import { fsyncHeld } from "./fsync-held.ts";
import { hopFlood } from "./hop-flood.ts";
import { lock } from "./lock.ts";
import { compileSlowFsync } from "./machine/slow-fsync.ts";
import { mixedEvents } from "./mixed-events.ts";
import { reports } from "./reports.ts";
import { serverCrash } from "./server-crash.ts";
import { stopping } from "./stopping.ts";
import { tokenFlips } from "./token-flips.ts";

/** Null where nothing can delay an fsync: on anything but Linux, and without a C compiler. */
const slowFsync = await compileSlowFsync();
afterAll(() => slowFsync?.remove());

/** Each of these starts real services; one after another, so that they do not slow each other down. */
describe("promises, kept by a real service", () => {
  test("2,000 visitors click at once and the budget's 100 clicks are billed, by one process or two", async () => {
    expect(broken(await budgetRace({ visitors: 2000, cap: 100, copies: 500 }))).toEqual([]);
  }, 120_000);

  test("caps of a day, an offer and an advertiser are billed exactly by two processes, one of which is killed", async () => {
    const caps = { dayCap: 8, totalCap: 12, advertiserCap: 10 };
    expect(broken(await capRace({ clicks: 350, ...caps, kills: 1 }))).toEqual([]);
  }, 60_000);

  test("nothing that was acknowledged is lost or doubled when the service is killed under load", async () => {
    expect(broken(await crash({ clients: 32, kills: 5, acksBetweenKills: 500 }))).toEqual([]);
  }, 120_000);

  test("a server that sends an event until it is acknowledged has exactly one, whatever kills the service", async () => {
    expect(broken(await serverCrash({ clients: 16, kills: 3, acksBetweenKills: 300 }))).toEqual([]);
  }, 60_000);

  test("while another process holds the write lock, reads go on and writes are refused honestly", async () => {
    expect(broken(await lock({ holdMs: 5000, writers: 8 }))).toEqual([]);
  }, 60_000);

  test("a service that is asked to stop under load answers every request that it took, and keeps what it said", async () => {
    expect(broken(await stopping({ clients: 24, stops: 3, loadMs: 1000 }))).toEqual([]);
  }, 120_000);

  test("a flood of one link takes every caller on, and costs the disk what was admitted", async () => {
    expect(broken(await hopFlood({ seconds: 2, clients: 32 }))).toEqual([]);
  }, 60_000);

  test("a report of a year is answered at once, and holds no decision up", async () => {
    expect(broken(await reports({ rows: 100_000, mostMs: 50 }))).toEqual([]);
  }, 60_000);

  test("after events of every kind the reports, the counters, the events and the ledger agree", async () => {
    expect(broken(await mixedEvents({ events: 10_000, clients: 16 }))).toEqual([]);
  }, 60_000);

  test.skipIf(slowFsync === null)(
    "while every fsync is held up, no write is acknowledged sooner",
    async () => {
      if (slowFsync === null) return;
      expect(broken(await fsyncHeld(slowFsync, { heldMs: 300, writes: 4 }))).toEqual([]);
    },
    60_000,
  );

  test("a token that was altered in one bit is refused", async () => {
    expect(broken(await tokenFlips())).toEqual([]);
  }, 60_000);
});

const broken = (checks: readonly Check[]): readonly Check[] => {
  expect(checks.length).toBeGreaterThan(3);
  return checks.filter((check) => !check.holds);
};

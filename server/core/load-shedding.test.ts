import { type LoadClass, loadClasses } from "@offers/contract/endpoints";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pressure, retryAfterSeconds, shouldShed } from "./load-shedding.ts";

const calm: Pressure = { callsPerSecond: 5000, lateMs: 0, waiting: 0, underWay: 0 };
const shedOf = (pressure: Partial<Pressure>, draw: number): LoadClass[] =>
  loadClasses.filter((kind) => shouldShed({ ...calm, ...pressure }, kind, draw));

describe("what is turned away", () => {
  it.each([
    ["is nothing while there is nothing to do", {}, []],
    ["is nothing at a fifth of what there may be", { lateMs: 8, waiting: 8000, underWay: 60 }, []],
    ["is nothing at a fifth of what there may be in time", { lateMs: 0, waiting: 8000, underWay: 1600 }, []],
    ["begins with reports", { lateMs: 11 }, ["reports"]],
    ["goes on with the documentation", { lateMs: 13 }, ["reports", "docs"]],
    ["and the dashboard", { lateMs: 17 }, ["reports", "docs", "dashboard"]],
    ["then offers", { lateMs: 21 }, ["reports", "docs", "dashboard", "offers"]],
    ["then decisions", { lateMs: 25 }, ["reports", "docs", "dashboard", "offers", "decision"]],
    ["then events", { lateMs: 31 }, ["reports", "docs", "dashboard", "offers", "decision", "events"]],
    ["and last of all the hop", { lateMs: 41 }, [...loadClasses]],
    ["counts what waits for the disk", { waiting: 20_500 }, ["reports", "docs", "dashboard", "offers"]],
    ["is the hop too where too many calls are not answered", { underWay: 8100 }, [...loadClasses]],
    ["counts what is not answered yet", { underWay: 2100 }, ["reports"]],
    ["is nothing while few are under way, however busy the process is", { lateMs: 3, underWay: 70 }, []],
    [
      "counts each that is under way for much while the process is busy",
      { lateMs: 3, underWay: 160 },
      loadClasses.slice(0, 4),
    ],
    [
      "and all but the hop behind 300 of them",
      { lateMs: 3, underWay: 310 },
      loadClasses.filter((kind) => kind !== "hop"),
    ],
    ["does not where they wait for a disk and the process has time", { lateMs: 2.9, underWay: 310 }, []],
    [
      "nor where the process is late for another reason",
      { callsPerSecond: 199, lateMs: 50, underWay: 310 },
      [],
    ],
    ["is nothing when a process is late that nobody calls", { callsPerSecond: 199, lateMs: 1000 }, []],
    [
      "is everything but the hop when all waits for the disk, however few call",
      { callsPerSecond: 0, waiting: 45_000 },
      loadClasses.filter((kind) => kind !== "hop"),
    ],
  ] as const)("%s", (_, pressure, expected) => {
    expect(shedOf(pressure, 0)).toEqual(expected);
  });

  it("is a share of the calls that grows with what there is to do", () => {
    const offersShed = (lateMs: number, draw: number) => shouldShed({ ...calm, lateMs }, "offers", draw);
    expect([offersShed(22, 0.19), offersShed(22, 0.21)]).toEqual([true, false]);
    expect([offersShed(25, 0.49), offersShed(25, 0.51)]).toEqual([true, false]);
    expect(offersShed(30.1, 0.999)).toBe(true);
  });

  const anyPressure = fc.record({
    callsPerSecond: fc.nat(100_000),
    lateMs: fc.nat(10_000),
    waiting: fc.nat(100_000),
    underWay: fc.nat(10_000),
  });
  const anyDraw = fc.double({ min: 0, max: 0.999, noNaN: true });

  it("is never a class before the ones in front of it", () => {
    fc.assert(
      fc.property(anyPressure, anyDraw, (pressure, draw) => {
        const shed = shedOf(pressure, draw);
        expect(shed).toEqual(loadClasses.slice(0, shed.length));
      }),
    );
  });
});

it("callers come back after one, two or three seconds", () => {
  expect([0, 0.34, 0.67, 0.999].map(retryAfterSeconds)).toEqual([1, 2, 3, 3]);
});

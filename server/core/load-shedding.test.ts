import { type LoadClass, loadClasses } from "@offers/contract/endpoints";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pressure, retryAfterSeconds, shouldShed } from "./load-shedding.ts";

const calm: Pressure = { callsPerSecond: 5000, busyShare: 0.5, turnMs: 0, waiting: 0, underWay: 0 };
const busy = { busyShare: 0.8 };
const shedOf = (pressure: Partial<Pressure>, draw: number): LoadClass[] =>
  loadClasses.filter((kind) => shouldShed({ ...calm, ...pressure }, kind, draw));
const allButHop = loadClasses.filter((kind) => kind !== "hop");

describe("what is turned away", () => {
  it.each([
    ["is nothing while there is nothing to do", {}, []],
    ["is nothing at a third of what there may be", { waiting: 13_000, underWay: 2600 }, []],
    ["begins with reports", { ...busy, underWay: 46 }, ["reports"]],
    ["goes on with the documentation", { ...busy, underWay: 57 }, ["reports", "docs"]],
    ["and the dashboard", { ...busy, underWay: 68 }, ["reports", "docs", "dashboard"]],
    ["then offers", { ...busy, underWay: 80 }, ["reports", "docs", "dashboard", "offers"]],
    ["then decisions", { ...busy, underWay: 90 }, ["reports", "docs", "dashboard", "offers", "decision"]],
    ["then events, and never the hop for it", { ...busy, underWay: 1000 }, allButHop],
    [
      "is none of 64 clients who wait for one answer each",
      { ...busy, underWay: 64 },
      loadClasses.slice(0, 2),
    ],
    [
      "is nothing where they wait for a disk and the process has time",
      { busyShare: 0.79, underWay: 1000 },
      [],
    ],
    [
      "nor where few call and it is busy with something else",
      { callsPerSecond: 199, busyShare: 1, turnMs: 1000, underWay: 1000 },
      [],
    ],
    ["is nothing after one long turn of a process that has time", { busyShare: 0.79, turnMs: 1000 }, []],
    ["begins with reports in a long turn of one that has not", { ...busy, turnMs: 13 }, ["reports"]],
    ["then offers, in a longer one", { ...busy, turnMs: 22 }, ["reports", "docs", "dashboard", "offers"]],
    ["and last of all the hop", { ...busy, turnMs: 31 }, [...loadClasses]],
    ["counts what waits for the disk", { waiting: 28_500 }, ["reports", "docs", "dashboard", "offers"]],
    [
      "is everything but the hop when all waits for the disk, however few call",
      { callsPerSecond: 0, waiting: 45_000 },
      allButHop,
    ],
    ["is the hop too where too many calls are not answered", { underWay: 8100 }, [...loadClasses]],
    ["counts what is not answered yet", { underWay: 3300 }, ["reports"]],
  ] as const)("%s", (_, pressure, expected) => {
    expect(shedOf(pressure, 0)).toEqual(expected);
  });

  it("is a share of the calls that grows with what there is to do", () => {
    const offersShed = (underWay: number, draw: number) =>
      shouldShed({ ...calm, ...busy, underWay }, "offers", draw);
    expect([offersShed(80, 0.15), offersShed(80, 0.16)]).toEqual([true, false]);
    expect([offersShed(88, 0.57), offersShed(88, 0.58)]).toEqual([true, false]);
    expect(offersShed(97, 0.999)).toBe(true);
  });

  const anyPressure = fc.record({
    callsPerSecond: fc.nat(100_000),
    busyShare: fc.double({ min: 0, max: 1, noNaN: true }),
    turnMs: fc.nat(1000),
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

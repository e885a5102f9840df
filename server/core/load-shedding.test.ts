import { type LoadClass, loadClasses } from "@offers/contract/endpoints";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Pressure, shouldShed } from "./load-shedding.ts";

const calm: Pressure = { callsPerSecond: 5000, busyShare: 0.5, inTurn: 0, waiting: 0, underWay: 0 };
const busy = { busyShare: 0.9 };
const shedOf = (pressure: Partial<Pressure>, draw: number): LoadClass[] =>
  loadClasses.filter((kind) => shouldShed({ ...calm, ...pressure }, kind, draw));
const allButHop = loadClasses.filter((kind) => kind !== "hop");

describe("what is turned away", () => {
  it.each([
    ["is nothing while there is nothing to do", {}, []],
    ["is nothing at a third of what there may be", { waiting: 13_000, underWay: 2600 }, []],
    ["begins with reports", { ...busy, underWay: 38 }, ["reports"]],
    ["goes on with the documentation", { ...busy, underWay: 48 }, ["reports", "docs"]],
    ["and the dashboard", { ...busy, underWay: 57 }, ["reports", "docs", "dashboard"]],
    ["then offers", { ...busy, underWay: 67 }, ["reports", "docs", "dashboard", "offers"]],
    ["then decisions", { ...busy, underWay: 75 }, ["reports", "docs", "dashboard", "offers", "decision"]],
    ["then events, and never the hop for it", { ...busy, underWay: 1000 }, allButHop],
    [
      "is no visitor's call of 64 clients who wait for one answer each",
      { ...busy, underWay: 64 },
      loadClasses.slice(0, 3),
    ],
    [
      "is nothing where they wait for a disk and the process has time",
      { busyShare: 0.89, underWay: 1000 },
      [],
    ],
    [
      "nor where few call and it is busy with something else",
      { callsPerSecond: 199, busyShare: 1, inTurn: 1000, underWay: 1000 },
      [],
    ],
    ["is nothing where many come at once to a process that has time", { busyShare: 0.89, inTurn: 5000 }, []],
    [
      "begins with reports where many come at once to one that has not",
      { ...busy, inTurn: 330 },
      ["reports"],
    ],
    ["then offers, where more come", { ...busy, inTurn: 570 }, ["reports", "docs", "dashboard", "offers"]],
    ["and last of all the hop", { ...busy, inTurn: 810 }, [...loadClasses]],
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
    expect([offersShed(67, 0.16), offersShed(67, 0.17)]).toEqual([true, false]);
    expect([offersShed(73, 0.53), offersShed(73, 0.54)]).toEqual([true, false]);
    expect(offersShed(81, 0.999)).toBe(true);
  });

  it("is three in five of what one turn brings too much of, however much that is", () => {
    const shed = (draw: number) => shouldShed({ ...calm, ...busy, inTurn: 50_000 }, "decision", draw);
    expect([shed(0.59), shed(0.61)]).toEqual([true, false]);
  });

  const anyPressure = fc.record({
    callsPerSecond: fc.nat(100_000),
    busyShare: fc.double({ min: 0, max: 1, noNaN: true }),
    inTurn: fc.nat(10_000),
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

import { describe, expect, test } from "vitest";
import { judgeCall, judgeCounted, judgeUnasked } from "./shared-limit.ts";

describe("before anybody is asked", () => {
  test.each([
    ["the first call of a window is let in", [0, 0], { outcome: "admit", remaining: 59 }],
    ["the second is asked about", [0, 1], { outcome: "ask" }],
    ["so is one that there is plenty of room for", [2, 0], { outcome: "ask" }],
    ["and the last one that there may be room for", [59, 0], { outcome: "ask" }],
    ["one behind the last is refused unasked", [60, 0], { outcome: "refuse", remaining: 0 }],
    ["and every one after it", [75, 3], { outcome: "refuse", remaining: 0 }],
  ] as const)("%s", (_, [shared, untold], verdict) => {
    expect(judgeCall({ shared, untold }, { limit: 60, nodes: 4, isReachable: true })).toEqual(verdict);
  });
});

describe("by its number a call", () => {
  test.each([
    [1, "admit", 59],
    [59, "admit", 1],
    [60, "admit", 0],
    [61, "refuse", 0],
    [99, "refuse", 0],
  ] as const)("%i of 60: %s, and %i remain", (number, outcome, remaining) => {
    expect(judgeCounted(number, { limit: 60 })).toEqual({ outcome, remaining });
  });
});

describe("where nobody answers", () => {
  test.each([
    ["the first call is let in", [0, 0], 60, 4, "admit", 14],
    ["a quarter of the limit is let in by each of four nodes", [0, 14], 60, 4, "admit", 0],
    ["and no more", [0, 15], 60, 4, "refuse", 0],
    ["one node alone lets in the whole limit", [0, 59], 60, 1, "admit", 0],
    ["and no more than that", [0, 60], 60, 1, "refuse", 0],
    ["of what was taken when it was last told, nothing is let in again", [40, 4], 60, 4, "admit", 0],
    ["but its share of what was left", [40, 5], 60, 4, "refuse", 0],
    ["where less is left than there are nodes, nobody lets in any", [58, 0], 60, 4, "refuse", 0],
    ["however many nodes there are, each lets in the first", [0, 0], 10, 40, "admit", 0],
    ["and the second no longer", [0, 1], 10, 40, "refuse", 0],
    ["behind the last none is let in", [60, 0], 60, 1, "refuse", 0],
  ] as const)("%s", (_, [shared, untold], limit, nodes, outcome, remaining) => {
    const known = { shared, untold };
    expect(judgeUnasked(known, { limit, nodes })).toEqual({ outcome, remaining });
    expect(judgeCall(known, { limit, nodes, isReachable: false }).outcome).toBe(outcome);
  });
});

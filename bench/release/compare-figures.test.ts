import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bars } from "../bars.ts";
import { type BenchRun, comparedBars, compareFigures } from "./compare-figures.ts";

const options = { rounds: 5, requests: 20_000, wrong: [] };
const baseline: BenchRun = {
  options,
  checks: [
    { claim: "answers that should not be", holds: true, seen: "" },
    { claim: "mixed open loop at half of capacity, p99 in ms", holds: false, seen: "38 (at most 15)" },
  ],
  figures: {
    "paths.decision.ratio": 0.6,
    "websites.cpuRatio": 1,
    "mixed.p99": 38,
    "overload.refusedP99": 30,
  },
};
const compare = (figures: Record<string, number>, asked: object = options): string[] =>
  compareFigures(baseline, {
    ...baseline,
    options: { ...asked },
    figures: { ...baseline.figures, ...figures },
  }).flatMap(({ claim, holds }) => (holds ? [] : [claim]));

const decision = "decision, CPU ratio to bare Express, 0.60 at the baseline";
const mixed = "mixed open loop at half of capacity, p99 in ms, 38.00 at the baseline";
const websites = "CPU of a decision at 50,000 websites, of that at one, 1.00 at the baseline";

describe("a run of bench beside the baseline", () => {
  test.each<[string, Record<string, number>, string[]]>([
    ["is as good where nothing changed", {}, []],
    ["is as good where all became better", { "paths.decision.ratio": 0.9, "websites.cpuRatio": 0.7 }, []],
    ["may be worse within what is noise, where more is better", { "paths.decision.ratio": 0.52 }, []],
    ["is worse beyond it, where more is better", { "paths.decision.ratio": 0.5 }, [decision]],
    ["may be worse within what is noise, where less is better", { "websites.cpuRatio": 1.14 }, []],
    ["is worse beyond it, where less is better", { "websites.cpuRatio": 1.16 }, [websites]],
    ["is not judged by milliseconds, which are another machine's", { "overload.refusedP99": 45 }, []],
    ["may miss by twice as much what the baseline missed", { "mixed.p99": 75 }, []],
    ["may not miss it by more", { "mixed.p99": 77 }, [mixed]],
  ])("%s", (_, figures, worse) => {
    expect(compare(figures)).toEqual(worse);
  });

  test("is not as good where a figure is missing, or other amounts were measured", () => {
    const { "paths.decision.ratio": _, ...rest } = baseline.figures;
    const missing = compareFigures(baseline, { ...baseline, figures: rest });
    expect(missing.filter(({ holds }) => !holds)).toEqual([
      { claim: decision, holds: false, seen: "not measured" },
    ]);
    expect(compare({}, { ...options, requests: 2000 })).toEqual(["options of bench, as at the baseline"]);
    expect(compare({}, { ...options, wrong: ["503"] })).toEqual([]);
  });

  test.each<[string, BenchRun["checks"], string]>([
    [
      "may miss a bar that the baseline missed",
      [{ claim: "mixed open loop at half of capacity, p99 in ms", holds: false, seen: "40" }],
      "",
    ],
    [
      "may reach it",
      [{ claim: "mixed open loop at half of capacity, p99 in ms", holds: true, seen: "12" }],
      "",
    ],
    [
      "may miss none that it reached",
      [{ claim: "answers that should not be", holds: false, seen: "500" }],
      "answers that should not be: 500, wanted ",
    ],
    [
      "may miss one of a figure that is compared with the baseline's",
      [{ claim: "CPU of a decision at 50,000 websites, of that at one", holds: false, seen: "1.14" }],
      "",
    ],
    ["may miss none that is new", [{ claim: "bytes", holds: false, seen: "90" }], "bytes: 90, wanted "],
  ])("%s", (_, checks, seen) => {
    const [, missed] = compareFigures(baseline, { ...baseline, checks });
    expect(missed).toEqual({ claim: "bars missed that the baseline did not miss", holds: seen === "", seen });
  });

  test("has to judge whatever the baseline judged", () => {
    const [, , unjudged] = compareFigures(baseline, { ...baseline, checks: baseline.checks.slice(0, 1) });
    expect(unjudged).toEqual({
      claim: "bars of the baseline that were not judged",
      holds: false,
      seen: "mixed open loop at half of capacity, p99 in ms, wanted ",
    });
  });

  test("is excused by no bar of which the baseline has no figure", () => {
    const [answers, ...others] = baseline.checks;
    const broken = { ...baseline, checks: [{ claim: "", seen: "", ...answers, holds: false }, ...others] };
    const [, missed] = compareFigures(broken, broken);
    expect(missed?.holds).toBe(false);
  });

  test("can be as good as the baseline that we have", () => {
    const kept: BenchRun = JSON.parse(readFileSync(join(import.meta.dirname, "../baseline.json"), "utf8"));
    expect(compareFigures(kept, kept).filter(({ holds }) => !holds)).toEqual([]);
    const claims = ["answers that should not be", ...bars.map(({ claim }) => claim)];
    expect(kept.checks.map(({ claim }) => claim).filter((claim) => !claims.includes(claim))).toEqual([]);
  });

  test("compares figures that bench has, all of which are of one run", () => {
    expect(comparedBars).toHaveLength(18);
    for (const { claim } of comparedBars) expect(claim).not.toMatch(/\bin (ms|MB)\b|seconds/);
  });
});

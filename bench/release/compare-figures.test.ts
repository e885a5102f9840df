import { describe, expect, test } from "vitest";
import { type BenchRun, comparedBars, compareFigures } from "./compare-figures.ts";

const options = { rounds: 5, requests: 20_000, wrong: [] };
const baseline: BenchRun = {
  options,
  figures: { "paths.decision.ratio": 0.6, "websites.cpuRatio": 1, "mixed.p99": 10, "overload.wrong": 0 },
};
const compare = (figures: Record<string, number>, asked: object = options): string[] =>
  compareFigures(baseline, { options: { ...asked }, figures: { ...baseline.figures, ...figures } }).flatMap(
    ({ claim, holds }) => (holds ? [] : [claim]),
  );

const decision = "decision, CPU ratio to bare Express, 0.60 at the baseline";
const websites = "CPU of a decision at 50,000 websites, of that at one, 1.00 at the baseline";

describe("a run of bench beside the baseline", () => {
  test.each<[string, Record<string, number>, string[]]>([
    ["is as good where nothing changed", {}, []],
    ["is as good where all became better", { "paths.decision.ratio": 0.9, "websites.cpuRatio": 0.7 }, []],
    ["may be worse within what is noise, where more is better", { "paths.decision.ratio": 0.52 }, []],
    ["is worse beyond it, where more is better", { "paths.decision.ratio": 0.5 }, [decision]],
    ["may be worse within what is noise, where less is better", { "websites.cpuRatio": 1.14 }, []],
    ["is worse beyond it, where less is better", { "websites.cpuRatio": 1.16 }, [websites]],
    ["is not judged by milliseconds, which are another machine's", { "mixed.p99": 40 }, []],
  ])("%s", (_, figures, worse) => {
    expect(compare(figures)).toEqual(worse);
  });

  test("is not as good where a figure is missing, or other amounts were measured", () => {
    const { "paths.decision.ratio": _, ...rest } = baseline.figures;
    const missing = compareFigures(baseline, { options, figures: rest });
    expect(missing.filter(({ holds }) => !holds)).toEqual([
      { claim: decision, holds: false, seen: "not measured" },
    ]);
    expect(compare({}, { ...options, requests: 2000 })).toEqual(["options of bench, as at the baseline"]);
    expect(compare({}, { ...options, wrong: ["503"] })).toEqual([]);
  });

  test("compares figures that bench has, all of which are of one run", () => {
    expect(comparedBars).toHaveLength(18);
    for (const { claim } of comparedBars) expect(claim).not.toMatch(/\bin (ms|MB)\b|seconds/);
  });
});

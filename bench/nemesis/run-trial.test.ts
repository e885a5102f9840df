import { describe, expect, test } from "vitest";
import { equal } from "../checks.ts";
import { commandOf, readCommand } from "./command-line.ts";
import { exitCodeOf, type Outcome, runTrial } from "./run-trial.ts";
import type { Trial } from "./trial.ts";
import { chooseTrials, requireEngines } from "./trials.ts";

const trialOf = (id: string, run: Trial["run"] = async () => [equal("one", 1, 1)]): Trial => ({
  ...{ id, promise: "It holds.", figure: "1", run, mutants: [] },
  engines: ["sqlite"],
  profiles: ["quick", "full"],
});
const options = { profile: "quick", minutes: 1, say: () => undefined, seed: 5 } as const;

describe("a trial", () => {
  test.each<[string, Trial["run"], object]>([
    ["holds when each of its checks does", async () => [equal("one", 1, 1)], { outcome: "holds" }],
    ["is broken by one", async () => [equal("one", 1, 1), equal("two", 1, 2)], { outcome: "broken" }],
    ["has failed without a check", async () => [], { outcome: "failed", reason: "it checked nothing" }],
    [
      "has failed with an error",
      () => Promise.reject(new Error("no room")),
      { outcome: "failed", reason: expect.stringContaining("no room") },
    ],
    [
      "is skipped for a reason",
      async () => ({ skipped: "no tmpfs" }),
      { outcome: "skipped", reason: "no tmpfs" },
    ],
  ])("%s", async (_, run, wanted) => {
    expect(await runTrial(trialOf("P0.x", run), "sqlite", options)).toMatchObject(wanted);
  });

  test("draws the same numbers for the same seed, and others than its neighbour or another seed", async () => {
    const drawn: number[] = [];
    const run: Trial["run"] = async ({ random }) => {
      drawn.push(random());
      return [];
    };
    await runTrial(trialOf("P1.a", run), "sqlite", options);
    await runTrial(trialOf("P1.a", run), "sqlite", options);
    await runTrial(trialOf("P1.b", run), "sqlite", options);
    await runTrial(trialOf("P1.a", run), "sqlite", { ...options, seed: 6 });
    expect(drawn[0]).toBe(drawn[1]);
    expect(new Set(drawn).size).toBe(3);
  });
});

describe("of the trials", () => {
  const slow = { ...trialOf("P10.b"), profiles: ["full"] } satisfies Trial;
  const soak = { ...trialOf("P10.c"), profiles: ["soak"] } satisfies Trial;
  const all = [trialOf("P1.a"), trialOf("P1.b"), trialOf("P10.a"), slow, soak];
  const chosen = (only: string[] | null) => chooseTrials(all, "quick", only).map(({ id }) => id);

  test.each([
    [null, ["P1.a", "P1.b", "P10.a"]],
    [["P1"], ["P1.a", "P1.b"]],
    [
      ["P10", "P1.b"],
      ["P1.b", "P10.a", "P10.b"],
    ],
  ])("%j means %j", (only, wanted) => {
    expect(chosen(only)).toEqual(wanted);
  });

  test("none is meant by an unknown name, which is said", () => {
    expect(() => chosen(["P2"])).toThrow("--only P2: expected some of P1.a, P1.b, P10.a, P10.b, P10.c");
  });
});

describe("a run that tries nothing", () => {
  const onPostgres = { ...trialOf("P2.s"), engines: ["postgres"] } satisfies Trial;
  const soak = { ...trialOf("P32.soak"), profiles: ["soak"] } satisfies Trial;
  const all = [trialOf("P1.a"), onPostgres, soak];

  test("is refused where what is named runs in a soak alone, or never in one", () => {
    expect(() => chooseTrials(all, "quick", ["P1", "P32"])).toThrow("--only P32: runs with --soak alone");
    expect(() => chooseTrials(all, "full", ["P32.soak"])).toThrow("--only P32.soak: runs with --soak alone");
    expect(() => chooseTrials(all, "soak", ["P1"])).toThrow("--only P1: runs without --soak alone");
    expect(chooseTrials(all, "soak", ["P32"])).toEqual([soak]);
  });

  test("is refused where nothing of it runs on the engine", () => {
    expect(() => requireEngines([onPostgres], { engines: ["sqlite"] })).toThrow(
      "--engine sqlite: P2.s runs on postgres alone",
    );
    expect(() => requireEngines(all, { engines: ["sqlite"] })).not.toThrow();
  });

  test.each<[Outcome[], string[] | null, 0 | 1]>([
    [["holds", "skipped"], null, 0],
    [["holds", "skipped"], ["P1"], 1],
    [["holds", "holds"], ["P1"], 0],
    [["holds", "broken"], null, 1],
    [["failed"], null, 1],
  ])("as one that was skipped: %j of %j ends with %i", (outcomes, only, code) => {
    expect(
      exitCodeOf(
        outcomes.map((outcome) => ({ outcome })),
        { only },
      ),
    ).toBe(code);
  });
});

describe("the command line", () => {
  test("draws a seed unless one is given", () => {
    expect(readCommand([], () => 7)).toMatchObject({
      seed: 7,
      profile: "quick",
      engines: ["sqlite", "postgres"],
    });
    expect(readCommand(["--seed", "9", "--full"], () => 7)).toMatchObject({ seed: 9, profile: "full" });
  });

  test("tells how one trial is run again", () => {
    const command = readCommand(["--full", "--seed", "9"], () => 7);
    const words = commandOf(command, "P1.a", "postgres");
    expect(words).toBe("npm run nemesis -- --full --engine postgres --only P1.a --seed 9");
    expect(readCommand(words.split(" ").slice(4), () => 7)).toEqual({
      ...command,
      ...{ engines: ["postgres"], only: ["P1.a"] },
    });
  });

  test.each([["--seed", "x"], ["--engine", "mysql"], ["--full", "--soak"], ["--other"]])(
    "refuses %s %s",
    (...words) => {
      expect(() => readCommand(words, () => 7)).toThrow();
    },
  );
});

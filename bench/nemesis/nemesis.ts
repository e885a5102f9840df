import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { findPostgres } from "../../server/testing/postgres-server.ts";
import { type Command, commandOf, readCommand, usage } from "./command-line.ts";
import { tryMutants } from "./mutants.ts";
import { exitCodeOf, type Result, runTrial } from "./run-trial.ts";
import type { Trial } from "./trial.ts";
import { chooseTrials, requireEngines, trials } from "./trials.ts";

const main = async (): Promise<0 | 1> => {
  const command = readCommand(process.argv.slice(2), () => randomInt(1_000_000_000));
  // A mutant is tried as quickly as it shows.
  const chosen = chooseTrials(trials, isOfFull(command) ? "full" : command.profile, command.only);
  console.log(`nemesis, ${command.profile}, seed ${command.seed}, Node ${process.version}`);
  requireEngines(chosen, command);
  if (command.mutants) return tryMutants(chosen, command);
  const results: Result[] = [];
  for (const trial of chosen) {
    for (const engine of trial.engines.filter((one) => command.engines.includes(one))) {
      const result = await runOn(trial, engine, command);
      results.push(result);
      printResult(result, command);
    }
  }
  printTable(results);
  if (command.json !== null) await writeFile(command.json, jsonOf(results, command));
  return exitCodeOf(results, command);
};

const isOfFull = ({ mutants, profile }: Command): boolean => mutants && profile === "quick";

const runOn = (trial: Trial, engine: Result["engine"], command: Command): Promise<Result> => {
  const withoutPostgres = engine === "postgres" && findPostgres() === null;
  const run = async () => ({
    skipped: "there is no PostgreSQL here: set PG_BIN to the folder of its programs",
  });
  const { profile, seed, minutes } = command;
  const say = (line: string): void => console.log(`     ${line}`);
  return runTrial(withoutPostgres ? { ...trial, run } : trial, engine, { profile, seed, minutes, say });
};

const printResult = (result: Result, command: Command): void => {
  const { id, engine, outcome, seconds, reason, checks } = result;
  console.log(`${outcome.padEnd(7)} ${id} on ${engine}, ${seconds} s${reason && `: ${reason}`}`);
  if (outcome === "holds" || outcome === "skipped") return;
  for (const { claim, holds, seen } of checks)
    console.log(`     ${holds ? "ok  " : "FAIL"} ${claim}: ${seen}`);
  console.log(`     again: ${commandOf(command, id, engine)}`);
};

const printTable = (results: readonly Result[]): void => {
  const cells = results.map(({ id, engine, outcome, checks, seconds, figure }) => {
    const kept = checks.filter(({ holds }) => holds).length;
    return [id, engine, outcome, `${kept}/${checks.length}`, seconds.toFixed(1), figure];
  });
  const rows = [["promise", "engine", "outcome", "checks", "s", "figure"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  console.log();
  for (const row of rows) console.log(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
  const count = (wanted: Result["outcome"]): number =>
    results.filter(({ outcome }) => outcome === wanted).length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  console.log(
    `\n${count("holds")} hold, ${count("broken")} are broken, ${count("failed")} could not be tried, ` +
      `${count("skipped")} skipped; ${seconds.toFixed(0)} s`,
  );
};

const jsonOf = (results: readonly Result[], { profile, seed }: Command): string =>
  `${JSON.stringify({ profile, seed, node: process.version, results }, null, 2)}\n`;

const code = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.error(usage);
  return 1;
});
// A trial that ended half way may have left visitors at the door.
process.exit(code);

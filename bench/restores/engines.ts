import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { findPostgres, startPostgres } from "../../server/testing/postgres-server.ts";
import { readIntegrity } from "../book-file.ts";
import type { Engine } from "../cluster/start-nodes.ts";
import { repositoryRoot } from "../program.ts";
import { type Service, startService } from "../service.ts";

/** A service whose books can be copied while it works, and restored beside it. */
export type Copied = {
  service: Service;
  /** Copies the books as the guide says; the copy's name. */
  backUp(number: number): Promise<string>;
  /** All that whoever has the copy can read in it. */
  read(copy: string): Promise<Buffer>;
  /** All that the books themselves hold where such a copy could have it from. */
  readLive(): Promise<Buffer>;
  /** Starts a service on the copy, and says how whole its pages are. */
  restore(copy: string): Promise<{ service: Service; integrity: string }>;
  stop(): Promise<void>;
};

const run = promisify(execFile);
const most = { maxBuffer: 1024 * 1024 * 1024, encoding: "buffer" } as const;

/** Those that have what dumps and restores; null: this engine cannot be tried here. */
export function programsFor(engine: Engine): string | null {
  return engine === "sqlite" ? "" : findPostgres("pg_restore");
}

export function startCopied(
  engine: Engine,
  directory: string,
  environment: Record<string, string>,
): Promise<Copied> {
  return engine === "sqlite" ? copyFiles(directory, environment) : dumpServer(directory, environment);
}

const copyFiles = async (directory: string, environment: Record<string, string>): Promise<Copied> => {
  const service = await startService({ environment });
  const file = await service.databaseFile();
  return {
    service,
    backUp: async (number) => {
      const copy = join(directory, `offers-${number}.sqlite`);
      await service.admin("backup", "--to", copy);
      return copy;
    },
    read: async (copy) => readFileSync(copy),
    readLive: async () => Buffer.concat([file, `${file}-wal`].map((one) => readFileSync(one))),
    restore: async (copy) => {
      const dataDir = `${copy}.restored`;
      mkdirSync(dataDir);
      copyFileSync(copy, join(dataDir, "offers.sqlite"));
      const integrity = readIntegrity(join(dataDir, "offers.sqlite"));
      const restored = await startService({ environment, dataDir });
      return { service: restored, integrity };
    },
    stop: async () => {
      await service.stop();
    },
  };
};

/** As the page on PostgreSQL says it, without the shell's own words. */
const wordsOfPage = (): string[] => {
  const page = readFileSync(join(repositoryRoot, "docs/postgresql.md"), "utf8");
  const [, command] = /^as_offers pg_dump ((?:.*\\\n)*.*)/m.exec(page) ?? [];
  if (command === undefined)
    throw new Error("docs/postgresql.md has no line that begins with as_offers pg_dump");
  const words = command.replaceAll(/\\\n/g, " ").split(/\s+/);
  return words.filter((word) => !word.startsWith("--file") && !word.startsWith('"$'));
};

const dumpServer = async (directory: string, environment: Record<string, string>): Promise<Copied> => {
  const programs = programsFor("postgres");
  if (programs === null) throw new Error("no PostgreSQL with pg_dump was found");
  const server = await startPostgres({ programs });
  const tool = (name: string, ...words: string[]) => run(join(programs, name), words, most);
  await server.administer("create database offers");
  const of = (database: string) => ({ ...environment, DATABASE_URL: server.url(database) });
  const service = await startService({ environment: of("offers") });
  const textOf = async (...words: string[]) => (await tool("pg_dump", ...words, server.url("offers"))).stdout;
  return {
    service,
    backUp: async (number) => {
      const copy = join(directory, `offers-${number}.dump`);
      await tool("pg_dump", ...wordsOfPage(), `--file=${copy}`, server.url("offers"));
      return copy;
    },
    // The file itself is compressed.
    read: async (copy) => (await tool("pg_restore", "--file=-", copy)).stdout,
    readLive: () => textOf("--format=plain"),
    restore: async (copy) => {
      const database = `restored_${basename(copy).replaceAll(/\D/g, "")}`;
      await server.administer(`create database ${database} encoding 'UTF8' template template0`);
      const url = server.url(database);
      await tool("pg_restore", "--exit-on-error", "--no-owner", `--dbname=${url}`, copy);
      const { stdout } = await tool("pg_amcheck", "--install-missing", "--heapallindexed", url);
      rmSync(copy);
      const restored = await startService({ environment: of(database) });
      return { service: restored, integrity: stdout.toString() || "ok" };
    },
    stop: async () => {
      await service.stop();
      await server.remove();
    },
  };
};

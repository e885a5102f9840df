import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "../../../server/testing/postgres-server.ts";
import type { Engine } from "../../cluster/start-nodes.ts";
import { type Service, startService } from "../../service.ts";
import { makeTemporaryFolder } from "../../temporary-folder.ts";

/** What every check at the door is told. */
export type DoorOptions = { engine: Engine; random: () => number };

/** What the process says of itself, after a collection of its garbage. */
export type Inside = {
  rssMb: number;
  /** What its program holds: objects, and bytes beside them. */
  heldMb: number;
  /** By how much its event loop was late since it was last asked, of a hundred looks the one but worst. */
  lateMs: number;
};

export type Door = {
  service: Service;
  /** All that it has written to its log. */
  wholeLog(): string;
  /** Where its database keeps its files. */
  databaseDir: string;
  lookInside(): Promise<Inside>;
  /** Starts another process on the same books, under the same secrets. */
  startNode(): Promise<Service>;
  stop(): Promise<void>;
};

/** One service on an engine of its own, behind one trusted proxy, with limits that nobody meets unless told otherwise. */
export async function openDoor(
  { engine }: { engine: Engine },
  environment: Record<string, string> = {},
): Promise<Door> {
  const { directory, remove } = await makeTemporaryFolder("offers-door-");
  const figures = join(directory, "inside.json");
  const database = engine === "postgres" ? await startPostgres() : null;
  const stopDatabase = async (): Promise<void> => {
    await database?.remove();
    await remove();
  };
  try {
    await database?.administer("create database offers");
    let log = "";
    const onOutput = (text: string): void => {
      log += text;
    };
    const settings = {
      TRUST_PROXY_HOPS: "1",
      RATE_LIMIT_FACTOR: "100000",
      TOKEN_SECRET: randomBytes(48).toString("base64"),
      ...(database && { DATABASE_URL: database.url("offers") }),
      ...environment,
    };
    const looked = {
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "inside.ts")}`,
      INSIDE_FIGURES: figures,
    };
    const service = await startService({ onOutput, environment: { ...settings, ...looked } });
    const others: Service[] = [];
    return {
      service,
      wholeLog: () => log,
      databaseDir: database?.dataDir ?? service.dataDir,
      lookInside: () => lookInside(service.pid, figures),
      startNode: async () => {
        const shared = database === null ? { dataDir: service.dataDir } : {};
        const node = await startService({ onOutput, environment: settings, ...shared });
        others.push(node);
        return node;
      },
      stop: async () => {
        try {
          for (const node of [...others, service]) await node.stop();
        } finally {
          await stopDatabase();
        }
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

const lookInside = async (pid: number, figures: string): Promise<Inside> => {
  await rm(figures, { force: true });
  process.kill(pid, "SIGWINCH");
  const deadline = Date.now() + 10_000;
  for (;;) {
    const text = await readFile(figures, "utf8").catch(() => null);
    if (text !== null) {
      const { rss, heapUsed, external, lateMs } = JSON.parse(text) as Record<string, number>;
      return {
        rssMb: (rss ?? 0) / 1e6,
        heldMb: ((heapUsed ?? 0) + (external ?? 0)) / 1e6,
        lateMs: lateMs ?? 0,
      };
    }
    if (Date.now() > deadline) throw new Error("the service said nothing of itself within 10 s");
    await pause(20);
  }
};

/** Does it for each of a list, so many at a time. Answers in no order. */
export async function forEachOf<T>(
  list: readonly T[],
  atOnce: number,
  run: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const turn = async (): Promise<void> => {
    while (next < list.length) {
      const at = next;
      next += 1;
      await run(list[at] as T, at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, turn));
}

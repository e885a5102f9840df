import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { PostgresServer } from "../../server/testing/postgres-server.ts";

/**
 * Holds the process by which a standby receives what the primary writes. `lose` ends it with what it has not read; resolves
 * when the standby, which starts anew then, can be made the primary.
 */
export function holdReceiver(standby: PostgresServer): { lose(): Promise<void>; release(): void } {
  const pid = receiverOf(standby.pid());
  process.kill(pid, "SIGSTOP");
  return {
    release: () => process.kill(pid, "SIGCONT"),
    lose: async () => {
      process.kill(pid, "SIGKILL");
      while (isAlive(pid)) await pause(5);
      for (;;) {
        try {
          await standby.administer("select pg_is_in_recovery()");
          return;
        } catch {
          await pause(20);
        }
      }
    },
  };
}

const receiverOf = (server: number): number => {
  const found = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .find((name) => parentOf(name) === server && read(name, "cmdline").includes("walreceiver"));
  if (found === undefined) throw new Error("the standby receives nothing");
  return Number(found);
};

const parentOf = (name: string): number => Number(/^PPid:\s+(\d+)/m.exec(read(name, "status"))?.[1]);

/** It may be gone by now. */
const read = (name: string, what: string): string => {
  try {
    return readFileSync(`/proc/${name}/${what}`, "latin1");
  } catch {
    return "";
  }
};

const isAlive = (pid: number): boolean => read(String(pid), "cmdline") !== "";

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const markOf = /^running-(\d+)$/;

/**
 * Leaves a mark of this process in the data directory for as long as it runs, and takes away those of processes that have
 * ended without doing so: they were killed, have crashed, or their machine has stopped. What cannot be read or written there
 * marks nothing, and keeps nobody from starting.
 */
export function markRunning(dataDir: string): { cut: number; remove: () => void } {
  const own = join(dataDir, `running-${process.pid}`);
  const remove = (): void => quietly(() => rmSync(own, { force: true }));
  let cut = 0;
  quietly(() => {
    for (const name of readdirSync(dataDir)) {
      const [, pid] = markOf.exec(name) ?? [];
      if (pid === undefined || isRunning(Number(pid))) continue;
      rmSync(join(dataDir, name));
      cut += 1;
    }
    writeFileSync(own, "");
  });
  return { cut, remove };
}

/** Another process, that is: of a container each has the same number. */
const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // The directory is full, or not to be written: the database will say so.
  }
};

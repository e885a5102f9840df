import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const markOf = /^running-(?<pid>\d+)(?:-(?<start>\d+)-(?<boot>[\da-f]+))?$/;

/**
 * Leaves a mark of this process in the data directory for as long as it runs, and takes away those of processes that have
 * ended without doing so: they were killed, have crashed, or their machine has stopped. What cannot be read or written there
 * marks nothing, and keeps nobody from starting.
 */
export function markRunning(dataDir: string): { cut: number; remove: () => void } {
  const boot = bootOf();
  const start = startOf("self");
  // All of it stands in the name: a file whose machine stops may be left without its content.
  const isTold = boot !== null && start !== null;
  const own = join(dataDir, `running-${process.pid}${isTold ? `-${start}-${boot}` : ""}`);
  const remove = (): void => quietly(() => rmSync(own, { force: true }));
  let cut = 0;
  quietly(() => {
    for (const name of readdirSync(dataDir)) {
      const mark = markOf.exec(name)?.groups;
      if (mark === undefined || isOfRunning(mark, boot)) continue;
      rmSync(join(dataDir, name));
      cut += 1;
    }
    writeFileSync(own, "");
  });
  return { cut, remove };
}

/** Of another process, that is: of a container each has the same number. A number alone may be somebody else's by now. */
const isOfRunning = (mark: Record<string, string | undefined>, boot: string | null): boolean => {
  const pid = Number(mark.pid);
  if (pid === process.pid || !isRunning(pid)) return false;
  if (mark.boot === undefined || boot === null) return true;
  return mark.boot === boot && mark.start === (startOf(pid) ?? mark.start);
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Which start of the machine this is; null where the system does not tell. */
const bootOf = (): string | null =>
  textOf("/proc/sys/kernel/random/boot_id")?.trim().replaceAll("-", "") ?? null;

/**
 * When a process began, in ticks since its machine did; null where the system does not tell. It is the 22nd figure of
 * proc_pid_stat(5), of which the second one, a name in brackets, may hold anything.
 */
const startOf = (pid: number | "self"): string | null => {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
};

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
};

const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // The directory is full, or not to be written: the database will say so.
  }
};

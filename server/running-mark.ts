import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canSignal, isRunning } from "./store/is-running.ts";

const markOf = /^running-(?<pid>\d+)(?:-(?<start>\d+))?$/;

/**
 * Leaves a mark of this process in the data directory for as long as it runs, and takes away those of processes that have
 * ended without doing so: they were killed, have crashed, or their machine has stopped. What cannot be read or written there
 * marks nothing, and keeps nobody from starting.
 */
export function markRunning(dataDir: string, proc = "/proc"): { cut: number; remove: () => void } {
  const start = startOf("self", proc);
  // All of it stands in the name: a file whose machine stops may be left without its content.
  const own = join(dataDir, `running-${process.pid}${start === null ? "" : `-${start}`}`);
  const remove = (): void => quietly(() => rmSync(own, { force: true }));
  let cut = 0;
  quietly(() => {
    for (const { name, isOfAnother } of marksIn(dataDir, proc)) {
      if (isOfAnother) continue;
      // One that is not to be removed, or that a second start has removed by now, keeps no other from being looked at.
      quietly(() => {
        rmSync(join(dataDir, name));
        cut += 1;
      });
    }
  });
  quietly(() => writeFileSync(own, ""));
  return { cut, remove };
}

/**
 * A service, another one than this process, that runs with this data directory, by its number and the file that is its mark;
 * null: none is seen. Of another container none is.
 * @throws the system's error where the directory cannot be read.
 */
export function runningService(dataDir: string): { pid: number; mark: string } | null {
  const found = marksIn(dataDir, "/proc").find(({ isOfAnother }) => isOfAnother);
  return found === undefined ? null : { pid: found.pid, mark: join(dataDir, found.name) };
}

const marksIn = (dataDir: string, proc: string) =>
  readdirSync(dataDir).flatMap((name) => {
    const mark = markOf.exec(name)?.groups;
    return mark === undefined ? [] : [{ name, pid: Number(mark.pid), isOfAnother: isOfRunning(mark, proc) }];
  });

/**
 * Of another process, that is: of a container each has the same number. A number alone may be somebody else's by now, and is
 * what there is where the system tells no start. The unit hides every other process, also one of the same user, such as the
 * second one while the first is started anew: that one can be signalled, and another user's, which has left no mark, cannot.
 */
const isOfRunning = (mark: Record<string, string | undefined>, proc: string): boolean => {
  const pid = Number(mark.pid);
  if (pid === process.pid) return false;
  if (mark.start === undefined) return isRunning(pid);
  const start = startOf(pid, proc);
  return start === null ? canSignal(pid) : start === mark.start;
};

/**
 * When a process began, in ticks since its machine did; null where the system does not tell. It is the 22nd figure of
 * proc_pid_stat(5), of which the second one, a name in brackets, may hold anything. Which start of the machine that was
 * is not asked: the unit hides /proc/sys, and one user's process has the same number and the same tick no second time.
 */
const startOf = (pid: number | "self", proc: string): string | null => {
  try {
    const stat = readFileSync(`${proc}/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
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

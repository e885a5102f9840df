import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** CPU time of a process in nanoseconds, by thread. */
export type CpuReading = Map<string, { name: string; ns: number }>;

/** What a process used between two readings. `writer`: the busiest of its worker threads. */
export type CpuUsed = { main: number; writer: number; rest: number; all: number };

/** Exact where `/proc/PID/stat` counts hundredths of a second. Empty where there is no /proc. */
export async function readCpu(pid: number): Promise<CpuReading> {
  const reading: CpuReading = new Map();
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  await Promise.all(
    threads.map(async (thread) => {
      const read = (file: string) => readFile(`/proc/${pid}/task/${thread}/${file}`, "utf8").catch(() => "0");
      const [name, schedule] = await Promise.all([read("comm"), read("schedstat")]);
      reading.set(thread, { name: name.trim(), ns: Number(schedule.split(" ")[0]) });
    }),
  );
  return reading;
}

/** Node names the threads of `node:worker_threads` so, and those of V8 and of libuv otherwise. */
const workerName = "WorkerThread";

export function cpuBetween(pid: number, before: CpuReading, after: CpuReading): CpuUsed {
  let [main, writer, all] = [0, 0, 0];
  for (const [thread, { name, ns }] of after) {
    const used = ns - (before.get(thread)?.ns ?? 0);
    all += used;
    if (thread === String(pid)) main += used;
    else if (name === workerName) writer = Math.max(writer, used);
  }
  return { main, writer, rest: all - main - writer, all };
}

/** What the process does after its last answer belongs to that answer. Waits at most three seconds. */
export async function untilIdle(pid: number): Promise<CpuReading> {
  let before = await readCpu(pid);
  for (let turn = 0; turn < 30; turn += 1) {
    await pause(100);
    const after = await readCpu(pid);
    // Half a percent of a core.
    if (cpuBetween(pid, before, after).all < 500_000) return after;
    before = after;
  }
  return before;
}

/** Resident memory in megabytes of a million bytes; not a number where there is no /proc. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

/** The same once the service has given back what it does so at rest: it looks each half a minute whether the last one was a rest. */
export async function restedMb(pid: number): Promise<number> {
  await untilIdle(pid);
  await pause(62_000);
  return residentMb(pid);
}

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { type Path, paths } from "./load/plan.ts";
import { latestOnly, partOf, readSamples, type StackSample, workers } from "./profile/read-samples.ts";
import { repositoryRoot } from "./program.ts";
import { measure, type Sample } from "./rounds/measure.ts";
import { type RunningWorld, startWorld } from "./rounds/world.ts";

const usage = "node bench/profile.ts [--only decision,hop…] [--requests 40000] [--least 0.5]";

/**
 * Where the CPU of the five busy paths goes: samples of the stacks, taken by Linux' `perf` while a closed loop runs, by
 * thread, by the file that was at work and by who did the work for it. A function that was compiled into its caller is its
 * caller's.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: paths.join(",") },
      requests: { type: "string", default: "40000" },
      least: { type: "string", default: "0.5" },
    },
  });
  const only = values.only.split(",");
  const unknown = only.filter((name) => !paths.some((path) => path === name));
  if (unknown.length > 0) throw new Error(`--only: no path is called ${unknown.join(", ")}\n${usage}`);
  const folder = await mkdtemp(join(tmpdir(), "offers-profile-"));
  const running = await startWorld({
    websites: 2000,
    offers: 30,
    environment: { NODE_OPTIONS: "--perf-basic-prof --interpreted-frames-native-stack" },
  });
  /** Where perf looks for it and V8 writes it. */
  const map = `/tmp/perf-${running.service.pid}.map`;
  try {
    const requests = Number(values.requests);
    for (const path of paths) await run(running, path, 20_000);
    for (const path of paths) {
      // Those that are not asked for feed those that are.
      if (!only.includes(path)) {
        await run(running, path, requests);
        continue;
      }
      const recording = join(folder, path);
      const stopRecording = record(running.service.pid, recording);
      const sample = await run(running, path, requests);
      await stopRecording();
      // V8 goes on writing where it was, and leaves a hole before that.
      await writeFile(map, latestOnly((await readFile(map, "utf8")).replaceAll("\0", "")));
      print(path, sample, await samplesOf(recording), running.service.pid, Number(values.least));
      await rm(recording);
    }
  } finally {
    await running.stop();
    await rm(map, { force: true });
    await rm(folder, { recursive: true });
  }
};

const run = async ({ service, load }: RunningWorld, path: Path, requests: number): Promise<Sample> => {
  const wrong: string[] = [];
  const sample = await measure(service, load, path, { requests, clients: 64, wrong });
  if (wrong.length > 0) throw new Error(wrong.join("; "));
  return sample;
};

/** The clock and not a counter of the processor, which a machine that is shared does not lend. */
const record = (pid: number, file: string): (() => Promise<void>) => {
  const words = ["record", "-q", "-e", "cpu-clock", "-F", "1499", "-g", "-p", String(pid), "-o", file];
  const child = spawn("perf", words, { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  return async () => {
    child.kill("SIGINT");
    await ended;
  };
};

const samplesOf = async (file: string): Promise<StackSample[]> => {
  const { stdout } = await promisify(execFile)(
    "perf",
    ["script", "-i", file, "-F", "comm,tid,ip,sym,dso", "--no-inline"],
    { maxBuffer: 2 ** 30 },
  );
  return readSamples(stdout);
};

const print = (
  path: Path,
  { main: ofMain, writer: ofWriter, rest }: Sample,
  samples: readonly StackSample[],
  pid: number,
  least: number,
): void => {
  const writer = busiest(samples.filter(({ thread, name }) => thread !== pid && name === "WorkerThread"));
  const threads = [
    ["main thread", ofMain, samples.filter(({ thread }) => thread === pid)],
    ["writer", ofWriter, samples.filter(({ thread }) => thread === writer)],
    ["rest", rest, samples.filter(({ thread }) => thread !== pid && thread !== writer)],
  ] as const;
  for (const [thread, micros, own] of threads) {
    console.log(`\n${path}, ${thread}: ${micros.toFixed(1)} µs, ${own.length} samples`);
    console.log(`${"".padEnd(56)}${["all", ...workers].map((word) => word.padStart(12)).join("")}`);
    const byFile = Map.groupBy(
      own.map((sample) => partOf(sample, repositoryRoot)),
      ({ file }) => file,
    );
    const rows = [...byFile].map(([file, parts]) => ({
      file,
      cells: [parts.length, ...workers.map((worker) => parts.filter(({ by }) => by === worker).length)].map(
        (count) => (count * micros) / own.length,
      ),
    }));
    const told = rows.filter(({ cells: [all = 0] }) => all >= least);
    const others = rows.filter((row) => !told.includes(row));
    told.sort((one, other) => (other.cells[0] ?? 0) - (one.cells[0] ?? 0));
    const sums = (list: typeof rows) =>
      ["all", ...workers].map((_, at) => list.reduce((sum, { cells }) => sum + (cells[at] ?? 0), 0));
    for (const { file, cells } of [
      ...told,
      { file: `${others.length} more`, cells: sums(others) },
      { file: "all", cells: sums(rows) },
    ])
      console.log(`${file.padEnd(56)}${cells.map((value) => value.toFixed(1).padStart(12)).join("")}`);
  }
};

const busiest = (samples: readonly StackSample[]): number | undefined => {
  const byThread = [...Map.groupBy(samples, ({ thread }) => thread)];
  return byThread.sort(([, one], [, other]) => other.length - one.length)[0]?.[0];
};

await main();

import { readdir, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { runCheckCommand } from "../books.ts";
import { atLeast, atMost, type Check, equal } from "../checks.ts";
import type { LoadResult } from "../load/plan.ts";
import { residentMb } from "../machine/process-figures.ts";
import { median, type RoundOptions } from "../rounds/measure.ts";
import { findCapacity, mostConnections } from "../rounds/mixed.ts";
import { type RunningWorld, startWorld } from "../rounds/world.ts";
import { onDatabase } from "./on-database.ts";
import type { TrialOptions } from "./trial.ts";

/** So many equal parts has the time; of an hour ten minutes each. */
const parts = 6;
const sampleMs = 2000;
/** Kept-alive connections that nobody uses are closed by then. */
const idleMs = 8000;
const clients = 32;

/** What is seen of the process in one part. */
type Part = { megabytes: number; logMegabytes: number; result: LoadResult };

/** To so much SQLite cuts its log when it begins it anew (`journal_size_limit`). */
const mostLogMb = 67.2;

/**
 * Lets mixed traffic run for long at a third of what the service can take: it takes no more memory, no more descriptors and no
 * more time in the end than at the beginning, and its books add up.
 */
export async function soak({ engine, minutes, random, say }: TrialOptions): Promise<Check[]> {
  return onDatabase(engine, async (environment) => {
    const seed = Math.floor(random() * 1e9);
    const running = await startWorld({ websites: 1, offers: 30, environment, seed });
    try {
      return await runParts(running, minutes, say);
    } finally {
      await running.stop();
    }
  });
}

const runParts = async (
  running: RunningWorld,
  minutes: number,
  say: (line: string) => void,
): Promise<Check[]> => {
  const { service } = running;
  const options: RoundOptions = {
    ...{ rounds: 1, requests: 0, warmUp: 4000, clients, websites: 1, scale: 1 },
    ...{ wrong: [], say },
  };
  const capacity = await findCapacity(running, options);
  const perSecond = capacity / 3;
  const descriptorsBefore = await idleDescriptors(service.pid);
  say(`capacity ${capacity.toFixed(0)}/s, so ${perSecond.toFixed(0)}/s for ${minutes} minutes`);
  const seen: Part[] = [];
  for (let part = 0; part < parts; part += 1) {
    const { megabytes, logMegabytes, result } = await runPart(running, perSecond, (minutes * 60) / parts);
    seen.push({ megabytes, logMegabytes, result });
    say(
      `part ${part + 1} of ${parts}: ${result.good} good, p50 ${result.goodMs.p50.toFixed(1)} ms, ` +
        `p99 ${result.goodMs.p99.toFixed(1)} ms, ${megabytes.toFixed(0)} MB; generator p99 ${result.latenessMs.toFixed(1)} ms`,
    );
  }
  const descriptors = await idleDescriptors(service.pid);
  return [
    ...trafficChecks(seen, perSecond * minutes * 60),
    ...growthChecks(seen),
    ...(service.databaseUrl === null ? [logCheck(seen)] : []),
    atMost("descriptors at rest beside those before", descriptors - descriptorsBefore, 4),
    equal("recount", await runCheckCommand(service, "recount"), ""),
    equal("audit", await runCheckCommand(service, "audit"), ""),
    equal("exit code when it is asked to stop", String(await service.terminate()), "0"),
  ];
};

const runPart = async (
  { load, service }: RunningWorld,
  perSecond: number,
  seconds: number,
): Promise<Part> => {
  const samples: number[] = [];
  const log = service.databaseUrl === null ? `${await service.databaseFile()}-wal` : null;
  let logBytes = 0;
  const timer = setInterval(async () => {
    samples.push(await residentMb(service.pid));
    const size =
      log === null
        ? 0
        : await stat(log).then(
            (file) => file.size,
            () => 0,
          );
    logBytes = Math.max(logBytes, size);
  }, sampleMs);
  const phases = [{ perSecond, seconds }];
  const [result] = await load.run({
    url: service.url,
    traffic: "mixed",
    shape: { kind: "open", phases, mostConnections },
  });
  clearInterval(timer);
  return { megabytes: median(samples), logMegabytes: logBytes / 1e6, result };
};

const idleDescriptors = async (pid: number): Promise<number> => {
  await pause(idleMs);
  return (await readdir(`/proc/${pid}/fd`)).length;
};

const trafficChecks = (seen: readonly Part[], due: number): Check[] => {
  const sum = (of: (result: LoadResult) => number): number =>
    seen.reduce((all, { result }) => all + of(result), 0);
  const wrong = seen.flatMap(({ result }) => Object.keys(result.wrong));
  return [
    atLeast(
      "good answers",
      sum(({ good }) => good),
      Math.floor(due * 0.95),
    ),
    equal("answers neither good nor 503", [...new Set(wrong)].join(), ""),
    atMost("refused, of a thousand", (1000 * sum(({ refused }) => refused)) / due, 1),
    atMost(
      "sent again for a connection that was closed as they were sent, of a thousand",
      (1000 * sum(({ resent }) => resent)) / due,
      1,
    ),
  ];
};

const logCheck = (seen: readonly Part[]): Check => {
  const most = Math.max(...seen.map(({ logMegabytes }) => logMegabytes));
  return atMost("the database's log at its longest, in MB", Math.round(most * 10) / 10, mostLogMb);
};

/** Of the parts, the first is the time in which caches fill. */
const growthChecks = (seen: readonly Part[]): Check[] => {
  const [, second] = seen;
  const last = seen.at(-1);
  if (second === undefined || last === undefined) throw new Error("there were too few parts");
  const rounded = (ratio: number): number => Math.round(ratio * 1000) / 1000;
  return [
    atMost(
      "memory in the last part, of that in the second",
      rounded(last.megabytes / second.megabytes),
      1.05,
    ),
    atMost(
      "p99 in the last part, of that in the second",
      rounded(last.result.goodMs.p99 / second.result.goodMs.p99),
      1.2,
    ),
  ];
};

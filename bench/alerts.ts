import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { allowanceSeconds, type Proof, proveFaults, unexplained } from "./alerts/prove-faults.ts";
import { type Alert, type AlertLine, readAlerts, readAlertTable } from "./alerts/read-alerts.ts";
import { scrapeSeconds as everySeconds, type Scene } from "./alerts/scene.ts";
import { startScenes, stopScenes } from "./alerts/start-scenes.ts";
import { watchAlerts } from "./alerts/watch-alerts.ts";
import { wellOnPostgres, wellOnSqlite } from "./alerts/well-scenes.ts";
import { atLeast, type Check, equal, printChecks } from "./checks.ts";
import { repositoryRoot } from "./program.ts";
import { type Prometheus, promtoolProgram, startPrometheus } from "./prometheus.ts";

/**
 * Has a real Prometheus with the rules as they stand read real services, makes a fault for every alert, and ends with 1
 * where one does not fire within its window, or fires without its fault. `--quiet MINUTES` makes none, and expects none.
 */

const rules = join(repositoryRoot, "operations/alerts.yml");
/** Everything has to be silent for so long before the first fault: some windows, and what the start itself had to show. */
const calmSeconds = 60;
/** Visitors at each service while nothing is done. */
const quietPerSecond = 10;

const main = async (): Promise<0 | 1> => {
  const { values } = parseArgs({
    options: {
      /** Minutes without a fault. */
      quiet: { type: "string" },
      /** Names of `allScenes`, separated by commas; left out: all. */
      only: { type: "string" },
    },
  });
  const alerts = readAlerts(await readFile(rules, "utf8"));
  const lines = readAlertTable(await readFile(join(repositoryRoot, "docs/alerts.md"), "utf8"));
  await checkByPromtool();
  return values.quiet === undefined
    ? prove(alerts, lines, values.only?.split(",") ?? null)
    : stayQuiet(Number(values.quiet));
};

const prove = async (
  alerts: readonly Alert[],
  lines: readonly AlertLine[],
  only: readonly string[] | null,
): Promise<0 | 1> => {
  const { scenes, skipped } = await startScenes(only);
  const prometheus = await watchScenes(scenes);
  const watch = watchAlerts(prometheus);
  try {
    await pause(calmSeconds * 1000);
    const early = watch.fired().map(({ job, name }) => `${name} of ${job}`);
    const [proofs, absent] = await Promise.all([proveFaults(scenes, { lines, watch }), unwatched()]);
    printProofs(proofs);
    const proven = new Set(
      proofs.filter(({ tookSeconds }) => tookSeconds !== null).map(({ alert }) => alert),
    );
    const never = alerts.map(({ name }) => name).filter((name) => !proven.has(name));
    return printChecks("Alerts by their faults", [
      equal("rules that Prometheus reads otherwise than we do", await readOtherwise(prometheus, alerts), ""),
      equal("alerts that fired before there was a fault", early.join(", "), ""),
      equal("alerts that fired and that nothing explains", unexplained(scenes, watch).join(", "), ""),
      ...proofs.map(checkOf),
      absent,
      ...(only === null ? [equal("alerts that no fault has set off", never.join(", "), "")] : []),
      equal("faults that this machine cannot make", skipped.join("; "), ""),
    ]);
  } finally {
    await watch.end();
    await stopAll(scenes, prometheus);
  }
};

/** Well services and visitors alone. */
const stayQuiet = async (minutes: number): Promise<0 | 1> => {
  const scenes = await Promise.all([wellOnSqlite(quietPerSecond), wellOnPostgres(quietPerSecond)]);
  const prometheus = await watchScenes(scenes);
  try {
    console.log(
      `  nothing is done for ${minutes} minutes, but by ${quietPerSecond} visitors a second at each service`,
    );
    await pause(minutes * 60_000);
    const ofAll = (state: string) =>
      `count by (alertname, job) (count_over_time(ALERTS{alertstate="${state}"}[${minutes + 5}m]))`;
    const counted = await Promise.all(scenes.map(({ job }) => visitorsOf(prometheus, job, minutes)));
    const seen = await Promise.all(["firing", "pending"].map((state) => prometheus.ask(ofAll(state))));
    const [firing = "", pending = ""] = seen.map((answer) =>
      typeof answer === "string"
        ? answer
        : answer.map(({ metric }) => `${metric.alertname} of ${metric.job}`).join(", "),
    );
    if (pending !== "") console.log(`  pending for a while, and not longer than they may be: ${pending}`);
    return printChecks(`Alerts in ${minutes} quiet minutes`, [
      equal("alerts that fired", firing, ""),
      ...counted.flat(),
    ]);
  } finally {
    await stopAll(scenes, prometheus);
  }
};

/** Without anybody in it an hour would be quiet as well. */
const visitorsOf = async (prometheus: Prometheus, job: string, minutes: number): Promise<Check[]> => {
  const least = 0.9 * quietPerSecond * 60 * minutes;
  const counts = {
    decisions: `offers_decisions_total{job="${job}"}`,
    "clicks that count": `offers_events_total{job="${job}",type="click",outcome="counted"}`,
  };
  const checks = Object.entries(counts).map(async ([what, series]) => {
    const answer = await prometheus.ask(`sum(${series})`);
    const seen = typeof answer === "string" ? Number.NaN : (answer[0]?.value ?? 0);
    return atLeast(`${what} of ${job}`, seen, least);
  });
  return Promise.all(checks);
};

const watchScenes = async (scenes: readonly Scene[]): Promise<Prometheus> => {
  const jobs = Object.fromEntries(scenes.map(({ job, ports }) => [job, ports]));
  return startPrometheus({ jobs, everySeconds, rules }).catch(async (error: unknown) => {
    await stopScenes(scenes);
    throw error;
  });
};

const stopAll = async (scenes: readonly Scene[], prometheus: Prometheus): Promise<void> => {
  await prometheus.stop();
  await stopScenes(scenes);
};

/** A Prometheus that nobody has told where the service is. */
const unwatched = async (): Promise<Check> => {
  const prometheus = await startPrometheus({ jobs: {}, everySeconds, rules });
  const watch = watchAlerts(prometheus);
  try {
    const fires = await watch.untilFired("", "OffersNoNodeReady", performance.now() + 150_000);
    return equal("a Prometheus without a service says that no node is ready", String(fires), "true");
  } finally {
    await watch.end();
    await prometheus.stop();
  }
};

const checkOf = ({ alert, job, fault, withinSeconds, tookSeconds, wasEarly }: Proof): Check => ({
  claim: `${alert} of ${job} (${fault}), in seconds`,
  holds: tookSeconds !== null && tookSeconds <= withinSeconds + allowanceSeconds && !wasEarly,
  seen: wasEarly
    ? "before its fault"
    : `${tookSeconds ?? "never"} (at most ${withinSeconds} + ${allowanceSeconds})`,
});

const printProofs = (proofs: readonly Proof[]): void => {
  const rows = proofs.toSorted((one, other) => one.alert.localeCompare(other.alert));
  console.log("  alert                      fired after  within  by");
  for (const { alert, fault, withinSeconds, tookSeconds } of rows) {
    const took = tookSeconds === null ? "never" : `${tookSeconds} s`;
    console.log(`  ${alert.padEnd(26)} ${took.padStart(11)}  ${`${withinSeconds} s`.padStart(6)}  ${fault}`);
  }
};

/** Names and durations of the rules, compared with what Prometheus has loaded. */
const readOtherwise = async (prometheus: Prometheus, alerts: readonly Alert[]): Promise<string> => {
  type Loaded = { groups: { rules: { name: string; duration: number; labels: Record<string, string> }[] }[] };
  const { groups } = await prometheus.read<Loaded>("/api/v1/rules");
  const told = (name: string, seconds: number, severity = "") => `${name} ${seconds} s ${severity}`;
  const theirs = groups.flatMap((group) =>
    group.rules.map(({ name, duration, labels }) => told(name, duration, labels.severity)),
  );
  const ours = alerts.map(({ name, forSeconds, severity }) => told(name, forSeconds, severity));
  return [
    ...theirs.filter((one) => !ours.includes(one)),
    ...ours.filter((one) => !theirs.includes(one)),
  ].join("; ");
};

const checkByPromtool = async (): Promise<void> => {
  const said = await promisify(execFile)(promtoolProgram, ["check", "rules", rules]).catch(
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    },
  );
  console.log(said === null ? "  promtool is not there: it checks no rules" : said.stdout.trim());
};

process.exitCode = await main();

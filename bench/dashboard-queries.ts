import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../server/testing/postgres-server.ts";
import { type Check, equal, printChecks } from "./checks.ts";
import { freePort } from "./free-port.ts";
import { repositoryRoot } from "./program.ts";
import { type RunningWorld, startWorld } from "./rounds/world.ts";

/**
 * Has a real Prometheus read a service under load, and asks it every question of the Grafana dashboard: each must be
 * one that it understands, and have an answer.
 */

/** What is read of the dashboard's file, */
type Dashboard = { panels: { title: string; description?: string; targets?: { expr: string }[] }[] };
/** and of what Prometheus answers. */
type Answered =
  | { status: "success"; data: { result: { value: [at: number, number: string] }[] } }
  | { status: "error"; error: string };

type Engine = "sqlite" | "postgres";
/** By what a panel's description begins with where the other engine has nothing to tell. */
const aloneOn: Record<Engine, string> = { sqlite: "SQLite alone", postgres: "PostgreSQL alone" };
const loadSeconds = 25;

const main = async (): Promise<0 | 1> => {
  const { values } = parseArgs({
    options: {
      engine: { type: "string", default: "sqlite" },
      /** How long everything stays up afterwards, for somebody who wants to look. */
      stay: { type: "string", default: "0" },
    },
  });
  const engine = values.engine === "postgres" ? "postgres" : "sqlite";
  const server = engine === "postgres" ? await startPostgres({ settings: { fsync: "on" } }) : null;
  try {
    await server?.administer("create database dashboard");
    const port = await freePort();
    const world = await startWorld({
      websites: 1,
      offers: 30,
      environment: {
        METRICS_ADDRESS: `127.0.0.1:${port}`,
        ...(server && { DATABASE_URL: server.url("dashboard") }),
      },
    });
    try {
      return await lookAt(world, { engine, port, stayMs: Number(values.stay) * 1000 });
    } finally {
      await world.stop();
    }
  } finally {
    await server?.remove();
  }
};

const lookAt = async (
  world: RunningWorld,
  { engine, port, stayMs }: { engine: Engine; port: number; stayMs: number },
): Promise<0 | 1> => {
  const prometheus = await startPrometheus(port);
  try {
    await playVisitors(world);
    const checks = await askEverything(prometheus.url, engine);
    if (stayMs > 0) {
      console.log(`Prometheus is at ${prometheus.url}`);
      await pause(stayMs);
    }
    return printChecks(`The questions of the dashboard, on ${engine}`, checks);
  } finally {
    await prometheus.stop();
  }
};

/** Visitors of a usual day, beside callers who are refused, and an operator who counts again. */
const playVisitors = async ({ service, load }: RunningWorld): Promise<void> => {
  const shape = { kind: "timed", clients: 4, seconds: loadSeconds } as const;
  const visitors = load.run({ url: service.url, traffic: "mixed", shape });
  await service.admin("recount");
  for (let turn = 0; turn < loadSeconds * 2; turn += 1) {
    await fetch(`${service.url}/v1/decision`);
    await fetch(`${service.url}/nothing`);
    await pause(250);
  }
  await visitors;
};

const askEverything = async (url: string, engine: Engine): Promise<Check[]> => {
  const text = await readFile(join(repositoryRoot, "operations/grafana.json"), "utf8");
  const { panels }: Dashboard = JSON.parse(text);
  const other = aloneOn[engine === "sqlite" ? "postgres" : "sqlite"];
  const checks: Check[] = [];
  for (const { title, description = "", targets = [] } of panels) {
    if (targets.length === 0) continue;
    const found = await Promise.all(targets.map(({ expr }) => ask(url, expr)));
    const wrong = found.filter((answer) => typeof answer === "string");
    if (wrong.length > 0) checks.push(equal(`${title}: understood`, wrong.join("; "), ""));
    // A panel may ask for both engines; of one alone it must say so.
    const isTold = found.some((answer) => typeof answer === "number" && answer > 0);
    const isForOther = description.startsWith(other);
    const claim = isForOther ? `${title} (${other})` : title;
    checks.push(equal(claim, isTold ? "told" : "nothing", isForOther ? "nothing" : "told"));
  }
  return checks;
};

/** How many series answer, with numbers; or what is wrong with the question. */
const ask = async (url: string, expr: string): Promise<number | string> => {
  const query = expr.replaceAll("$__rate_interval", "15s").replaceAll("$node", ".*");
  const answer = await fetch(`${url}/api/v1/query`, { method: "POST", body: new URLSearchParams({ query }) });
  const said: Answered = JSON.parse(await answer.text());
  if (said.status === "error") return said.error;
  return said.data.result.filter(({ value: [, number] }) => number !== "NaN").length;
};

const startPrometheus = async (target: number): Promise<{ url: string; stop: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), "offers-prometheus-"));
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(directory, "prometheus.yml");
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", scrape_timeout: "1s" },
      scrape_configs: [{ job_name: "offers", static_configs: [{ targets: [`127.0.0.1:${target}`] }] }],
    }),
  );
  const words = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=${address}`,
    "--log.level=warn",
  ];
  const child = spawn(process.env.PROMETHEUS_BIN ?? "prometheus", words, {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(directory, { recursive: true, force: true });
  };
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://${address}`;
  try {
    await Promise.race([untilAnswered(`${url}/-/ready`), failed(child)]);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const failed = async (child: ChildProcess): Promise<never> => {
  const [why] = await Promise.race([once(child, "exit"), once(child, "error")]);
  throw new Error(`Prometheus does not run: ${why instanceof Error ? why.message : `it ended with ${why}`}`);
};

const untilAnswered = async (url: string): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    await pause(100);
  }
  throw new Error(`${url} does not answer`);
};

const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
};

process.exitCode = await main();

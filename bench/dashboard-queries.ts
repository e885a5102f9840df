import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../server/testing/free-port.ts";
import { startPostgres } from "../server/testing/postgres-server.ts";
import { type Check, equal, printChecks } from "./checks.ts";
import { repositoryRoot } from "./program.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { type RunningWorld, startWorld } from "./rounds/world.ts";

/**
 * Has a real Prometheus read a service under load, and asks it every question of the Grafana dashboard: each must be
 * one that it understands, and have an answer.
 */

/** What is read of the dashboard's file. */
type Dashboard = { panels: { title: string; description?: string; targets?: { expr: string }[] }[] };

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
        METRICS_PORT: String(port),
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
  const prometheus = await startPrometheus({ jobs: { offers: [port] }, everySeconds: 1 });
  try {
    await playVisitors(world);
    const checks = await askEverything(prometheus, engine);
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

const askEverything = async (prometheus: Prometheus, engine: Engine): Promise<Check[]> => {
  const text = await readFile(join(repositoryRoot, "operations/grafana.json"), "utf8");
  const { panels }: Dashboard = JSON.parse(text);
  const other = aloneOn[engine === "sqlite" ? "postgres" : "sqlite"];
  const checks: Check[] = [];
  for (const { title, description = "", targets = [] } of panels) {
    if (targets.length === 0) continue;
    const found = await Promise.all(targets.map(({ expr }) => countAnswers(prometheus, expr)));
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
const countAnswers = async ({ ask }: Prometheus, expr: string): Promise<number | string> => {
  const said = await ask(expr.replaceAll("$__rate_interval", "15s").replaceAll("$node", ".*"));
  return typeof said === "string" ? said : said.filter(({ value }) => !Number.isNaN(value)).length;
};

process.exitCode = await main();

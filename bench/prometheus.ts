import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { atExit } from "../server/testing/at-exit.ts";
import { freePort } from "../server/testing/free-port.ts";

/** What one series answers. */
export type Answered = { metric: Record<string, string>; value: number };

export type Prometheus = {
  url: string;
  /** What a question is answered, or what is wrong with it. */
  ask(query: string): Promise<Answered[] | string>;
  /** Reads its interface, such as `/api/v1/alerts`. */
  read<T>(path: string): Promise<T>;
  stop(): Promise<void>;
};

export type PrometheusPlan = {
  /** The ports at which metrics are told, by the name of their job. */
  jobs: Readonly<Record<string, readonly number[]>>;
  /** How many seconds lie between two scrapes. */
  everySeconds: number;
  /** Whole path of a file with rules, whose groups say how often they are evaluated. */
  rules?: string;
};

/** What its interface answers. */
type Told<T> = { status: "success"; data: T } | { status: "error"; error: string };
type Vector = { result: { metric: Record<string, string>; value: [at: number, number: string] }[] };

/** The program: where `PROMETHEUS_BIN` says, or the one that is installed. */
const prometheusProgram = process.env.PROMETHEUS_BIN ?? "prometheus";
/** What checks rules and tries them, which stands beside it. */
export const promtoolProgram =
  dirname(prometheusProgram) === "." ? "promtool" : join(dirname(prometheusProgram), "promtool");

/** Starts a Prometheus with a configuration and data of its own, and resolves when it answers. */
export async function startPrometheus({ jobs, everySeconds, rules }: PrometheusPlan): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), "offers-prometheus-"));
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(directory, "prometheus.yml");
  const every = `${everySeconds}s`;
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: every, scrape_timeout: every },
      ...(rules !== undefined && { rule_files: [rules] }),
      scrape_configs: Object.entries(jobs).map(([job, ports]) => ({
        job_name: job,
        static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }],
      })),
    }),
  );
  const words = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(directory, "data")}`,
    `--web.listen-address=${address}`,
    "--log.level=warn",
  ];
  const child = spawn(prometheusProgram, words, { stdio: ["ignore", "inherit", "inherit"] });
  const callOff = atExit(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(directory, { recursive: true, force: true });
    callOff();
  };
  const url = `http://${address}`;
  try {
    await Promise.race([untilAnswered(`${url}/-/ready`), failed(child)]);
  } catch (error) {
    await stop();
    throw error;
  }
  const ask = async (query: string): Promise<Answered[] | string> => {
    const answer = await fetch(`${url}/api/v1/query`, {
      method: "POST",
      body: new URLSearchParams({ query }),
    });
    const said = (await answer.json()) as Told<Vector>;
    if (said.status === "error") return said.error;
    return said.data.result.map(({ metric, value: [, number] }) => ({ metric, value: Number(number) }));
  };
  const read = async <T>(path: string): Promise<T> => {
    const said = (await (await fetch(`${url}${path}`)).json()) as Told<T>;
    if (said.status === "error") throw new Error(`${path}: ${said.error}`);
    return said.data;
  };
  return { url, ask, read, stop };
}

const failed = async (child: ChildProcess): Promise<never> => {
  const [why] = await Promise.race([once(child, "exit"), once(child, "error")]);
  throw new Error(`Prometheus does not run: ${why instanceof Error ? why.message : `it ended with ${why}`}`);
};

const untilAnswered = async (url: string): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
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

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeMmdb } from "../../server/geo/mmdb-for-tests.ts";
import { freePort } from "../../server/testing/free-port.ts";
import type { MadeWebsite } from "../catalogue.ts";
import { makeWebsite, visitorsEnvironment } from "../nemesis/scene.ts";
import { type Service, type ServiceOptions, startService } from "../service.ts";
import { located } from "./located-visitors.ts";

/** What is done to one installation, and which alerts it must set off, sooner or later. */
export type Fault = {
  /** As it is told, such as `the database is gone`. */
  what: string;
  fires: readonly string[];
  /** What else may follow, depending on the moment. Any other alert is a false one. */
  mayFire?: readonly string[];
  /** How long everything has to be as usual before. */
  afterSeconds?: number;
  /** Resolves when the fault is there. */
  make: () => Promise<void>;
};

/** One installation, which is one job of Prometheus, and its faults, one after the other; none: it stays well. */
export type Scene = {
  job: string;
  /** Where its nodes tell their metrics. */
  ports: readonly number[];
  faults: readonly Fault[];
  stop: () => Promise<void>;
};

/** A service whose metrics are told, with one website and offers. */
export type Watched = { service: Service; port: number; website: MadeWebsite };

/** Starts one as a careful operator has it: its location data is of today, and of a file there is a backup. */
export async function startWatched(options: ServiceOptions = {}): Promise<Watched> {
  const { service, port } = await startNode(options);
  try {
    const website = await makeWebsite(service);
    if (service.databaseUrl === null) await backUp(service);
    return { service, port, website };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Starts a service whose metrics are told. */
export async function startNode(options: ServiceOptions): Promise<Pick<Watched, "service" | "port">> {
  const port = await freePort();
  return withDirectory(async (directory) => {
    const database = join(directory, "today.mmdb");
    await writeFile(
      database,
      writeMmdb([[`${located}.0.0/16`, britain]], { type: source, builtAt: Date.now() }),
    );
    const environment = {
      ...visitorsEnvironment,
      METRICS_PORT: String(port),
      ...options.environment,
    };
    const service = await startService({ ...options, environment });
    // It keeps what it was given, from start to start.
    await service.admin("geo", "update", "--file", database);
    await untilLocatedBy(service, source);
    return { service, port };
  });
}

const source = "Today";
const takenWithinMs = 30_000;

/** A running service takes a database by itself. */
const untilLocatedBy = async ({ url }: Service, name: string): Promise<void> => {
  for (const until = performance.now() + takenWithinMs; performance.now() < until; await pause(100)) {
    const answer = (await (await fetch(`${url}/v1/whats-my-ip`)).json()) as { geoData?: { source: string } };
    if (answer.geoData?.source === name) return;
  }
  throw new Error(`the location data of ${name} is not taken`);
};

const britain = { country: { iso_code: "GB" } };

/** Between two scrapes, as docs/alerts.md has it; how often rules are evaluated they say themselves. */
export const scrapeSeconds = 15;

/** The copy is made, noted, and not kept. */
export async function backUp(service: Service): Promise<void> {
  await withDirectory((directory) => service.admin("backup", "--to", join(directory, "backup.sqlite")));
}

const withDirectory = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(tmpdir(), "offers-watched-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
};

/** Ends a service whatever state it is in. */
export async function endService(service: Service): Promise<void> {
  await service.kill();
  await service.stop();
}

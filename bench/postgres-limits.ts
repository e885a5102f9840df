import { setTimeout as pause } from "node:timers/promises";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { openHttpClient } from "./http-client.ts";
import { untilMinuteHas } from "./until-minute-has.ts";
import { decisionPath } from "./visitor.ts";

export type LimitsOptions = {
  nodes: number;
  /** Calls of one visitor, who has all addresses of a /64. */
  calls: number;
  /** Seconds of the load in which the database is lost. */
  seconds: number;
  /** How long no call may take. */
  mostMs: number;
};

/** Of decisions a minute (contract/endpoints.ts). */
const limit = 60;
const settledMs = 3000;
/** A window must not end while it is counted. */
const neededMs = 20_000;

/** Calls of one visitor count together on all nodes, and nobody waits for the count when the database is gone. */
export async function postgresLimits(options: LimitsOptions): Promise<Check[]> {
  const cluster = await startCluster({ nodes: options.nodes, environment: { TRUST_PROXY_HOPS: "1" } });
  try {
    const [first] = cluster.nodes;
    if (first === undefined) throw new Error("there is no node");
    const { websites } = await makeCatalogue(first, {
      websites: [{ name: "Limits", origins: ["https://limits.example"], geo: everybodyBlocked }],
      offers: [],
    });
    await pause(settledMs);
    const website = websites[0] as MadeWebsite;
    const clients = cluster.nodes.map(({ url }) => openHttpClient(url, 64));
    await untilMinuteHas(neededMs);
    const checks = [
      ...(await rotate(clients, website, options)),
      ...(await loseDatabase(cluster, clients, website, options)),
    ];
    for (const client of clients) client.close();
    return checks;
  } finally {
    await cluster.stop();
  }
}

type Clients = readonly ReturnType<typeof openHttpClient>[];

const call = async (
  clients: Clients,
  website: MadeWebsite,
  number: number,
  address: string,
): Promise<{ status: number; tookMs: number }> => {
  const from = performance.now();
  const client = clients[number % clients.length] as Clients[number];
  const headers = { origin: website.origin, "user-agent": "Mozilla/5.0", "x-forwarded-for": address };
  const { status } = await client.get(decisionPath(website), headers);
  return { status, tookMs: performance.now() - from };
};

const rotate = async (
  clients: Clients,
  website: MadeWebsite,
  { nodes, calls }: LimitsOptions,
): Promise<Check[]> => {
  const statuses: number[] = [];
  for (let sent = 0; sent < calls; sent += 20) {
    const some = Array.from({ length: Math.min(20, calls - sent) }, (_, index) => sent + index);
    const answers = await Promise.all(
      some.map((number) => call(clients, website, number, `2a02:1810:4c3e:7700:${number.toString(16)}::1`)),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  const admitted = statuses.filter((status) => status === 200).length;
  return [
    atLeast("calls of one visitor admitted by all nodes", admitted, limit),
    atMost("… and not more than the limit and one a node", admitted, limit + nodes),
    equal(
      "… and all others refused with 429",
      statuses.filter((status) => status === 429).length,
      calls - admitted,
    ),
  ];
};

/** Each visitor calls more than once: the second call asks the shared count. */
const loseDatabase = async (
  cluster: Cluster,
  clients: Clients,
  website: MadeWebsite,
  { seconds, mostMs }: LimitsOptions,
): Promise<Check[]> => {
  const times: number[] = [];
  const statuses: number[] = [];
  let isOver = false;
  const visitors = Array.from({ length: 32 }, async (_, visitor) => {
    for (let number = 0; !isOver; number += 1) {
      const address = `2a02:1810:${visitor.toString(16)}:${Math.floor(number / 8).toString(16)}::1`;
      const { status, tookMs } = await call(clients, website, number, address);
      times.push(tookMs);
      statuses.push(status);
      await pause(20);
    }
  });
  await pause((seconds * 1000) / 2);
  await cluster.primary().kill();
  await pause((seconds * 1000) / 2);
  isOver = true;
  await Promise.all(visitors);
  return [
    atLeast("calls while the database is lost", times.length, seconds * 100),
    atMost("slowest of these, in ms", Math.round(Math.max(...times)), mostMs),
    equal("of these not answered 200", statuses.filter((status) => status !== 200).length, 0),
  ];
};

if (import.meta.main) {
  const options = readNumbers({ nodes: 4, calls: 400, seconds: 10, mostMs: 1000 }, process.argv.slice(2));
  process.exitCode = printChecks("Limits of all nodes together", await postgresLimits(options));
}

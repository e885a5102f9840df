import { setTimeout as pause } from "node:timers/promises";
import { scrape, valueUnder } from "../server/testing/read-metrics.ts";
import { type AckLog, emptyLog, keptChecks, startVisits } from "./acknowledged-visits.ts";
import { everybodyBlocked, type MadeCatalogue, makeCatalogue, planOffer, untilLive } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { metricsEnvironment, metricsUrl } from "./own-metrics.ts";
import { isAlive } from "./program.ts";
import { openClients } from "./racing.ts";
import type { Service } from "./service.ts";
import { sumChecks } from "./sums.ts";
import { visitorAt, visitPage } from "./visitor.ts";

export type PostgresCrashOptions = {
  nodes: number;
  clients: number;
  /** How often a node is killed and started again. */
  nodeKills: number;
  /** How often the database ends at once, as by a loss of power, and is started again. */
  serverKills: number;
  /** How often the database ends all connections, as an operator may. */
  terminations: number;
  acksBetween: number;
  /** How long a node that was started again may take until it is ready. */
  readyMs: number;
  /** How long a node may take until it has written, after it, the database or its connections were back. */
  writtenMs: number;
};

const priceMicros = 250_000;

/**
 * Nodes, their database and the connections between them end under load, again and again: what any node has
 * acknowledged is there afterwards, once, no node ends by itself, and all sums agree.
 */
export async function postgresCrash(options: PostgresCrashOptions): Promise<Check[]> {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000", ...metricsEnvironment };
  const cluster = await startCluster({ nodes: options.nodes, environment });
  try {
    const first = firstOf(cluster);
    const made = await makeCatalogue(first, {
      websites: [{ name: "Crash", origins: ["https://crash.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass", "Dock"].map((brand) => planOffer(brand, priceMicros)),
    });
    for (const node of cluster.nodes.slice(1)) await untilLive(node, made.publisherId);
    const log = emptyLog();
    const seen = await endUnderLoad(cluster, made, log, options);
    const ends = options.nodeKills + options.serverKills + options.terminations;
    console.log(
      `  ${cluster.primary().version}; slowest in ms: ${JSON.stringify(seen.slowestMs)}; ${log.acks} acknowledged, ` +
        `${log.passedOn.size} clicks went on after three seconds; ${seen.unstoredClicks} unstored, as the nodes have it`,
    );
    return [
      atLeast("events acknowledged", log.acks, ends * options.acksBetween),
      atLeast("connections of nodes that were ended", seen.connections, 2 * options.terminations),
      equal("nodes that ended by themselves", seen.exits, 0),
      ...(await keptChecks(first, log, seen.unstoredClicks)),
      atMost("slowest restart until ready, in ms", seen.slowestMs.start, options.readyMs),
      atMost("slowest node until it has written, after that, in ms", seen.slowestMs.node, options.writtenMs),
      atMost("… after the database was back", seen.slowestMs.database, options.writtenMs),
      atMost("… after its connections were ended", seen.slowestMs.connections, options.writtenMs),
      ...(await sumChecks(first, { ...made, advertiserIds: [made.advertiserId] })),
    ];
  } finally {
    await cluster.stop();
  }
}

type Seen = {
  slowestMs: { start: number; node: number; database: number; connections: number };
  connections: number;
  exits: number;
  /** Clicks that the nodes say they have passed on. */
  unstoredClicks: number;
};

const endUnderLoad = async (
  cluster: Cluster,
  made: MadeCatalogue,
  log: AckLog,
  options: PostgresCrashOptions,
): Promise<Seen> => {
  const [website] = made.websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  const visits = startVisits(cluster.nodes, website, { clients: options.clients, log, insists: true });
  const slowestMs = { start: 0, node: 0, database: 0, connections: 0 };
  const seen: Seen = { slowestMs, connections: 0, exits: 0, unstoredClicks: 0 };
  const metricsOf = new Map(cluster.nodes.map((node) => [node, metricsUrl(node)]));
  const startAgain = async (node: Service): Promise<void> => {
    const from = performance.now();
    await node.start();
    slowestMs.start = Math.max(slowestMs.start, Math.round(performance.now() - from));
    metricsOf.set(node, metricsUrl(node));
  };
  /** To be asked before a node ends, with which its count is gone. */
  const addUnstored = async (node: Service): Promise<void> => {
    const samples = await scrape(metricsOf.get(node) ?? metricsUrl(node));
    const clicks = valueUnder(samples, "offers_unbilled_clicks_total");
    if (clicks === undefined) throw new Error("a node does not tell offers_unbilled_clicks_total");
    seen.unstoredClicks += clicks;
  };
  let lookedAt = 100_000;
  /** Until each of the nodes has handed out offers, which it does not before they are on the books. */
  const untilWritten = async (nodes: readonly Service[], what: keyof Seen["slowestMs"]): Promise<void> => {
    const from = performance.now();
    await Promise.all(
      nodes.map(async (node) => {
        const { at, close } = openClients([node], 1);
        const deadline = from + 30_000;
        while (performance.now() < deadline) {
          const isWritten = await visitPage(at(0), website, visitorAt(lookedAt++, website)).then(
            () => true,
            () => false,
          );
          if (isWritten) break;
          await pause(20);
        }
        close();
      }),
    );
    seen.slowestMs[what] = Math.max(seen.slowestMs[what], Math.round(performance.now() - from));
  };
  /** Whatever the database does, no node ends. */
  const untilAll = async (pids: readonly number[], what: keyof Seen["slowestMs"]): Promise<void> => {
    await untilWritten(
      cluster.nodes.filter(({ pid }) => isAlive(pid)),
      what,
    );
    for (const node of cluster.nodes.filter(({ pid }, at) => pid !== pids[at] || !isAlive(pid))) {
      seen.exits += 1;
      console.log(`  a node has ended by itself: ${node.log().slice(-2000)}`);
      await startAgain(node);
    }
  };
  const pidsOf = (): number[] => cluster.nodes.map(({ pid }) => pid);
  const killNode = async (turn: number): Promise<void> => {
    const node = cluster.nodes[turn % cluster.nodes.length] ?? firstOf(cluster);
    await addUnstored(node);
    await node.kill();
    await startAgain(node);
    await untilWritten([node], "node");
  };
  const killServer = async (): Promise<void> => {
    const pids = pidsOf();
    await cluster.primary().kill();
    await cluster.primary().start();
    await untilAll(pids, "database");
  };
  const terminateAll = async (): Promise<void> => {
    const pids = pidsOf();
    const ended = await cluster.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    seen.connections += ended.length;
    await untilAll(pids, "connections");
  };
  const ends = interleaved([
    { times: options.nodeKills, run: killNode },
    { times: options.serverKills, run: killServer },
    { times: options.terminations, run: terminateAll },
  ]);
  try {
    for (const end of ends) {
      await visits.untilMore(options.acksBetween);
      await end();
    }
  } catch (error) {
    await visits.stop().catch(() => undefined);
    throw error;
  }
  await visits.stop();
  for (const node of cluster.nodes) await addUnstored(node);
  return seen;
};

/** All kinds of ends spread over the run, in the same order each time. */
const interleaved = (
  kinds: readonly { times: number; run: (turn: number) => Promise<void> }[],
): (() => Promise<void>)[] =>
  kinds
    .flatMap(({ times, run }) =>
      Array.from({ length: times }, (_, turn) => ({ at: (turn + 0.5) / times, run: () => run(turn) })),
    )
    .toSorted((one, other) => one.at - other.at)
    .map(({ run }) => run);

const firstOf = ({ nodes: [first] }: Cluster): Service => {
  if (first === undefined) throw new Error("there is no node");
  return first;
};

if (import.meta.main) {
  const defaults = {
    nodes: 2,
    clients: 96,
    nodeKills: 20,
    serverKills: 6,
    terminations: 20,
    acksBetween: 1100,
    readyMs: 2000,
    writtenMs: 5000,
  };
  const options = readNumbers(defaults, process.argv.slice(2));
  process.exitCode = printChecks("Nodes and their database end under load", await postgresCrash(options));
}

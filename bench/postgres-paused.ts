import { setTimeout as pause } from "node:timers/promises";
import { factTypes } from "../server/core/fact.ts";
import { readBooks, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { visitOnAndOn } from "./cluster/acknowledged-visits.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { decideSteadily } from "./cluster/steady-load.ts";
import { countOf, storedRequests } from "./cluster/stored-requests.ts";
import { percentile } from "./load/recording.ts";
import type { Service } from "./service.ts";

export type PausedOptions = {
  pauses: number;
  /** Of each, while one node of three stands still; longer than `freedMs`. */
  pauseMs: number;
  /** Visitors of each node, who all click the same offer. */
  visitors: number;
  /** Decisions a second, of the two others. */
  rate: number;
  /** How many times the promised milliseconds an answer may take, where the machine does other things as well. */
  slack: number;
};

/** After so long without a sign of life a row of `node` is the paused node's. */
const silentMs = 2500;
const settledMs = 3000;
/** By then the server has ended whatever a node that stands still was within, and the others bill again. */
const freedMs = 4000;
/** Of three nodes the one that is paused. */
const pausedNode = 2;

/**
 * Stops a node while all of them bill the same offer: the others decide as before, and nothing counts twice when it goes on.
 * In the last pause its place is taken: it writes nothing under its old epoch, and comes back by itself.
 */
export async function postgresPaused(options: PausedOptions): Promise<Check[]> {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const cluster = await startCluster({ nodes: 3, environment });
  try {
    const { websites } = await makeCatalogue(cluster.nodes[0] as Service, {
      websites: [{ name: "Paused", origins: ["https://paused.example"], geo: everybodyBlocked }],
      offers: [planOffer("Anchor", 250_000)],
    });
    await pause(settledMs);
    return await pauseUnderLoad(cluster, websites[0] as MadeWebsite, options);
  } finally {
    for (const { pid } of cluster.nodes) if (pid !== 0) goOn(pid);
    await cluster.stop();
  }
}

const pauseUnderLoad = async (
  cluster: Cluster,
  website: MadeWebsite,
  { pauses, pauseMs, visitors, rate, slack }: PausedOptions,
): Promise<Check[]> => {
  const [first, second] = cluster.nodes as [Service, Service, Service];
  const paused = cluster.nodes[pausedNode] as Service;
  const load = visitOnAndOn(cluster.nodes, website, { visitors, clicks: true });
  await pause(settledMs);
  const times: number[] = [];
  let unanswered = 0;
  let holdingUp = 0;
  /** What the others did in each pause, once they were free. */
  const acks: number[] = [];
  const bills: number[] = [];
  const billedNow = () =>
    countOf(cluster, `fact where type = ${factTypes.click} and billed_micros is not null`);
  for (let number = 1; number <= pauses; number += 1) {
    if (await stopHoldingUp(cluster, paused)) holdingUp += 1;
    const decisions = decideSteadily([first, second], website, rate);
    await pause(freedMs);
    const [from, billedBefore] = [performance.now(), await billedNow()];
    await pause(pauseMs - freedMs);
    bills.push((await billedNow()) - billedBefore);
    acks.push(load.acknowledged.filter(({ at, node }) => at >= from && node !== pausedNode).length);
    await decisions.stop();
    goOn(paused.pid);
    times.push(...decisions.answers.map(({ tookMs }) => tookMs));
    unanswered += decisions.answers.filter(({ status }) => status !== 200).length;
    await pause(settledMs);
  }
  const fenced = await fence(cluster, paused);
  await pause(settledMs);
  const ackedBefore = load.acknowledged.length;
  await pause(settledMs);
  await load.stop();
  await pause(settledMs);
  const acknowledged = load.acknowledged.map(({ request }) => request);
  const again = load.acknowledged.slice(ackedBefore).filter(({ node }) => node === pausedNode).length;
  const [impressions, clicks] = [
    await storedRequests(cluster, "impression"),
    await storedRequests(cluster, "click"),
  ];
  const books = await readBooks(first);
  return [
    atLeast("decisions of the others meanwhile", times.length, (pauses * rate * pauseMs * 0.9) / 1000),
    equal("of these not answered", unanswered, 0),
    atMost("p99 of these, in ms", Math.round(percentile(times, 99)), 300 * slack),
    atLeast("pauses that began while the others waited for a lock of its", holdingUp, 1),
    atLeast(
      `impressions of the others acknowledged in a pause, after ${freedMs} ms`,
      Math.min(...acks),
      visitors,
    ),
    atLeast(`clicks of the others billed in a pause, after ${freedMs} ms`, Math.min(...bills), visitors),
    equal("answers that nothing explains", load.wrong.filter(isNoPause).slice(0, 3).join("; "), ""),
    atLeast("impressions acknowledged", acknowledged.length, visitors),
    equal("of these lost", acknowledged.filter((request) => !impressions.has(request)).length, 0),
    equal("impressions that count twice", doubled(impressions), 0),
    equal("clicks that count twice", doubled(clicks), 0),
    ...fenced,
    atLeast("impressions acknowledged by the fenced node afterwards", again, 1),
    atLeast("clicks billed", books.billedClicks, visitors),
    equal("ledger lines beside billed clicks", books.ledgerLines - books.billedClicks, 0),
    equal("ledger beside what was billed, in micros", books.ledgerMicros - books.billedMicros, 0),
    equal("recount", await runCheckCommand(first, "recount"), ""),
    equal("audit", await runCheckCommand(first, "audit"), ""),
  ];
};

/** Takes the place of a node that stands still, and watches its rows when it goes on. */
const fence = async (cluster: Cluster, node: Service): Promise<Check[]> => {
  process.kill(node.pid, "SIGSTOP");
  await pause(silentMs + 1000);
  const taken = await cluster.query<{ id: string; epoch: string; batch: string }>(
    `update node set epoch = epoch + 1
     where seen_at < extract(epoch from clock_timestamp()) * 1000 - ${silentMs} returning id, epoch, batch`,
  );
  goOn(node.pid);
  const wokenAt = performance.now();
  let written = 0;
  for (;;) {
    const now = await cluster.query<{ id: string; epoch: string; batch: string }>(
      "select id, epoch, batch from node where id = any($1)",
      [taken.map(({ id }) => id)],
    );
    const held = now.flatMap((row) => {
      const before = taken.find(({ id }) => id === row.id);
      return before !== undefined && before.epoch === row.epoch ? [{ before, row }] : [];
    });
    written += held.filter(({ before, row }) => before.batch !== row.batch).length;
    if (held.length === 0 || performance.now() - wokenAt > 20_000) break;
    await pause(2);
  }
  const backMs = performance.now() - wokenAt;
  await untilReady(node, wokenAt);
  return [
    equal("rows of the paused node that were taken over", taken.length, 2),
    equal("batches that it wrote under its old epoch", written, 0),
    atMost("ms until it had a place again", Math.round(backMs), 5000),
    atMost("ms until it was ready again", Math.round(performance.now() - wokenAt), 10_000),
    // Where it stood still within a transaction the server has ended that, and it takes its new place before it is told.
    equal(
      "whether its log says that it lost its place or its connection",
      String(/node_fenced|database_connection_lost/.test(node.log())),
      "true",
    ),
  ];
};

const untilReady = async (node: Service, from: number): Promise<void> => {
  while (performance.now() - from < 20_000) {
    const answer = await fetch(`${node.url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(20);
  }
};

/** A call that the paused node itself has held for longer than a client waits. */
const isNoPause = (wrong: string): boolean =>
  !(wrong.startsWith(`node ${pausedNode}: `) && wrong.includes("had no answer within 15 s"));

/** A node is within a transaction for a small part of its time, of some milliseconds each. */
const mostTriesMs = 60_000;
const restsMs = 15;
const heldUpMs = 200;

/**
 * Stops the node, and does so anew until it stands within a transaction for which somebody waits; resolves with whether it does.
 * A node that stands between two transactions holds up nobody by itself.
 */
const stopHoldingUp = async (cluster: Cluster, { pid }: Service): Promise<boolean> => {
  const seen = (what: string, ms: number): Promise<number> =>
    countOf(
      cluster,
      `pg_stat_activity where application_name like 'offers %' and ${what} < clock_timestamp() - interval '${ms} ms'`,
    );
  const deadline = performance.now() + mostTriesMs;
  for (let stop = 1; ; stop += 1) {
    process.kill(pid, "SIGSTOP");
    await pause(restsMs);
    if ((await seen("state = 'idle in transaction' and state_change", restsMs)) > 0) {
      await pause(heldUpMs);
      if ((await seen("wait_event_type = 'Lock' and query_start", heldUpMs / 2)) > 0) return true;
    }
    if (performance.now() > deadline) return false;
    goOn(pid);
    await pause(20 + (stop % 10));
  }
};

const doubled = (stored: ReadonlyMap<string, number>): number =>
  [...stored.values()].filter((times) => times > 1).length;

const goOn = (pid: number): void => {
  process.kill(pid, "SIGCONT");
};

if (import.meta.main) {
  const options = readNumbers(
    { pauses: 3, pauseMs: 10_000, visitors: 20, rate: 100, slack: 1 },
    process.argv.slice(2),
  );
  process.exitCode = printChecks("A paused node", await postgresPaused(options));
}

import { setTimeout as pause } from "node:timers/promises";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Acknowledged, visitOnAndOn } from "./cluster/acknowledged-visits.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { decideSteadily } from "./cluster/steady-load.ts";
import { storedRequests } from "./cluster/stored-requests.ts";
import { holdReceiver } from "./cluster/wal-receiver.ts";
import { openHttpClient } from "./http-client.ts";
import type { Service } from "./service.ts";
import { reportEvent, requestOf, visitorAt, visitPage } from "./visitor.ts";

export type FailoverOptions = {
  /** Visitors of each of two nodes. */
  visitors: number;
  /** Of load before the primary is lost, and after the standby has taken its place. */
  loadMs: number;
  backMs: number;
};

/** As long as an operator's tool needs to be sure that the primary is gone. */
const noticeMs = 500;
/** What an asynchronous standby does not read before the primary is lost. */
const heldMs = 400;
const settledMs = 2000;

/**
 * Loses the primary under load. With a standby that every commit waits for nothing that was acknowledged is lost, though it
 * has stopped receiving before; without that wait it is, and this program sees it. A wait that somebody cancels is a no.
 */
export async function postgresFailover(options: FailoverOptions): Promise<Check[]> {
  return [
    ...(await withCluster("synchronous", (cluster, website) =>
      failOver("the primary is lost", cluster, website, options),
    )),
    ...(await withCluster("synchronous", (cluster, website) => loseUnread(cluster, website, options))),
    ...(await withCluster("asynchronous", (cluster, website) => seeLoss(cluster, website, options))),
    ...(await withCluster("synchronous", cancelWait)),
  ];
}

const withCluster = async (
  standby: "synchronous" | "asynchronous",
  run: (cluster: Cluster, website: MadeWebsite) => Promise<Check[]>,
): Promise<Check[]> => {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const cluster = await startCluster({ nodes: 2, standby, environment });
  try {
    const { websites } = await makeCatalogue(cluster.nodes[0] as Service, {
      websites: [{ name: "Failover", origins: ["https://failover.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy"].map((brand) => ({ brand, landingUrl: "https://landing.example/" })),
    });
    await pause(settledMs);
    return await run(cluster, websites[0] as MadeWebsite);
  } finally {
    await cluster.stop();
  }
};

const failOver = async (
  name: string,
  cluster: Cluster,
  website: MadeWebsite,
  { visitors, loadMs, backMs }: FailoverOptions,
): Promise<Check[]> => {
  const load = visitOnAndOn(cluster.nodes, website, { visitors, clicks: false });
  const decisions = decideSteadily(cluster.nodes, website, 50);
  await pause(loadMs);
  const lostAt = performance.now();
  await cluster.primary().kill();
  await pause(noticeMs);
  await cluster.promote();
  const promotedAt = performance.now();
  await pause(loadMs + settledMs);
  await load.stop();
  await decisions.stop();
  await pause(settledMs);
  const kept = decisions.answers.map(({ request }) => request);
  const blocked = await storedRequests(cluster, "blocked");
  return [
    ...(await lossChecks(name, cluster, load.acknowledged)),
    equal(`${name}: answers that nothing explains`, load.wrong.slice(0, 3).join("; "), ""),
    equal(`${name}: decisions without an answer`, kept.filter((request) => request === "").length, 0),
    equal(`${name}: kept visits that are lost`, kept.filter((request) => !blocked.has(request)).length, 0),
    equal(`${name}: nodes that record again`, nodesAfter(load.acknowledged, promotedAt).length, 2),
    atMost(
      `${name}: ms until each node recorded again`,
      Math.round(Math.max(...nodesAfter(load.acknowledged, lostAt + noticeMs)) - lostAt),
      backMs,
    ),
  ];
};

/** When each node has acknowledged something for the first time after a moment. */
const nodesAfter = (acknowledged: readonly Acknowledged[], moment: number): number[] =>
  [0, 1].flatMap((node) => acknowledged.find((ack) => ack.node === node && ack.at > moment)?.at ?? []);

const lossChecks = async (
  name: string,
  cluster: Cluster,
  acknowledged: readonly Acknowledged[],
): Promise<Check[]> => {
  const stored = await storedRequests(cluster, "impression");
  return [
    atLeast(`${name}: impressions acknowledged`, acknowledged.length, 50),
    equal(`${name}: of these lost`, acknowledged.filter(({ request }) => !stored.has(request)).length, 0),
    equal(`${name}: recorded twice`, [...stored.values()].filter((times) => times > 1).length, 0),
  ];
};

/** What the standby has not received when the primary is lost, nobody was told to be recorded. */
const loseUnread = async (
  cluster: Cluster,
  website: MadeWebsite,
  options: FailoverOptions,
): Promise<Check[]> => lossChecks("a receiver held", cluster, await holdAndLose(cluster, website, options));

const seeLoss = async (
  cluster: Cluster,
  website: MadeWebsite,
  options: FailoverOptions,
): Promise<Check[]> => {
  const acknowledged = await holdAndLose(cluster, website, options);
  const stored = await storedRequests(cluster, "impression");
  const lost = acknowledged.filter(({ request }) => !stored.has(request)).length;
  return [
    atLeast("an asynchronous receiver held: impressions acknowledged", acknowledged.length, 50),
    atLeast("an asynchronous receiver held: of these lost, which is seen here", lost, 1),
  ];
};

const holdAndLose = async (
  cluster: Cluster,
  website: MadeWebsite,
  { visitors, loadMs }: FailoverOptions,
): Promise<readonly Acknowledged[]> => {
  const load = visitOnAndOn(cluster.nodes, website, { visitors, clicks: false });
  await pause(loadMs);
  const standby = cluster.standby();
  if (standby === null) throw new Error("there is no standby");
  const receiver = holdReceiver(standby);
  await pause(heldMs);
  await cluster.primary().kill();
  await receiver.lose();
  await cluster.promote();
  await pause(loadMs + settledMs);
  await load.stop();
  return load.acknowledged;
};

/** Each commit waits for a standby that receives nothing; somebody who operates the server cancels that. */
const cancelWait = async (cluster: Cluster, website: MadeWebsite): Promise<Check[]> => {
  const client = openHttpClient((cluster.nodes[0] as Service).url, 8);
  const standby = cluster.standby();
  if (standby === null) throw new Error("there is no standby");
  const visits = await Promise.all(
    Array.from({ length: 5 }, async (_, number) => {
      const visitor = visitorAt(number, website);
      const { decision, offers } = await visitPage(client, website, visitor);
      const [offer] = offers;
      if (offer === undefined) throw new Error("no offers were handed out");
      return { visitor, requestId: decision.requestId, offer };
    }),
  );
  const receiver = holdReceiver(standby);
  const answers: { status: number; tookMs: number }[] = [];
  let cancelled = 0;
  const sentAt = performance.now();
  const sending = visits.map(async (visit) => {
    const { status } = await reportEvent(client, "impression", visit.visitor, visit);
    answers.push({ status, tookMs: performance.now() - sentAt });
  });
  while (answers.length < visits.length) {
    const rows = await cluster.query<{ done: boolean }>(
      `select pg_cancel_backend(pid) as done from pg_stat_activity
       where wait_event = 'SyncRep' and application_name like 'offers%'`,
    );
    cancelled += rows.length;
    await pause(20);
  }
  await Promise.all(sending);
  receiver.release();
  const again = await untilTaken(client, visits);
  client.close();
  const stored = await storedRequests(cluster, "impression");
  const requests = visits.map(({ requestId }) => requestOf(requestId));
  return [
    atLeast("waits for a standby that were cancelled", cancelled, 1),
    equal("… of whose impressions acknowledged", answers.filter(({ status }) => status < 300).length, 0),
    equal("… and refused with 503", answers.filter(({ status }) => status === 503).length, visits.length),
    equal("… taken once the standby receives", again, visits.length),
    equal(
      "… and recorded once",
      requests.filter((request) => stored.get(request) === 1).length,
      visits.length,
    ),
  ];
};

const untilTaken = async (
  client: ReturnType<typeof openHttpClient>,
  visits: readonly (Parameters<typeof reportEvent>[3] & { visitor: Parameters<typeof reportEvent>[2] })[],
): Promise<number> => {
  let taken = 0;
  for (const visit of visits) {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const { status } = await reportEvent(client, "impression", visit.visitor, visit);
      if (status === 204) taken += 1;
      if (status !== 503) break;
      await pause(100);
    }
  }
  return taken;
};

if (import.meta.main) {
  const options = readNumbers({ visitors: 16, loadMs: 2000, backMs: 3000 }, process.argv.slice(2));
  process.exitCode = printChecks("Failover", await postgresFailover(options));
}

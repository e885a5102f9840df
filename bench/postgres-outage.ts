import { setTimeout as pause } from "node:timers/promises";
import { readBooks, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { type Answered, decideSteadily } from "./cluster/steady-load.ts";
import { countOf, storedRequests } from "./cluster/stored-requests.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { percentile } from "./load/recording.ts";
import type { Service } from "./service.ts";
import { followLink, readingMs, reportEvent, type Visitor, visitorAt, visitPage } from "./visitor.ts";

export type OutageOptions = {
  /** For how long there is no database. */
  seconds: number;
  /** Decisions a second, of two nodes together, before, during and after it. */
  rate: number;
  /** How long what has waited may take to be recorded; 0: as long as `drainRate` visits a second take. */
  drainMs: number;
  drainRate: number;
  /** How many times the promised milliseconds an answer may take, where the machine does other things as well. */
  slack: number;
};

/** What the nodes take over by their poll is known by then. */
const lookMs = 100;
/** Visits that a node holds in memory when it is killed: those since its last attempt to write. */
const unsafeMs = 500;
const settledMs = 2000;
/** A drain of an outage of no time is over by then. */
const leastDrainMs = 30_000;
/** A click may wait for so long, and is billed if the database is back by then. */
const clickMs = 3500;

/**
 * Takes the database away under load: every decision is answered, events are refused honestly, clicks arrive unbilled, and
 * what was kept is recorded once the database is back, be its node killed meanwhile.
 */
export async function postgresOutage(options: OutageOptions): Promise<Check[]> {
  const cluster = await startCluster({
    nodes: 3,
    environment: { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
  });
  try {
    const [first] = cluster.nodes;
    if (first === undefined) throw new Error("there is no node");
    const made = await makeCatalogue(first, {
      websites: [{ name: "Outage", origins: ["https://outage.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => ({
        brand,
        landingUrl: "https://landing.example/?click={click_id}",
      })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    await pause(settledMs);
    return await takeAway(cluster, website, options);
  } finally {
    await cluster.stop();
  }
}

const takeAway = async (cluster: Cluster, website: MadeWebsite, options: OutageOptions): Promise<Check[]> => {
  const [one, other, victim] = cluster.nodes as [Service, Service, Service];
  const client = openHttpClient(one.url, 16);
  const visits = await Promise.all(
    Array.from({ length: 40 }, (_, number) => prepareVisit(client, website, 100_000 + number)),
  );
  await pause(readingMs);
  const billed = visits.splice(0, 10);
  for (const { visitor, url } of billed) await followLink(client, visitor, url);

  const load = decideSteadily([one, other], website, options.rate);
  await pause(3000);
  const goneAt = performance.now();
  await cluster.primary().kill();
  let isAway = true;
  const away = () => isAway;
  const clicksUntil = goneAt + options.seconds * 1000 - clickMs;
  const clicking = () => performance.now() < clicksUntil;
  const writes: Timed[] = [];
  const clicks: Timed[] = [];
  const busy = [
    ...visits.slice(0, 4).map((visit) => refuseOnAndOn(away, client, visit, writes)),
    ...visits.slice(4, 8).map((visit) => clickOnAndOn(clicking, client, visit, clicks)),
  ];
  const fromVictim = await keepUntilKilled(victim, website, (options.seconds * 1000) / 3);
  await pause(Math.max(0, options.seconds * 1000 - (performance.now() - goneAt)));
  await Promise.all(busy.splice(4));
  await cluster.primary().start();
  isAway = false;
  const backAt = performance.now();
  const drained = await untilDrained(cluster, () => keptOf(load.answers).length, options);
  const drainMs = performance.now() - backAt;
  await Promise.all(busy);
  await victim.start();
  await pause(settledMs);
  await load.stop();
  client.close();
  const stored = await untilStored(cluster, [...load.answers.map(({ request }) => request), ...fromVictim]);

  const during = load.answers.filter(({ dueAt }) => dueAt >= goneAt && dueAt < backAt);
  const times = during.map(({ tookMs }) => tookMs);
  const lost = keptOf(load.answers).filter(({ request }) => !stored.has(request));
  const books = await readBooks(one);
  const settledWrites = writes.filter(({ at }) => at > goneAt + settledMs);
  const settledClicks = clicks.filter(({ at }) => at > goneAt + 2 * settledMs);
  return [
    atLeast(
      "decisions asked for meanwhile",
      during.length,
      Math.floor(options.rate * options.seconds * 0.95),
    ),
    equal("decisions that were not answered", unansweredOf(load.answers, goneAt), ""),
    atMost("p99 of decisions meanwhile, in ms", Math.round(percentile(times, 99)), 100 * options.slack),
    atLeast("events sent meanwhile", settledWrites.length, options.seconds),
    equal(
      "events that were not refused with the time to come again",
      writes.filter(({ good }) => !good).length,
      0,
    ),
    atMost(
      "p99 of their refusals, in ms",
      Math.round(
        percentile(
          settledWrites.map(({ tookMs }) => tookMs),
          99,
        ),
      ),
      200,
    ),
    atLeast("clicks meanwhile", clicks.length, 4),
    equal("clicks that did not arrive", clicks.filter(({ good }) => !good).length, 0),
    atLeast("clicks once it is known", settledClicks.length, 1),
    atMost("slowest of them, in ms", slowest(settledClicks), 1000 * options.slack),
    equal("clicks that were billed", books.billedClicks, billed.length),
    equal("kept visits that are lost", lost.length, 0),
    atLeast("visits that the killed node had kept", fromVictim.length, 10),
    equal("of these lost", fromVictim.filter((request) => !stored.has(request)).length, 0),
    equal("visits that are recorded twice", [...stored.values()].filter((times) => times > 1).length, 0),
    options.drainMs > 0
      ? atMost("ms until what had waited was recorded", Math.round(drainMs), options.drainMs)
      : atLeast(
          "visits recorded a second, under load",
          Math.round(drained / (drainMs / 1000)),
          options.drainRate,
        ),
    equal("recount", await runCheckCommand(one, "recount"), ""),
    equal("audit", await runCheckCommand(one, "audit"), ""),
  ];
};

type Visit = {
  visitor: Visitor;
  requestId: string;
  offer: Parameters<typeof reportEvent>[3]["offer"];
  url: string;
};
type Timed = { at: number; tookMs: number; good: boolean };

const prepareVisit = async (client: HttpClient, website: MadeWebsite, number: number): Promise<Visit> => {
  const visitor = visitorAt(number, website);
  const { decision, offers } = await visitPage(client, website, visitor);
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offers were handed out");
  return { visitor, requestId: decision.requestId, offer, url: offer.url };
};

const refuseOnAndOn = async (
  going: () => boolean,
  client: HttpClient,
  visit: Visit,
  seen: Timed[],
): Promise<void> => {
  while (going()) {
    const at = performance.now();
    const { status, headers } = await reportEvent(client, "impression", visit.visitor, visit).catch(broken);
    // The last one may have waited until the database was back.
    if (!going()) return;
    const good = status === 503 && /^[1-9]\d*$/.test(headers["retry-after"] ?? "");
    seen.push({ at, tookMs: performance.now() - at, good });
    await pause(lookMs);
  }
};

const clickOnAndOn = async (
  going: () => boolean,
  client: HttpClient,
  { visitor, url }: Visit,
  seen: Timed[],
): Promise<void> => {
  while (going()) {
    const at = performance.now();
    const { status } = await followLink(client, visitor, url).catch(broken);
    seen.push({ at, tookMs: performance.now() - at, good: status === 302 });
    await pause(lookMs);
  }
};

/** Decisions of one node until it is killed; those that its disk must have. */
const keepUntilKilled = async (victim: Service, website: MadeWebsite, ms: number): Promise<string[]> => {
  const load = decideSteadily([victim], website, 50);
  const from = performance.now();
  await pause(ms);
  const killedAt = performance.now();
  await victim.kill();
  await load.stop();
  return load.answers
    .filter(({ dueAt, status }) => status === 200 && dueAt > from && dueAt < killedAt - unsafeMs)
    .map(({ request }) => request);
};

/**
 * Waits until no more is unrecorded than half a second brings, or for as long as no drain may take: what is lost is never
 * recorded. Resolves with how many visits were recorded meanwhile.
 */
const untilDrained = async (
  cluster: Cluster,
  answered: () => number,
  { rate, seconds }: OutageOptions,
): Promise<number> => {
  const deadline = performance.now() + leastDrainMs + 2 * seconds * 1000;
  const before = await countOf(cluster, "fact where type = 1");
  for (let stored = before; ; stored = await countOf(cluster, "fact where type = 1")) {
    if (answered() - stored < rate / 2 || performance.now() > deadline) return stored - before;
    await pause(lookMs);
  }
};

const untilStored = async (cluster: Cluster, wanted: readonly string[]): Promise<Map<string, number>> => {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const stored = await storedRequests(cluster, "blocked");
    const isAll = wanted.every((request) => request === "" || stored.has(request));
    if (isAll || performance.now() > deadline) return stored;
    await pause(settledMs);
  }
};

/** Nobody is left without an answer: it is counted as none. */
const broken = (error: unknown): { status: number; headers: Record<string, string> } => {
  console.error(String(error));
  return { status: 0, headers: {} };
};

const keptOf = (answers: readonly Answered[]): readonly Answered[] =>
  answers.filter(({ status }) => status === 200);

/** How many, by status or by what broke the connection, and how long after the loss the first and the last of them were due. */
const unansweredOf = (answers: readonly Answered[], goneAt: number): string => {
  const missing = answers.filter(({ status }) => status !== 200);
  const statuses = [...new Set(missing.map(({ status, broken }) => broken ?? status))].join(", ");
  const at = missing.map(({ dueAt }) => Math.round(dueAt - goneAt)).sort((one, other) => one - other);
  return missing.length === 0 ? "" : `${missing.length} (${statuses}), from ${at[0]} to ${at.at(-1)} ms`;
};

const slowest = (timed: readonly Timed[]): number =>
  Math.round(timed.reduce((most, { tookMs }) => Math.max(most, tookMs), 0));

if (import.meta.main) {
  const options = readNumbers(
    { seconds: 30, rate: 500, drainMs: 5000, drainRate: 5000, slack: 1 },
    process.argv.slice(2),
  );
  process.exitCode = printChecks("PostgreSQL away", await postgresOutage(options));
}

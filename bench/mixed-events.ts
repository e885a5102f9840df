import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { issueKey } from "./api-key.ts";
import { rowsOf } from "./book-rows.ts";
import {
  countEvents,
  type EventSum,
  eventFigures,
  readBooks,
  readEventSums,
  runCheckCommand,
} from "./books.ts";
import {
  everybodyBlocked,
  type MadeCatalogue,
  type MadeWebsite,
  makeCatalogue,
  untilLive,
} from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { startProxy } from "./cluster/proxy.ts";
import { type Engine, startNodes, takeEngine } from "./cluster/start-nodes.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { CommandFailed } from "./operator.ts";
import type { Service } from "./service.ts";
import { followLink, readingMs, reportEvent, visitorAt, visitPatiently } from "./visitor.ts";

export type MixedEventsOptions = {
  events: number;
  clients: number;
  engine?: Engine | undefined;
  /** Several are behind a proxy. */
  nodes?: number;
};

/**
 * Sends events of every kind, of pages and of servers, good ones, repeated ones and ones that do not count, until the
 * database holds `events` of them; then the reports, the counters, the events and the ledger must all agree.
 */
export async function mixedEvents(options: MixedEventsOptions): Promise<Check[]> {
  const { engine, nodes: count = 1 } = options;
  const trusted = count === 1 ? "1" : "2";
  const environment = { TRUST_PROXY_HOPS: trusted, RATE_LIMIT_FACTOR: "100000" };
  const nodes = await startNodes({ engine, nodes: count, environment });
  const service = nodes.first;
  const proxy = count === 1 ? null : await startProxy(nodes.all.map(({ url }) => url));
  const client = openHttpClient(proxy?.url ?? service.url, options.clients);
  try {
    const made = await makeCatalogue(service, {
      websites: [
        { name: "One", origins: ["https://one.example"], geo: everybodyBlocked },
        { name: "Two", origins: ["https://two.example"], geo: everybodyBlocked },
      ],
      offers: ["Anchor", "Buoy", "Cable", "Deck"].map((brand, at) => ({
        brand,
        landingUrl: "https://landing.example/?click={click_id}",
        vertical: at % 2 === 0 ? "travel" : "energy",
        payoutModel: at === 1 ? "CPM" : "CPC",
        ...(at === 2 && { caps: { "total-click-cap": "50" } }),
      })),
    });
    for (const node of nodes.all.slice(1)) await untilLive(node, made.publisherId);
    const key = await issueKey(service);
    // One website by its publisher's share, the other by its own, both of which leave parts of micro-units.
    await service.admin(
      "publisher",
      "update",
      "--publisher",
      made.publisherId,
      "--share-basis-points",
      "3333",
    );
    const [, two] = made.websites.map(({ websiteKey }) => websiteKey);
    await service.admin("website", "update", "--website", two ?? "", "--share-basis-points", "7001");
    for (const node of nodes.all) await untilLive(node, made.publisherId);
    await sendUntil(service, client, { made, key, ...options });
    return [
      ...(await checkAgreement(nodes.all, client, key, options.events)),
      ...(await checkStatement(service, made)),
      equal(
        "nodes that answered none",
        proxy === null ? 0 : [...proxy.answered.values()].filter((calls) => calls === 0).length,
        0,
      ),
    ];
  } finally {
    client.close();
    await proxy?.close();
    await nodes.stop();
  }
}

type Work = { made: MadeCatalogue; key: Record<string, string>; events: number; clients: number };

/** What follows a page's visit: most visitors read the offers first, some click too soon. */
type FollowUp = { dueAt: number; run: () => Promise<void> };

const sendUntil = async (service: Service, client: HttpClient, work: Work): Promise<void> => {
  const followUps: FollowUp[] = [];
  const countEvery = Math.max(200, Math.round(work.events / 50));
  let next = 0;
  let stored = 0;
  const sender = async (): Promise<void> => {
    while (stored < work.events) {
      while ((followUps[0]?.dueAt ?? Number.POSITIVE_INFINITY) <= performance.now())
        await followUps.shift()?.run();
      next += 1;
      if (next % 3 === 0) await serverVisit(client, work, next);
      else followUps.push(await pageVisit(client, work, next));
      if (next % countEvery === 0) stored = await countEvents(service);
    }
  };
  await Promise.all(Array.from({ length: work.clients }, sender));
};

const websiteAt = ({ websites }: MadeCatalogue, number: number): MadeWebsite => {
  const website = websites[number % websites.length];
  if (website === undefined) throw new Error("the catalogue has no website");
  return website;
};

/** A decision, its offers, and some of: impressions, a beacon before or after the hop, the same once more. */
const pageVisit = async (client: HttpClient, { made }: Work, number: number): Promise<FollowUp> => {
  const website = websiteAt(made, number);
  const visitor = visitorAt(number, website);
  const { decision, offers } = await visitPatiently(client, website, visitor);
  for (const [at, offer] of offers.entries()) {
    const event = { requestId: decision.requestId, offer };
    if ((number + at) % 2 === 0) await reportEvent(client, "impression", visitor, event);
    if ((number + at) % 10 === 0) await reportEvent(client, "impression", visitor, event);
  }
  const dueAt = performance.now() + (number % 8 === 1 ? 0 : readingMs);
  const run = async (): Promise<void> => {
    const offer = offers[number % offers.length];
    if (offer === undefined || number % 4 === 0) return;
    const event = { requestId: decision.requestId, offer };
    if (number % 2 === 0) await reportEvent(client, "click", visitor, event);
    await followLink(client, visitor, offer.url);
    if (number % 5 === 0) await reportEvent(client, "click", visitor, event);
    if (number % 7 === 0) await followLink(client, visitor, offer.url);
  };
  return { dueAt, run };
};

/** A server's decision with all that follows, and events that name none, of these and earlier days. */
const serverVisit = async (client: HttpClient, { made, key }: Work, number: number): Promise<void> => {
  const { websiteKey } = websiteAt(made, number);
  const headers = { ...key, "content-type": "application/json" };
  const answer = await client.get(
    `/v1/decision?website=${websiteKey}&ip=198.18.${(number >> 8) & 255}.${number & 255}`,
    key,
  );
  const { requestId, offer } = JSON.parse(answer.body) as { requestId: string; offer?: { id: string } };
  const post = (body: object, more: Record<string, string> = {}) =>
    client.post("/v1/events", JSON.stringify({ websiteKey, ...body }), { ...headers, ...more });
  const offerId = offer?.id ?? made.offers[0]?.offerId;
  for (const type of ["served", "impression", "click"]) {
    if (number % 4 > 0) await post({ type, offerId, requestId });
    if (number % 8 === 1)
      await post({ type, offerId, requestId }, { "idempotency-key": `${number}-${type}` });
    if (number % 8 === 1)
      await post({ type, offerId, requestId }, { "idempotency-key": `${number}-${type}` });
  }
  const ts = new Date(Date.now() - (number % 6) * 86_400_000).toISOString();
  await post({ type: "impression", offerId, country: number % 2 === 0 ? "DE" : "FR", ts });
  await post({ type: "click", offerId: made.offers[1]?.offerId, country: "US" });
};

const checkAgreement = async (
  services: readonly Service[],
  client: HttpClient,
  key: Record<string, string>,
  least: number,
): Promise<Check[]> => {
  const [service] = services;
  if (service === undefined) throw new Error("there is no service");
  const { items } = JSON.parse((await client.get("/v1/reports/aggregate", key)).body) as {
    items: EventSum[];
  };
  const { events, cells, kinds } = await readEventSums(service);
  const nameOf = (row: EventSum) => [row.date, row.websiteKey, row.country, row.vertical].join(" ");
  const reported = new Map(items.map((row) => [nameOf(row), row]));
  const differing = cells.filter((cell) =>
    eventFigures.some((name) => reported.get(nameOf(cell))?.[name] !== cell[name]),
  );
  return [
    atLeast("events", events, least),
    // Blocked, served, impressions and clicks, and repetitions of both; a race may add clicks without budget.
    atLeast("kinds of them, by type and reason", kinds, 6),
    equal("cells of the report", items.length, cells.length),
    equal("cells that differ from the events", differing.map(nameOf).slice(0, 3).join("; "), ""),
    equal("recount", await runCheckCommand(service, "recount"), ""),
    equal("audit", await runCheckCommand(service, "audit"), ""),
    equal("traces of visitors in files and log", (await tracesOfVisitors(services)).join("; "), ""),
  ];
};

/** Addresses and user agents of visitors, wherever they stand in what the services have written. */
const tracesOfVisitors = async (services: readonly Service[]): Promise<string[]> => {
  const traces: string[] = [];
  for (const { dataDir, log } of services) {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      traces.push(...tracesIn(entry.name, await readFile(join(entry.parentPath, entry.name), "latin1")));
    }
    traces.push(...tracesIn("log", log()));
  }
  const [service] = services;
  return service === undefined || service.databaseUrl === null
    ? traces
    : [...traces, ...tracesIn("tables", await textOfTables(service))];
};

const tracesIn = (name: string, text: string): string[] =>
  [...new Set(text.match(/198\.1[89]\.\d+\.\d+|Mozilla\/|AppleWebKit/g))].map((found) => `${name}: ${found}`);

/** All that stands in the tables of a database that is on a server. */
const textOfTables = async (service: Service): Promise<string> => {
  const tables = await rowsOf<{ name: string }>(
    service,
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    // Bytes are read as text that they may hold, so that nothing hides in them.
    const rows = await rowsOf<object>(service, `select * from ${name}`);
    texts.push(rows.map((row) => Object.values(row).map(asText).join(" ")).join("\n"));
  }
  return texts.join("\n");
};

const asText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);

type Statement = { agrees: boolean; items: Record<"spend" | "earnings" | "operatorsPart", number>[] };

const readStatement = (service: Service, publisherId: string, month: string): Promise<Statement> =>
  service
    .admin<Statement>("statement", "--publisher", publisherId, "--month", month)
    .catch((error: unknown) => {
      if (error instanceof CommandFailed && error.code === 1) return JSON.parse(error.stdout) as Statement;
      throw error;
    });

/** The months' statements beside what the advertiser has spent. */
const checkStatement = async (service: Service, made: MadeCatalogue): Promise<Check[]> => {
  const { spendOf } = await readBooks(service);
  const now = new Date();
  // Events are of the last days, which may be of the month before.
  const months = [0, -1].map((month) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month)).toISOString().slice(0, 7),
  );
  const sums = { spend: 0, earnings: 0, parts: 0 };
  const disagreeing: string[] = [];
  for (const month of months) {
    const { agrees, items } = await readStatement(service, made.publisherId, month);
    if (!agrees) disagreeing.push(month);
    for (const { spend, earnings, operatorsPart } of items) {
      sums.spend += spend;
      sums.earnings += earnings;
      sums.parts += earnings + operatorsPart;
    }
  }
  const spent = spendOf(made.advertiserId).micros;
  return [
    equal("statements of which ledger and counters differ", disagreeing.join(), ""),
    atLeast("spend in statements, in micros", sums.spend, 1),
    equal("spend in statements beside the advertiser's, in micros", sums.spend - spent, 0),
    equal("both parts beside the advertiser's spend, in micros", sums.parts - spent, 0),
    atLeast("earnings in statements, in micros", sums.earnings, 1),
    atLeast("the operator's part, in micros", spent - sums.earnings, 1),
  ];
};

if (import.meta.main) {
  const { engine, words } = takeEngine(process.argv.slice(2));
  const options = readNumbers({ events: 100_000, clients: 32, nodes: 1 }, words);
  process.exitCode = printChecks(`Mixed events on ${engine}`, await mixedEvents({ ...options, engine }));
}

import { issueKey } from "./api-key.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { fillCounters } from "./fill.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { startService } from "./service.ts";
import { decisionPath, visitorAt } from "./visitor.ts";

/** What the dashboard will ask for most: a year of every website at once. */
const yearly = [
  "groupBy=date",
  "groupBy=date,websiteKey",
  "groupBy=country",
  "groupBy=vertical",
  "groupBy=date&country=DE",
  "groupBy=date&vertical=v3",
];
const verticals = 8;

/**
 * Fills the counters with a year of four websites and measures reports over it through HTTP, and what a decision
 * takes meanwhile. `rows` is how many counters there are at the least.
 */
export async function reports(options: { rows: number; mostMs: number }): Promise<Check[]> {
  const service = await startService({
    environment: { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
  });
  const client = openHttpClient(service.url, 16);
  // Of the counters and of what is asked about them, though midnight comes meanwhile.
  const now = Date.now();
  const dayAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
  try {
    const names = ["One", "Two", "Three", "Four"];
    const made = await makeCatalogue(service, {
      websites: names.map((name) => ({
        name,
        origins: [`https://${name.toLowerCase()}.example`],
        geo: everybodyBlocked,
      })),
      offers: [],
    });
    const asking: Asking = {
      ...{ url: service.url, client, key: await issueKey(service) },
      year: `from=${dayAgo(365)}&to=${dayAgo(0)}`,
    };
    const countries = Array.from({ length: Math.ceil(options.rows / (4 * 365 * verticals)) }, (_, at) =>
      codeAt(at),
    );
    const rows = fillCounters(await service.databaseFile(), { now, days: 365, countries, verticals });
    const checks = [];
    for (const query of yearly) checks.push(await checkReport(asking, query, options.mostMs));
    return [
      equal("totals of the year", await totalBlocked(asking), rows),
      ...checks,
      ...(await checkDecisionsMeanwhile(asking, made.websites[0])),
    ];
  } finally {
    client.close();
    await service.stop();
  }
}

/** One that is asked for by its name, and others that nobody asks for. */
const codeAt = (number: number): string =>
  number === 0 ? "DE" : String.fromCharCode(70 + Math.floor(number / 26), 65 + (number % 26));

type Asking = { url: string; client: HttpClient; key: Record<string, string>; year: string };

const totalBlocked = async ({ client, key, year }: Asking): Promise<number> => {
  const { body } = await client.get(`/v1/reports/aggregate?${year}&groupBy=websiteKey`, key);
  return (JSON.parse(body) as { totals: { blocked: number } }).totals.blocked;
};

/** The median of nine, after one that warms the cache. */
const checkReport = async ({ client, key, year }: Asking, query: string, mostMs: number): Promise<Check> => {
  const path = `/v1/reports/aggregate?${year}&${query}`;
  await client.get(path, key);
  const times: number[] = [];
  for (let turn = 0; turn < 9; turn += 1) {
    const since = performance.now();
    const { status } = await client.get(path, key);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    times.push(performance.now() - since);
  }
  return atMost(`milliseconds of a year by ${query}`, Math.round(percentile(times, 50) * 10) / 10, mostMs);
};

/** Decisions that are recorded, beside nothing and beside ten callers who never stop asking for the heaviest report. */
const checkDecisionsMeanwhile = async (
  { url, client, key, year }: Asking,
  website: MadeWebsite | undefined,
): Promise<Check[]> => {
  if (website === undefined) throw new Error("the catalogue has no website");
  const quiet = await decisionTimes(client, website, 0);
  const state = { isOver: false };
  let refused = 0;
  const asking = Array.from({ length: 10 }, async () => {
    while (!state.isOver) {
      // The answer is not read: this process measures something else at the same time.
      const answer = await fetch(`${url}/v1/reports/aggregate?${year}&groupBy=date,country`, {
        headers: key,
      });
      if (answer.status === 503) refused += 1;
      await answer.body?.cancel();
    }
  });
  const busy = await decisionTimes(client, website, 100_000);
  state.isOver = true;
  await Promise.all(asking);
  const [alone, beside] = [percentile(quiet, 99), percentile(busy, 99)];
  return [
    atMost(
      `p99 of a decision beside ten heavy reports, in ms (alone ${alone.toFixed(1)}, refused ${refused})`,
      Math.round(beside * 10) / 10,
      // Ten times what it takes on a machine with nothing else to do; twice as long as alone is what to look for.
      250,
    ),
  ];
};

const decisionTimes = async (client: HttpClient, website: MadeWebsite, first: number): Promise<number[]> => {
  const times: number[] = [];
  for (let turn = 0; turn < 1000; turn += 1) {
    const since = performance.now();
    const { status } = await client.get(decisionPath(website), visitorAt(first + turn, website).headers);
    if (status !== 200) throw new Error(`a decision was answered ${status}`);
    times.push(performance.now() - since);
  }
  return times;
};

const percentile = (values: readonly number[], percent: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor((values.length * percent) / 100))
  ] ?? 0;

if (import.meta.main) {
  const options = readNumbers({ rows: 1_000_000, mostMs: 50 }, process.argv.slice(2));
  process.exitCode = printChecks("Reports over a year", await reports(options));
}

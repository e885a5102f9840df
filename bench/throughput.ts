import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { issueKey } from "./api-key.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { closedLoop, requestText } from "./closed-loop.ts";
import { openHttpClient } from "./http-client.ts";
import { freePort, inheritedEnvironment, startService } from "./service.ts";
import { decisionPath, offersPath, visitorAt, visitPage } from "./visitor.ts";

export type ThroughputOptions = {
  rounds: number;
  /** Requests of each path in each round. */
  requests: number;
  connections: number;
};

/** The least that each path must reach, as a ratio to bare Express in the same run. */
const floors = { decision: 0.75, offers: 0.4, impression: 0.75, hop: 0.7, keyDecision: 0.5 } as const;
type Path = keyof typeof floors;
const paths = Object.keys(floors) as Path[];

/** Each path takes another status for granted; anything else is an answer that cost less than it should. */
const goodStatus = { decision: 200, offers: 200, impression: 204, hop: 302, keyDecision: 200 } as const;

type Sample = { perSecond: number; cpuMicros: number };

/** Measures the five busy paths against a bare Express server, in turns, and gives medians of ratios. */
export async function throughput(options: ThroughputOptions): Promise<Check[]> {
  const express = await startBareExpress();
  const service = await startService({
    environment: { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
  });
  try {
    const brands = Array.from({ length: 30 }, (_, index) => `Brand ${index + 1}`);
    const made = await makeCatalogue(service, {
      websites: [{ name: "Load", origins: ["https://load.example"], geo: everybodyBlocked }],
      offers: brands.map((brand) => ({ brand, landingUrl: "https://landing.example/?click={click_id}" })),
      balanceMicros: 1_000_000_000_000,
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const key = await issueKey(service);
    const ratios = Object.fromEntries(paths.map((path) => [path, [] as number[]])) as Record<Path, number[]>;
    const wrong: string[] = [];
    // Round 0 warms both processes up and is not counted.
    for (let round = 0; round <= options.rounds; round += 1) {
      const prepared = await prepareRequests(service.url, { website, key }, round, options);
      for (const path of paths) {
        const yardstick = await measure(
          express,
          bareRequests(options.requests, website),
          options.connections,
          200,
          wrong,
        );
        const sample = await measure(service, prepared[path], options.connections, goodStatus[path], wrong);
        if (round > 0) ratios[path].push(sample.perSecond / yardstick.perSecond);
        printSample(round, path, yardstick, sample);
      }
    }
    return [
      equal("answers that should not be", wrong.slice(0, 3).join("; "), ""),
      ...paths.map((path) => atLeast(`${path}, ratio to bare Express`, median(ratios[path]), floors[path])),
    ];
  } finally {
    await express.stop();
    await service.stop();
  }
}

/** With the headers of a real visitor: reading them is part of every answer. */
const bareRequests = (count: number, website: MadeWebsite): string[] =>
  Array<string>(count).fill(requestText("GET", "/", visitorAt(0, website).headers));

const measure = async (
  target: { url: string; pid: number },
  requests: readonly string[],
  connections: number,
  wanted: number,
  wrong: string[],
): Promise<Sample> => {
  const before = await cpuMicrosOf(target.pid);
  const { perSecond, statuses } = await closedLoop(target.url, requests, connections);
  const after = await cpuMicrosOf(target.pid);
  for (const [status, times] of Object.entries(statuses)) {
    if (Number(status) !== wanted) wrong.push(`${times} times ${status} instead of ${wanted}`);
  }
  return { perSecond, cpuMicros: (after - before) / requests.length };
};

/** One list of ready-made requests a path; every impression and click is of a pair that nobody sent before. */
const prepareRequests = async (
  url: string,
  { website, key }: { website: MadeWebsite; key: Record<string, string> },
  round: number,
  { requests, connections }: ThroughputOptions,
): Promise<Record<Path, string[]>> => {
  const client = openHttpClient(url, connections);
  const first = round * requests * 2;
  const prepared: Record<Path, string[]> = {
    decision: [],
    offers: [],
    impression: [],
    hop: [],
    keyDecision: [],
  };
  let number = first;
  const prepareSome = async (): Promise<void> => {
    while (prepared.impression.length < requests) {
      const visitor = visitorAt(number++, website);
      const { decision, offers } = await visitPage(client, website, visitor);
      prepared.offers.push(requestText("GET", offersPath(website, decision), visitor.headers));
      for (const offer of offers) {
        const { origin: _, ...headers } = visitor.headers;
        const { pathname, search } = new URL(offer.url);
        const { id: offerId, placement, position } = offer;
        const body = JSON.stringify({ requestId: decision.requestId, offerId, placement, position });
        const typed = { ...visitor.headers, "content-type": "text/plain" };
        prepared.impression.push(requestText("POST", "/v1/events/impression", typed, body));
        prepared.hop.push(requestText("GET", pathname + search, headers));
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, prepareSome));
  client.close();
  for (let index = 0; index < requests; index += 1) {
    const { headers } = visitorAt(first + index, website);
    prepared.decision.push(requestText("GET", decisionPath(website), headers));
    const seen = new URLSearchParams({
      website: website.websiteKey,
      ip: headers["x-forwarded-for"] ?? "",
      userAgent: headers["user-agent"] ?? "",
    });
    prepared.keyDecision.push(requestText("GET", `/v1/decision?${seen}`, key));
  }
  // Asking again for a visit's offers is as much work as the first time, and needs no decision of its own.
  const distinct = prepared.offers.length;
  for (let index = distinct; index < requests; index += 1) {
    prepared.offers.push(prepared.offers[index % distinct] ?? "");
  }
  return prepared;
};

const startBareExpress = async () => {
  const port = await freePort();
  const program = join(import.meta.dirname, "bare-express.ts");
  const child = spawn(process.execPath, [program, String(port)], {
    env: { ...inheritedEnvironment(), NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async (): Promise<void> => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};

/** User and system time of a process so far, in microseconds; not a number where there is no /proc. */
const cpuMicrosOf = async (pid: number): Promise<number> => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  // Linux counts in ticks of a hundredth of a second on every platform that Node runs on.
  return ticks * 10_000;
};

const printSample = (round: number, path: Path, yardstick: Sample, sample: Sample): void => {
  const ratio = (sample.perSecond / yardstick.perSecond).toFixed(2);
  const figures = ({ perSecond, cpuMicros }: Sample) =>
    `${Math.round(perSecond)}/s ${Math.round(cpuMicros)} CPU µs`;
  const label = `${round === 0 ? "warm-up" : `round ${round}`} ${path}`.padEnd(20);
  console.log(`${label} ${ratio}  (${figures(sample)}; bare ${figures(yardstick)})`);
};

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2));
};

if (import.meta.main) {
  const options = readNumbers({ rounds: 5, requests: 20_000, connections: 64 }, process.argv.slice(2));
  process.exitCode = printChecks("Throughput", await throughput(options));
}

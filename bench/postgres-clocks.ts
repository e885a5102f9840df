import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "./catalogue.ts";
import { atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Cluster, startCluster } from "./cluster/cluster.ts";
import { openHttpClient } from "./http-client.ts";
import { preloaded } from "./machine/preloaded.ts";
import { type Service, startService } from "./service.ts";
import { followLink, readingMs, reportEvent, requestOf, visitorAt, visitPage } from "./visitor.ts";

export type ClocksOptions = {
  /** By how much the clock of one node is ahead, and that of another behind. */
  shiftSeconds: number;
  /** How far a stored moment may be from the server's. */
  offMs: number;
};

const settledMs = 2000;
/** Before this nobody has read an offer. */
const hastyMs = 300;

/** Nodes whose clocks are wrong judge and date clicks by the server's. */
export async function postgresClocks({ shiftSeconds, offMs }: ClocksOptions): Promise<Check[]> {
  const environment = {
    TRUST_PROXY_HOPS: "1",
    RATE_LIMIT_FACTOR: "100000",
    TOKEN_SECRET: randomBytes(48).toString("base64"),
  };
  const cluster = await startCluster({ nodes: 1, environment });
  const shifted: Service[] = [];
  try {
    for (const sign of [1, -1]) {
      const wrong = {
        DATABASE_URL: cluster.databaseUrl,
        NODE_OPTIONS: preloaded("shifted-clock"),
        CLOCK_SHIFT_MS: String(sign * shiftSeconds * 1000),
      };
      shifted.push(await startService({ environment: { ...environment, ...wrong } }));
    }
    const [right] = cluster.nodes as [Service];
    const { websites } = await makeCatalogue(right, {
      websites: [{ name: "Clocks", origins: ["https://clocks.example"], geo: everybodyBlocked }],
      offers: [planOffer("Anchor", 250_000)],
    });
    await pause(settledMs);
    return await clickAcross(cluster, [right, ...shifted], websites[0] as MadeWebsite, offMs);
  } finally {
    for (const service of shifted) await service.stop();
    await cluster.stop();
  }
}

/** Each node hands out offers that each of the nodes takes the click of, too early and in time. */
const clickAcross = async (
  cluster: Cluster,
  nodes: readonly Service[],
  website: MadeWebsite,
  offMs: number,
): Promise<Check[]> => {
  const clients = nodes.map(({ url }) => openHttpClient(url, 8));
  const hasty: string[] = [];
  const patient: string[] = [];
  let slowest = 0;
  const serverMs = async (): Promise<number> => {
    const [row] = await cluster.query<{ now: number }>(
      "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
    );
    return row?.now ?? 0;
  };
  let number = 0;
  for (const from of clients) {
    for (const to of clients) {
      for (const [waitMs, requests] of [
        [hastyMs, hasty],
        [readingMs, patient],
      ] as const) {
        const visitor = visitorAt(number++, website);
        const { decision, offers } = await visitPage(from, website, visitor);
        const [offer] = offers;
        if (offer === undefined) throw new Error("no offers were handed out");
        const request = requestOf(decision.requestId);
        requests.push(request);
        await pause(waitMs);
        await followLink(to, visitor, offer.url);
        const before = await serverMs();
        await reportEvent(to, "impression", visitor, { requestId: decision.requestId, offer });
        const after = await serverMs();
        const [row] = await cluster.query<{ at: string }>(
          "select at from fact where request = $1 and type = 3 and seq = 0",
          [Buffer.from(request, "base64url")],
        );
        const at = Number(row?.at);
        slowest = Math.max(slowest, before - at, at - after);
      }
    }
  }
  for (const client of clients) client.close();
  const verdicts = await cluster.query<{ request: Buffer; reason: string | null }>(
    "select request, reason from fact where type = 4 and seq = 0",
  );
  const of = (requests: readonly string[]): string[] =>
    requests.map((request) => {
      const found = verdicts.find((row) => row.request.toString("base64url") === request);
      return found === undefined ? "none" : (found.reason ?? "billed");
    });
  return [
    equal(
      "clicks that came too early, at any pair of nodes",
      [...new Set(of(hasty))].join(", "),
      "fast_click",
    ),
    equal("clicks in time, at any pair of nodes", [...new Set(of(patient))].join(", "), "billed"),
    equal("pairs of nodes", hasty.length, nodes.length ** 2),
    atMost("ms that a stored moment is off the server's clock", Math.round(slowest), offMs),
    equal(
      "nodes that are ready",
      (await Promise.all(nodes.map(isReady))).filter(Boolean).length,
      nodes.length,
    ),
    equal(
      "nodes that say that their clock is off",
      nodes.filter(({ log }) => log().includes("clock_off")).length,
      2,
    ),
  ];
};

const isReady = async ({ url }: Service): Promise<boolean> => {
  const { ok, body } = await fetch(`${url}/readyz`);
  await body?.cancel();
  return ok;
};

if (import.meta.main) {
  const options = readNumbers({ shiftSeconds: 20, offMs: 250 }, process.argv.slice(2));
  process.exitCode = printChecks("Wrong clocks", await postgresClocks(options));
}

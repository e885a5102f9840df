import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { rateLimits } from "@offers/contract/endpoints";
import { countClickRows, readBooks, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { type Service, startService } from "./service.ts";
import { followLink, readingMs, visitorAt, visitPatiently } from "./visitor.ts";

export type HopFloodOptions = {
  /** For how long at least: a slow machine goes on until it has made as many calls as the flood needs. */
  seconds: number;
  clients: number;
  /** What waits in memory is written once a second: how long that may take. */
  flushMs: number;
};

/** Far more calls than are admitted in the two minutes that a flood of some seconds may lie in. */
const fewestCalls = 10 * rateLimits.hop;

/**
 * Follows the links of one visitor as fast as they are answered, far above the limit: everybody arrives, and what the
 * flood leaves on the disk is what was admitted and a row for each link and hour, in which every other call is counted.
 */
export async function hopFlood(options: HopFloodOptions): Promise<Check[]> {
  const service = await startService({ environment: { TRUST_PROXY_HOPS: "1" } });
  const client = openHttpClient(service.url, options.clients);
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Flooded", origins: ["https://flooded.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => ({
        brand,
        landingUrl: "https://landing.example/?click={click_id}",
      })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const file = await service.databaseFile();
    const before = await bytesOf(file);
    const { calls, statuses, links, seconds } = await flood(client, website, options);
    // A window of the limits is a minute, and the flood may lie in one more of them than it has lasted.
    const mostAdmitted = (1 + Math.ceil(seconds / 60)) * rateLimits.hop;
    const stored = await untilCounted(service, calls, options.flushMs);
    const rows = await countClickRows(service);
    const grown = (await bytesOf(file)) - before;
    console.log(
      `  ${calls} calls in ${seconds} s by ${options.clients} clients: ` +
        `${rows.facts} rows of clicks, ${rows.unkept} of refused ones, ${grown} bytes`,
    );
    return [
      equal("answers", [...statuses].join(), "302"),
      atMost("clicks that were admitted, each with a row", rows.facts, mostAdmitted),
      atLeast("clicks that were admitted, each with a row", rows.facts, 1),
      atMost("rows of refused clicks, of each link and hour", rows.unkept, 2 * links),
      atMost(
        "all rows beside those admitted and one a second",
        rows.facts + rows.unkept,
        mostAdmitted + seconds,
      ),
      equal("clicks admitted and refusals counted", stored, calls),
      equal("recount", await runCheckCommand(service, "recount"), ""),
      equal("audit", await runCheckCommand(service, "audit"), ""),
    ];
  } finally {
    client.close();
    await service.stop();
  }
}

const flood = async (
  client: HttpClient,
  website: MadeWebsite,
  { seconds, clients }: HopFloodOptions,
): Promise<{ calls: number; statuses: Set<number>; links: number; seconds: number }> => {
  const visitor = visitorAt(1, website);
  const { offers } = await visitPatiently(client, website, visitor);
  await pause(readingMs);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const statuses = new Set<number>();
  let calls = 0;
  const follow = async (): Promise<void> => {
    while (performance.now() < until || calls < fewestCalls) {
      calls += 1;
      const { url } = offers[calls % offers.length] ?? { url: "" };
      statuses.add((await followLink(client, visitor, url)).status);
    }
  };
  await Promise.all(Array.from({ length: clients }, follow));
  const passed = Math.ceil((performance.now() - startedAt) / 1000);
  return { calls, statuses, links: offers.length, seconds: passed };
};

/** How many clicks are in the books once all are, or when it has taken too long. */
const untilCounted = async (service: Service, calls: number, flushMs: number): Promise<number> => {
  const until = performance.now() + flushMs;
  for (;;) {
    const { unkeptEvents } = await readBooks(service);
    const stored = (await countClickRows(service)).facts + unkeptEvents;
    if (stored >= calls || performance.now() > until) return stored;
    await pause(100);
  }
};

const bytesOf = async (file: string): Promise<number> => {
  const sizes = await Promise.all([file, `${file}-wal`].map(async (name) => (await stat(name)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
};

if (import.meta.main) {
  const options = readNumbers({ seconds: 10, clients: 64, flushMs: 5000 }, process.argv.slice(2));
  process.exitCode = printChecks("A flood of one link", await hopFlood(options));
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { countFacts, oldestFactAt } from "./book-file.ts";
import { runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { repeatEvents } from "./fill.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { type Service, startService } from "./service.ts";
import { reportEvent, visitorAt, visitPage } from "./visitor.ts";

export type PurgeOptions = { facts: number; clients: number; quietSeconds: number };

/** What the service comes with. */
const keptDays = 90;
const visits = 300;
const dayMs = 86_400_000;
const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };

/** Has a service purge events that are too old while others arrive, and compares how long those take with and without. */
export async function purge({ facts, clients, quietSeconds }: PurgeOptions): Promise<Check[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "offers-"));
  const serve = (keptDays: string) =>
    startService({ dataDir, environment: { ...environment, RETENTION_DAYS: keptDays } });
  let service = await serve("forever");
  try {
    const file = await service.databaseFile();
    const { websites } = await makeCatalogue(service, {
      websites: [{ name: "Old", origins: ["https://old.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass", "Davit", "Eddy", "Fathom", "Gale"].map((brand) =>
        planOffer(brand, 1000),
      ),
    });
    const [website] = websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const isPurging = () => oldestFactAt(file) < Date.now() - keptDays * dayMs;
    const load = (going: () => boolean) => withLoad(service, website, clients, going);
    await load(() => countFacts(file) < 9 * visits);
    await service.stop();
    const fresh = countFacts(file);
    repeatEvents(file, Math.ceil(facts / fresh), keptDays);
    const old = countFacts(file) - fresh;

    service = await serve("forever");
    const until = performance.now() + quietSeconds * 1000;
    const quiet = await load(() => performance.now() < until);
    await service.stop();
    service = await serve(String(keptDays));
    const since = performance.now();
    const purging = await load(isPurging);
    const seconds = (performance.now() - since) / 1000;
    console.log(
      `  purged ${old} events in ${seconds.toFixed(0)} s; an impression's p50 ${at(quiet, 0.5)} and then ` +
        `${at(purging, 0.5)} ms, p99 ${at(quiet, 0.99)} and then ${at(purging, 0.99)} ms, the longest ` +
        `${at(quiet, 1)} and then ${at(purging, 1)} ms, of ${quiet.length} and ${purging.length}`,
    );
    return [
      atLeast("events that were too old", old, facts),
      equal("of them left", isPurging() ? "some" : "none", "none"),
      atLeast("purged a second", Math.round(old / seconds), 2000),
      atMost(
        "p99 of an impression, more than without in ms",
        Math.round(at(purging, 0.99) - at(quiet, 0.99)),
        10,
      ),
      equal("audit", await runCheckCommand(service, "audit"), ""),
    ];
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Visits again and again, each with impressions of all its offers, and tells how many milliseconds each of those took. */
const withLoad = async (
  service: Service,
  website: MadeWebsite,
  clients: number,
  going: () => boolean,
): Promise<number[]> => {
  const client = openHttpClient(service.url, clients);
  const times: number[] = [];
  const visit = async (number: number): Promise<void> => {
    const visitor = visitorAt(number, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    for (const offer of offers) {
      times.push(await timed(client, visitor, { requestId: decision.requestId, offer }));
      await pause(10);
    }
  };
  let [next, isGoing] = [0, true];
  const onAndOn = async (): Promise<void> => {
    while (isGoing) await visit(next++);
  };
  const watch = async (): Promise<void> => {
    while (going()) await pause(250);
    isGoing = false;
  };
  await Promise.all([watch(), ...Array.from({ length: clients }, onAndOn)]);
  client.close();
  return times.sort((one, other) => one - other);
};

const timed = async (
  client: HttpClient,
  visitor: ReturnType<typeof visitorAt>,
  event: Parameters<typeof reportEvent>[3],
): Promise<number> => {
  const since = performance.now();
  const { status, body } = await reportEvent(client, "impression", visitor, event);
  if (status !== 204) throw new Error(`an impression was answered ${status}: ${body}`);
  return performance.now() - since;
};

const at = (sorted: readonly number[], part: number): number =>
  Number((sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0).toFixed(1));

if (import.meta.main) {
  const options = readNumbers({ facts: 400_000, clients: 8, quietSeconds: 20 }, process.argv.slice(2));
  process.exitCode = printChecks("Events that are purged while others arrive", await purge(options));
}

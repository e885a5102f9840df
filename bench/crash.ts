import { setTimeout as pause } from "node:timers/promises";
import { type AckLog, emptyLog, keptChecks, startVisits } from "./acknowledged-visits.ts";
import { readIntegrity } from "./book-file.ts";
import { runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Service, startService } from "./service.ts";

export type CrashOptions = {
  clients: number;
  kills: number;
  acksBetweenKills: number;
  /** How long the service may take until it is ready again. */
  readyMs: number;
  /** What draws the moments; left out: each kill comes as soon as enough is acknowledged. */
  random?: () => number;
};

/** What differs from one kill to the next. */
const mostExtraMs = 100;

/** Kills the service again and again under load: what it acknowledged is there afterwards, once. */
export async function crash(options: CrashOptions): Promise<Check[]> {
  const service = await startService({
    environment: { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
  });
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Crash", origins: ["https://crash.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass", "Dock"].map((brand) => ({
        brand,
        landingUrl: "https://landing.example/?click={click_id}",
      })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const log = emptyLog();
    const slowestStartMs = await killUnderLoad(service, website, log, options);
    return [
      atLeast("events acknowledged", log.acks, options.kills * options.acksBetweenKills),
      ...(await keptChecks(service, log)),
      equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok"),
      equal("recount", await runCheckCommand(service, "recount"), ""),
      equal("audit", await runCheckCommand(service, "audit"), ""),
      atMost("slowest restart until ready, in ms", slowestStartMs, options.readyMs),
      equal("exit code when it is asked to stop", String(await service.stop()), "0"),
    ];
  } finally {
    await service.stop();
  }
}

const killUnderLoad = async (
  service: Service,
  website: MadeWebsite,
  log: AckLog,
  options: CrashOptions,
): Promise<number> => {
  let up = Promise.resolve();
  let slowestMs = 0;
  const visits = startVisits([service], website, { clients: options.clients, log, up: () => up });
  for (let kill = 0; kill < options.kills; kill += 1) {
    await visits.untilMore(options.acksBetweenKills);
    if (options.random !== undefined) await pause(options.random() * mostExtraMs);
    up = service.kill().then(async () => {
      const from = Date.now();
      await service.start();
      slowestMs = Math.max(slowestMs, Date.now() - from);
    });
    await up;
  }
  await visits.untilMore(options.acksBetweenKills);
  await visits.stop();
  return slowestMs;
};

if (import.meta.main) {
  const options = readNumbers(
    { clients: 32, kills: 5, acksBetweenKills: 2000, readyMs: 2000 },
    process.argv.slice(2),
  );
  process.exitCode = printChecks("Crash under load", await crash(options));
}

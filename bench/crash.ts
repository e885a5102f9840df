import { setTimeout as pause } from "node:timers/promises";
import { readIntegrity } from "./book-file.ts";
import { readBooks, readStoredHalves, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { type Service, startService } from "./service.ts";
import {
  followLink,
  readingMs,
  reportEvent,
  requestOf,
  type Visitor,
  visitorAt,
  visitPage,
} from "./visitor.ts";

export type CrashOptions = { clients: number; kills: number; acksBetweenKills: number };

/** Everything that the service said it had kept, written down by those who were told so. */
type AckLog = {
  /** `request offer type` of every acknowledged event; a click's type says which half was acknowledged. */
  kept: Set<string>;
  acks: number;
  /** Answers that a client of a crashing service must never see. */
  wrong: string[];
};

type Load = {
  client: HttpClient;
  website: MadeWebsite;
  log: AckLog;
  /** Resolves when the service is up again. */
  up: () => Promise<void>;
  going: () => boolean;
  nextVisitor: () => number;
};

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
    const log: AckLog = { kept: new Set(), acks: 0, wrong: [] };
    const slowestStartMs = await killUnderLoad(service, website, log, options);
    return [
      atLeast("events acknowledged", log.acks, options.kills * options.acksBetweenKills),
      equal("answers that no crash explains", log.wrong.slice(0, 3).join("; "), ""),
      ...(await checkBooks(service, log)),
      atMost("slowest restart until ready, in ms", slowestStartMs, 5000),
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
  const client = openHttpClient(service.url, options.clients);
  let up = Promise.resolve();
  let going = true;
  let visitors = 0;
  let slowestMs = 0;
  const load: Load = {
    client,
    website,
    log,
    up: () => up,
    going: () => going,
    nextVisitor: () => visitors++,
  };
  const clients = Array.from({ length: options.clients }, () => clickOnAndOn(load));
  for (let kill = 0; kill < options.kills; kill += 1) {
    await untilAcks(log, log.acks + options.acksBetweenKills, clients);
    up = service.kill().then(async () => {
      const from = Date.now();
      await service.start();
      slowestMs = Math.max(slowestMs, Date.now() - from);
    });
    await up;
  }
  await untilAcks(log, log.acks + options.acksBetweenKills, clients);
  going = false;
  await Promise.all(clients);
  client.close();
  return slowestMs;
};

/** Waits for acknowledgements, unless a client has failed: then its error is the outcome. */
const untilAcks = async (log: AckLog, wanted: number, clients: readonly Promise<void>[]): Promise<void> => {
  const failed = Promise.all(clients).then(() => Promise.reject(new Error("all clients ended early")));
  failed.catch(() => undefined);
  while (log.acks < wanted) await Promise.race([failed, pause(5)]);
};

const clickOnAndOn = async (load: Load): Promise<void> => {
  while (load.going()) {
    await load.up();
    await oneVisit(load).catch(async (error: unknown) => {
      if (!brokeOff(error)) throw error;
      await pause(5);
    });
  }
};

const oneVisit = async ({ client, website, log, nextVisitor }: Load): Promise<void> => {
  const number = nextVisitor();
  const visitor = visitorAt(number, website);
  const { decision, offers } = await visitPage(client, website, visitor);
  const { requestId } = decision;
  const keep = (offerId: string, what: string): void => {
    log.kept.add(`${requestOf(requestId)} ${offerId} ${what}`);
    log.acks += 1;
  };
  for (const { id } of offers) keep(id, "served");
  const offer = offers[number % offers.length];
  if (offer === undefined) throw new Error("no offers were handed out");
  await pause(readingMs);
  // Every twentieth visitor sends everything twice, as a client does that never saw the answer.
  for (let copy = 0; copy < (number % 20 === 0 ? 2 : 1); copy += 1) {
    for (const type of ["impression", "click"] as const) {
      const { status } = await reportEvent(client, type, visitor, { requestId, offer });
      if (status === 204) keep(offer.id, type === "click" ? "beacon" : type);
      else if (status !== 503) log.wrong.push(`${type} ${status}`);
    }
    await hop({ client, log }, visitor, offer.url, () => keep(offer.id, "hop"));
  }
};

const hop = async (
  { client, log }: Pick<Load, "client" | "log">,
  visitor: Visitor,
  url: string,
  keep: () => void,
): Promise<void> => {
  const { status } = await followLink(client, visitor, url);
  if (status === 302) keep();
  else if (status !== 503) log.wrong.push(`hop ${status}`);
};

/** The connection ended without an answer: nothing was acknowledged, nothing is owed. */
const brokeOff = (error: unknown): boolean =>
  error instanceof Error &&
  ("code" in error
    ? ["ECONNRESET", "ECONNREFUSED", "EPIPE"].includes(String(error.code))
    : error.message === "expected 200, got 503");

const checkBooks = async (service: Service, log: AckLog): Promise<Check[]> => {
  const stored = await readStoredHalves(service);
  const lost = [...log.kept].filter((key) => !stored.once.has(key));
  const books = await readBooks(service);
  return [
    equal("acknowledged events that are lost", lost.length, 0),
    equal("events that count twice", stored.doubled, 0),
    equal("ledger lines beside billed clicks", books.ledgerLines - books.billedClicks, 0),
    equal("ledger beside what was billed, in micros", books.ledgerMicros - books.billedMicros, 0),
    equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok"),
    equal("recount", await runCheckCommand(service, "recount"), ""),
    equal("audit", await runCheckCommand(service, "audit"), ""),
  ];
};

if (import.meta.main) {
  const options = readNumbers({ clients: 32, kills: 5, acksBetweenKills: 2000 }, process.argv.slice(2));
  process.exitCode = printChecks("Crash under load", await crash(options));
}

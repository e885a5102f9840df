import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { rowsOf } from "../book-rows.ts";
import { readBooks, runCheckCommand } from "../books.ts";
import { everybodyBlocked, type MadeCatalogue, makeCatalogue, planOffer } from "../catalogue.ts";
import { type Check, equal } from "../checks.ts";
import { openHttpClient } from "../http-client.ts";
import { preloaded } from "../machine/preloaded.ts";
import { inTurns, type Link } from "../racing.ts";
import { type Service, startService } from "../service.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { followLink, readingMs, visitorAt, visitPage } from "../visitor.ts";

export type ClockStepsOptions = {
  /** Clicks that a day pays for. */
  cap: number;
  /** Clicks after each step. */
  clicks: number;
  /** Whether to wait until a limit that was used up must be open again. */
  waitsForLimit: boolean;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The service has read the new time by then. */
const readMs = 100;
/** `/v1/whats-my-ip` answers so often in a minute. */
const lookUpsAMinute = 30;
const limitMs = 61_000;

/**
 * Has the machine's clock step by an hour to and fro, and pass midnight under load: each day pays for its own clicks once, and a
 * limit is neither opened nor kept shut by a step.
 */
export async function clockSteps(options: ClockStepsOptions): Promise<Check[]> {
  const home = await makeTemporaryFolder("offers-clock-");
  const clock = join(home.directory, "shift");
  const stepTo = await startClock(clock);
  const service = await startService({
    environment: {
      TRUST_PROXY_HOPS: "1",
      NODE_OPTIONS: preloaded("shifted-clock"),
      CLOCK_SHIFT_FILE: clock,
    },
  });
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Clock", origins: ["https://clock.example"], geo: everybodyBlocked }],
      offers: [planOffer("Anchor", 250_000, { "daily-click-cap": String(options.cap) })],
    });
    const links = await fetchLinks(service, made, 6 * options.clicks);
    await pause(readingMs);
    const billedAfter: number[] = [];
    const click = async (spreadMs = 0): Promise<void> => {
      await clickAll(service, links.splice(0, options.clicks), spreadMs);
      billedAfter.push((await readBooks(service)).billedClicks);
    };
    await click();
    await stepTo(hourMs);
    await click();
    await stepTo(0);
    await click();
    // The clicks come on both sides of midnight.
    await stepTo(1.5 * hourMs - 2000);
    await click(4000);
    // Yesterday again, and then today.
    await stepTo(hourMs);
    await click();
    await stepTo(1.5 * hourMs + 60_000);
    await click();
    const { cap } = options;
    const twice = 2 * cap;
    return [
      equal("billed at half past ten, +1 h, −1 h", billedAfter.slice(0, 3).join(), [cap, cap, cap].join()),
      equal("billed at midnight, −1 h, +1 h", billedAfter.slice(3).join(), [twice, twice, twice].join()),
      equal("billed on each day", (await billedByDay(service)).join(), [cap, cap].join()),
      ...(await checkLimit(service, stepTo, options)),
      equal("recount", await runCheckCommand(service, "recount"), ""),
      equal("audit", await runCheckCommand(service, "audit"), ""),
    ];
  } finally {
    await service.stop();
    await home.remove();
  }
}

/** Steps to so long after half past ten in the evening (UTC), of the moment at which the clock was started. */
type StepTo = (ms: number) => Promise<void>;

/** It starts an hour and a half before midnight, whatever the time is here. */
const startClock = async (file: string): Promise<StepTo> => {
  const started = Date.now();
  const base = Math.floor(started / dayMs) * dayMs + 22.5 * hourMs - started;
  const startedAt = performance.now();
  const stepTo: StepTo = async (ms) => {
    // At once: half a number is another time.
    await writeFile(`${file}.new`, String(Math.round(base + ms - (performance.now() - startedAt))));
    await rename(`${file}.new`, file);
    await pause(readMs);
  };
  await stepTo(0);
  return stepTo;
};

const fetchLinks = async (service: Service, made: MadeCatalogue, count: number): Promise<Link[]> => {
  const [website] = made.websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  const client = openHttpClient(service.url, 16);
  const links = await inTurns(count, 16, async (number) => {
    const visitor = visitorAt(number, website);
    const [offer] = (await visitPage(client, website, visitor)).offers;
    if (offer === undefined) throw new Error(`visitor ${number} was handed no offer`);
    return { visitor, url: offer.url };
  });
  client.close();
  return links;
};

/** All at once, or one after the other over some time. */
const clickAll = async (service: Service, links: readonly Link[], spreadMs: number): Promise<void> => {
  const client = openHttpClient(service.url, 16);
  await Promise.all(
    links.map(async ({ visitor, url }, number) => {
      await pause((number * spreadMs) / links.length);
      const { status } = await followLink(client, visitor, url);
      if (status !== 302) throw new Error(`a click was answered ${status}`);
    }),
  );
  client.close();
};

const billedByDay = async (service: Service): Promise<number[]> => {
  const rows = await rowsOf<{ clicks: number }>(
    service,
    "select count(*) as clicks from ledger_line where kind = 'click' group by day order by day",
  );
  return rows.map(({ clicks }) => clicks);
};

/** Of one address, which may ask so often in a minute. */
const checkLimit = async (
  service: Service,
  stepTo: StepTo,
  { waitsForLimit }: ClockStepsOptions,
): Promise<Check[]> => {
  const client = openHttpClient(service.url, 1);
  const ask = async (): Promise<number> =>
    (await client.get("/v1/whats-my-ip", { "x-forwarded-for": "198.18.200.1" })).status;
  for (let call = 0; call < lookUpsAMinute; call += 1) await ask();
  const usedUp = await ask();
  await stepTo(3 * hourMs);
  const ahead = await ask();
  await stepTo(hourMs);
  const behind = await ask();
  if (waitsForLimit) await pause(limitMs);
  const later = waitsForLimit ? await ask() : 200;
  client.close();
  return [
    equal("a limit that is used up", usedUp, 429),
    equal("… and the clock is put forward", ahead, 429),
    equal("… and the clock is put back", behind, 429),
    ...(waitsForLimit ? [equal("… and a minute later", later, 200)] : []),
  ];
};

import { setTimeout as pause } from "node:timers/promises";
import { type Books, readBooks, runCheckCommand } from "./books.ts";
import {
  everybodyBlocked,
  type MadeCatalogue,
  makeCatalogue,
  type OfferPlan,
  planOffer,
} from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers, sumOf } from "./checks.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { type Service, startService } from "./service.ts";
import { followLink, readingMs, type Visitor, visitorAt, visitPage } from "./visitor.ts";

export type BudgetRaceOptions = {
  /** Visitors who click at the same moment. */
  visitors: number;
  /** Clicks that the budget pays for. */
  cap: number;
  /** How often one and the same token is sent at once. */
  copies: number;
};

const priceMicros = 250_000;

/**
 * Everybody clicks at once and the budget pays for a few: exactly those are billed, by an offer's cap
 * and by an advertiser's balance over ten offers; one token sent many times is billed once; and two processes on
 * one data directory bill no more than one of them would.
 */
export async function budgetRace(options: BudgetRaceOptions): Promise<Check[]> {
  return [
    ...(await raceForOneOffer(options)),
    ...(await raceForOneBalance(options)),
    ...(await raceOfOneToken(options)),
    ...(await raceOfTwoProcesses(options)),
  ];
}

const raceForOneOffer = (options: BudgetRaceOptions, processes = 1): Promise<Check[]> =>
  race(
    { offers: [planOffer("Anchor", priceMicros, { "total-click-cap": String(options.cap) })], processes },
    options,
    (books, made) => {
      const offer = made.offers[0]?.offerId ?? "";
      return [
        equal(
          `clicks billed by an offer's click cap, processes: ${processes}`,
          books.billedClicks,
          options.cap,
        ),
        equal("clicks on the offer's cap row", books.spendOf(offer).clicks, options.cap),
        equal("sum of the ledger", books.ledgerMicros, options.cap * priceMicros),
        equal("lines of the ledger", books.ledgerLines, options.cap),
        equal("spent on the offer", books.spendOf(offer).micros, options.cap * priceMicros),
        equal("spent by the advertiser", books.spendOf(made.advertiserId).micros, options.cap * priceMicros),
      ];
    },
  );

const raceForOneBalance = (options: BudgetRaceOptions): Promise<Check[]> => {
  const offers = Array.from({ length: 10 }, (_, index) => planOffer(`Brand ${index + 1}`, priceMicros));
  return race({ offers, balanceMicros: options.cap * priceMicros }, options, (books, made) => [
    equal("clicks billed by one balance over ten offers", books.billedClicks, options.cap),
    equal("sum of the ledger", books.ledgerMicros, options.cap * priceMicros),
    equal("spent by the advertiser", books.spendOf(made.advertiserId).micros, options.cap * priceMicros),
    equal(
      "spent on the ten offers together",
      made.offers.reduce((sum, { offerId }) => sum + books.spendOf(offerId).micros, 0),
      options.cap * priceMicros,
    ),
  ]);
};

const raceOfOneToken = (options: BudgetRaceOptions): Promise<Check[]> =>
  race({ offers: [planOffer("Anchor", priceMicros)] }, { ...options, visitors: 1 }, (books) => [
    equal(`billed of one token sent ${options.copies} times`, books.billedClicks, 1),
    equal("sum of the ledger", books.ledgerMicros, priceMicros),
    equal("repetitions stored as such", books.clickReasons.duplicate ?? 0, Math.min(20, options.copies - 1)),
  ]);

/** Every other click goes to each. */
const raceOfTwoProcesses = (options: BudgetRaceOptions): Promise<Check[]> => raceForOneOffer(options, 2);

type Claims = (books: Books, made: MadeCatalogue) => Check[];

const race = async (
  plan: { offers: OfferPlan[]; balanceMicros?: number; processes?: number },
  { visitors, copies }: BudgetRaceOptions,
  claims: Claims,
): Promise<Check[]> => {
  const { processes = 1 } = plan;
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const service = await startService({ environment });
  const services = [service];
  try {
    const website = { name: "Race", origins: ["https://race.example"], geo: everybodyBlocked };
    const made = await makeCatalogue(service, { ...plan, websites: [website] });
    while (services.length < processes)
      services.push(await startService({ environment, dataDir: service.dataDir }));
    const clicks = await clickAllAtOnce(services, made, visitors, visitors === 1 ? copies : 1);
    const taken = clicks.filter(({ status }) => status === 302);
    const books = await readBooks(service);
    return [
      atLeast("visitors taken to the advertiser", taken.length, clicks.length),
      equal("processes that took them", new Set(taken.map(({ pid }) => pid)).size, processes),
      equal(
        "clicks that stand, or are counted, in one database",
        sumOf(Object.values(books.clickReasons)) + books.unkeptEvents,
        clicks.length,
      ),
      ...claims(books, made),
      equal("audit", await runCheckCommand(service, "audit"), ""),
      equal("recount", await runCheckCommand(service, "recount"), ""),
    ];
  } finally {
    for (const each of services.reverse()) await each.stop();
  }
};

/** Fetches everybody's offers first, then sends every click in one go, each over a connection of its own. */
const clickAllAtOnce = async (
  services: readonly Service[],
  made: MadeCatalogue,
  visitors: number,
  copies: number,
): Promise<{ status: number; pid: number }[]> => {
  const clients = services.map(({ url }) => openHttpClient(url, Number.POSITIVE_INFINITY));
  const clientAt = (number: number): HttpClient => {
    const client = clients[number % clients.length];
    if (client === undefined) throw new Error("no service runs");
    return client;
  };
  const links: { visitor: Visitor; url: string }[] = [];
  for (let first = 0; first < visitors; first += 32) {
    const some = Array.from({ length: Math.min(32, visitors - first) }, (_, index) => first + index);
    links.push(...(await Promise.all(some.map((number) => fetchLink(clientAt(number), made, number)))));
  }
  await pause(readingMs);
  const clicks = links.flatMap((link) => Array.from({ length: copies }, () => link));
  const answers = await Promise.all(
    clicks.map(async ({ visitor, url }, number) => ({
      status: await clickUntilTaken(clientAt(number), visitor, url),
      pid: services[number % services.length]?.pid ?? 0,
    })),
  );
  for (const client of clients) client.close();
  return answers;
};

const fetchLink = async (client: HttpClient, made: MadeCatalogue, number: number) => {
  const website = made.websites[0];
  if (website === undefined) throw new Error("the catalogue has no website");
  const visitor = visitorAt(number, website);
  const { offers } = await visitPage(client, website, visitor);
  const offer = offers[number % offers.length];
  if (offer === undefined) throw new Error(`visitor ${number} was handed no offer`);
  return { visitor, url: offer.url };
};

/** A full queue answers 503 and asks to come again; a visitor would reload. */
const clickUntilTaken = async (client: HttpClient, visitor: Visitor, url: string): Promise<number> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { status } = await followLink(client, visitor, url);
    if (status !== 503) return status;
    await pause(100);
  }
  return 503;
};

if (import.meta.main) {
  const options = readNumbers({ visitors: 2000, cap: 100, copies: 500 }, process.argv.slice(2));
  process.exitCode = printChecks("Budget race", await budgetRace(options));
}

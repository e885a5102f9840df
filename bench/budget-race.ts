import { setTimeout as pause } from "node:timers/promises";
import { type Books, readBooks, runCheckCommand } from "./books.ts";
import {
  everybodyBlocked,
  type MadeCatalogue,
  makeCatalogue,
  type OfferPlan,
  planOffer,
  untilLive,
} from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers, sumOf } from "./checks.ts";
import { type Engine, startNodes, takeEngine } from "./cluster/start-nodes.ts";
import type { HttpClient } from "./http-client.ts";
import { clickUntilTaken, inTurns, type Link, openClients } from "./racing.ts";
import type { Service } from "./service.ts";
import { readingMs, visitorAt, visitPatiently } from "./visitor.ts";

export type BudgetRaceOptions = {
  /** Visitors who click at the same moment. */
  visitors: number;
  /** Clicks that the budget pays for. */
  cap: number;
  /** How often one and the same token is sent at once. */
  copies: number;
  /** How many processes there are where there are several. */
  nodes: number;
};

type OnEngine = { engine?: Engine };

const priceMicros = 250_000;

/**
 * Everybody clicks at once and the budget pays for a few: exactly those are billed, by an offer's cap
 * and by an advertiser's balance over ten offers; one token sent many times is billed once, and many that are sent a few times
 * once each; and several processes on one set of books bill no more than one of them would.
 */
export async function budgetRace(options: BudgetRaceOptions & OnEngine): Promise<Check[]> {
  return [
    ...(await raceForOneOffer({ ...options, nodes: 1 })),
    ...(await raceForOneBalance({ ...options, nodes: 1 })),
    ...(await raceOfOneToken({ ...options, nodes: 1 })),
    ...(await raceOfTokens(options)),
    ...(await raceForOneOffer(options)),
  ];
}

/** More visitors click one offer than its cap pays for; every other click goes to each process. */
export function raceForOneOffer(options: BudgetRaceOptions & OnEngine): Promise<Check[]> {
  return race(
    { offers: [planOffer("Anchor", priceMicros, { "total-click-cap": String(options.cap) })] },
    { ...options, copies: 1 },
    (books, made) => {
      const offer = made.offers[0]?.offerId ?? "";
      return [
        equal(
          `clicks billed by an offer's click cap, processes: ${options.nodes}`,
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
}

/** More visitors click ten offers of one advertiser than its balance pays for. */
export function raceForOneBalance(options: BudgetRaceOptions & OnEngine): Promise<Check[]> {
  const offers = Array.from({ length: 10 }, (_, index) => planOffer(`Brand ${index + 1}`, priceMicros));
  const plan = { offers, balanceMicros: options.cap * priceMicros };
  return race(plan, { ...options, copies: 1 }, (books, made) => [
    equal("clicks billed by one balance over ten offers", books.billedClicks, options.cap),
    equal("sum of the ledger", books.ledgerMicros, options.cap * priceMicros),
    equal("spent by the advertiser", books.spendOf(made.advertiserId).micros, options.cap * priceMicros),
    equal(
      "spent on the ten offers together",
      made.offers.reduce((sum, { offerId }) => sum + books.spendOf(offerId).micros, 0),
      options.cap * priceMicros,
    ),
  ]);
}

/** One visitor's link is followed by many at once. */
export function raceOfOneToken(options: BudgetRaceOptions & OnEngine): Promise<Check[]> {
  return race({ offers: [planOffer("Anchor", priceMicros)] }, { ...options, visitors: 1 }, (books) => [
    equal(`billed of one token sent ${options.copies} times`, books.billedClicks, 1),
    equal("sum of the ledger", books.ledgerMicros, priceMicros),
    equal("repetitions stored as such", books.clickReasons.duplicate ?? 0, Math.min(20, options.copies - 1)),
  ]);
}

const copiesOfEach = 5;

/** Half of the visitors follow their links five times each, all at once; of each link the processes get some. */
export function raceOfTokens(options: BudgetRaceOptions & OnEngine): Promise<Check[]> {
  const tokens = options.visitors / 2;
  const sent = { ...options, visitors: tokens, copies: copiesOfEach };
  return race({ offers: [planOffer("Anchor", priceMicros)] }, sent, (books) => [
    equal(`billed of ${tokens} tokens sent ${copiesOfEach} times each`, books.billedClicks, tokens),
    equal("sum of the ledger", books.ledgerMicros, tokens * priceMicros),
    equal("lines of the ledger", books.ledgerLines, tokens),
    equal("repetitions stored as such", books.clickReasons.duplicate ?? 0, tokens * (copiesOfEach - 1)),
  ]);
}

type Claims = (books: Books, made: MadeCatalogue) => Check[];

const race = async (
  plan: { offers: OfferPlan[]; balanceMicros?: number },
  { visitors, copies, engine, nodes: count }: BudgetRaceOptions & OnEngine,
  claims: Claims,
): Promise<Check[]> => {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const nodes = await startNodes({ engine, nodes: count, environment });
  const { first, all } = nodes;
  try {
    const website = { name: "Race", origins: ["https://race.example"], geo: everybodyBlocked };
    const made = await makeCatalogue(first, { ...plan, websites: [website] });
    for (const service of all.slice(1)) await untilLive(service, made.publisherId);
    const clicks = await clickAllAtOnce(all, made, visitors, copies);
    const taken = clicks.filter(({ status }) => status === 302);
    const books = await readBooks(first);
    return [
      atLeast("visitors taken to the advertiser", taken.length, clicks.length),
      equal("processes that took them", new Set(taken.map(({ pid }) => pid)).size, all.length),
      equal(
        "clicks that stand, or are counted, in one database",
        sumOf(Object.values(books.clickReasons)) + books.unkeptEvents,
        clicks.length,
      ),
      ...claims(books, made),
      equal("audit", await runCheckCommand(first, "audit"), ""),
      equal("recount", await runCheckCommand(first, "recount"), ""),
    ];
  } finally {
    await nodes.stop();
  }
};

/** Fetches everybody's offers first, then sends every click in one go, each over a connection of its own. */
const clickAllAtOnce = async (
  services: readonly Service[],
  made: MadeCatalogue,
  visitors: number,
  copies: number,
): Promise<{ status: number; pid: number }[]> => {
  const clients = openClients(services);
  const links = await inTurns(visitors, 32, (number) => fetchLink(clients.at(number), made, number));
  await pause(readingMs);
  const clicks = links.flatMap((link) => Array.from({ length: copies }, () => link));
  const answers = await Promise.all(
    clicks.map(async (link, number) => ({
      status: await clickUntilTaken(clients.at(number), link),
      pid: services[number % services.length]?.pid ?? 0,
    })),
  );
  clients.close();
  return answers;
};

const fetchLink = async (client: HttpClient, made: MadeCatalogue, number: number): Promise<Link> => {
  const website = made.websites[0];
  if (website === undefined) throw new Error("the catalogue has no website");
  const visitor = visitorAt(number, website);
  const { offers } = await visitPatiently(client, website, visitor);
  const offer = offers[number % offers.length];
  if (offer === undefined) throw new Error(`visitor ${number} was handed no offer`);
  return { visitor, url: offer.url };
};

if (import.meta.main) {
  const { engine, words } = takeEngine(process.argv.slice(2));
  const options = readNumbers({ visitors: 2000, cap: 100, copies: 500, nodes: 2 }, words);
  process.exitCode = printChecks(`Budget race on ${engine}`, await budgetRace({ ...options, engine }));
}

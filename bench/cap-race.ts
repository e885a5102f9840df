import { setTimeout as pause } from "node:timers/promises";
import { type Books, readBooks, readSpentOn, runCheckCommand } from "./books.ts";
import {
  addAdvertiser,
  everybodyBlocked,
  type MadeCatalogue,
  makeCatalogue,
  planOffer,
  untilLive,
} from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers, sumOf } from "./checks.ts";
import { type Engine, startNodes, takeEngine } from "./cluster/start-nodes.ts";
import { openHttpClient } from "./http-client.ts";
import { atNoon } from "./machine/at-noon.ts";
import { clickUntilTaken, inTurns, type Link, openClients } from "./racing.ts";
import type { Service } from "./service.ts";
import { takeBack, takenBackChecks } from "./take-back.ts";
import { readingMs, visitorAt, visitPage, visitPatiently } from "./visitor.ts";

export type CapRaceOptions = {
  /** Clicks that are sent at the same moment, every other one to each of two processes. */
  clicks: number;
  /** Clicks that an offer's day pays for. */
  dayCap: number;
  /** Clicks that an offer pays for at all. */
  totalCap: number;
  /** Clicks that an advertiser's balance pays for, over three offers. */
  advertiserCap: number;
  /** How often one of the processes is killed while it is at it. */
  kills: number;
  /** How long it may take until pages show what a cap or a balance has changed. */
  shownMs: number;
};

const priceMicros = 250_000;
/** Brands name the offers; of each visitor's offers the one is followed that it is the turn of. */
const [ofDay, ofTotal, lowered, raised] = ["Anchor", "Buoy", "Compass", "Dock"] as const;
const ofAdvertiser = ["Eddy", "Fathom", "Gale"] as const;
const ofTakenBack = "Harbour";
const brands = [ofDay, ofTotal, lowered, raised, ...ofAdvertiser, ofTakenBack];
/** More than a page gets by itself. */
const everyOffer = { limit: brands.length };

/**
 * Clicks on eight offers at once by two processes on one set of books, one of which is killed and started again
 * while they come: what a day, an offer and an advertiser may cost is billed exactly. One cap is lowered meanwhile, and
 * from the answer of that command on nothing goes beyond it; one that is used up is raised, and the offer is handed out again.
 * What another advertiser has paid in is taken back meanwhile, and nothing is billed that nobody pays.
 */
export async function capRace(options: CapRaceOptions & { engine?: Engine }): Promise<Check[]> {
  const environment = {
    ...{ TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
    // A day that ends between the first click and the last has two caps. On PostgreSQL it is the server's.
    ...(options.engine === "postgres" ? {} : atNoon()),
  };
  const nodes = await startNodes({ engine: options.engine, nodes: 2, environment });
  const [steady, killed] = nodes.all;
  try {
    if (steady === undefined || killed === undefined) throw new Error("two processes were to be started");
    const made = await makeOffers(steady, options);
    await untilLive(killed, made.publisherId);
    const links = await fetchLinks([steady, killed], made, options.clicks);
    const { statuses, capMicros, leftMicros } = await clickUnderKills(
      { steady, killed, made, links },
      options,
    );
    const books = await readBooks(steady);
    return [
      atLeast(
        "visitors taken to the advertiser",
        statuses.filter((status) => status === 302).length,
        options.clicks,
      ),
      ...capChecks(books, made, options),
      atMost(
        "billed on the cap that was lowered, in micros",
        books.spendOf(made.idOf(lowered)).micros,
        capMicros,
      ),
      ...(await takenBackChecks(steady, { ...made.takenBack, leftMicros })),
      ...sumChecks(books, made),
      equal("audit", await runCheckCommand(steady, "audit"), ""),
      equal("recount", await runCheckCommand(steady, "recount"), ""),
      ...(await reopen(steady, { made, books }, options)),
    ];
  } finally {
    await nodes.stop();
  }
}

type Made = MadeCatalogue & {
  otherAdvertiserId: string;
  takenBack: { advertiserId: string; depositedMicros: number; sliceMicros: number };
  idOf: (brand: string) => string;
};

const makeOffers = async (service: Service, options: CapRaceOptions): Promise<Made> => {
  const { advertiserId: otherAdvertiserId, offers: others } = await addAdvertiser(service, {
    balanceMicros: options.advertiserCap * priceMicros,
    offers: ofAdvertiser.map((brand) => planOffer(brand, priceMicros)),
  });
  // As much as all clicks on its offer cost.
  const slices = 10;
  const sliceMicros = Math.ceil(options.clicks / brands.length / slices) * priceMicros;
  const depositedMicros = slices * sliceMicros;
  const third = await addAdvertiser(service, {
    balanceMicros: depositedMicros,
    offers: [planOffer(ofTakenBack, priceMicros)],
  });
  const takenBack = { advertiserId: third.advertiserId, depositedMicros, sliceMicros };
  const made = await makeCatalogue(service, {
    websites: [{ name: "Race", origins: ["https://race.example"], geo: everybodyBlocked }],
    offers: [
      planOffer(ofDay, priceMicros, { "daily-click-cap": String(options.dayCap) }),
      planOffer(ofTotal, priceMicros, { "total-click-cap": String(options.totalCap) }),
      planOffer(lowered, priceMicros, { "total-click-cap": String(options.clicks) }),
      planOffer(raised, priceMicros, { "total-click-cap": "1" }),
    ],
  });
  const offers = [...made.offers, ...others, ...third.offers];
  const idOf = (brand: string) => offers.find((offer) => offer.brand === brand)?.offerId ?? "";
  return { ...made, offers, otherAdvertiserId, takenBack, idOf };
};

const fetchLinks = async (services: readonly Service[], made: Made, clicks: number): Promise<Link[]> => {
  const clients = openClients(services, 32);
  const links = await inTurns(clicks, 64, async (number): Promise<Link> => {
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const visitor = visitorAt(number, website);
    const { offers } = await visitPatiently(clients.at(number), website, visitor, everyOffer);
    const offer = offers.find(({ brand }) => brand === brands[number % brands.length]);
    if (offer === undefined) throw new Error(`visitor ${number} was not handed its offer`);
    return { visitor, url: offer.url };
  });
  clients.close();
  await pause(readingMs);
  return links;
};

type Race = { steady: Service; killed: Service; made: Made; links: readonly Link[] };

/**
 * `capMicros`: what the lowered cap allows, or what was billed already when the command that lowered it had answered.
 * `leftMicros`: what was left deposited where money was taken back.
 */
const clickUnderKills = async (
  { steady, killed, made, links }: Race,
  { clicks, kills }: CapRaceOptions,
): Promise<{ statuses: number[]; capMicros: number; leftMicros: number }> => {
  const clients = openClients([steady, killed]);
  let taken = 0;
  const answers = Promise.all(
    links.map(async (link, number) => {
      const status = await clickUntilTaken(clients.at(number), link);
      taken += 1;
      return status;
    }),
  );
  const untilTaken = async (share: number): Promise<void> => {
    while (taken < clicks * share) await Promise.race([pause(5), answers]);
  };
  const lowering = untilTaken(1 / 8).then(() => lowerCap(steady, made.idOf(lowered)));
  const taking = untilTaken(1 / 16).then(() => takeBack(steady, made.takenBack));
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilTaken(kill / (2 * kills + 1));
    await killed.kill();
    await killed.start();
  }
  const [statuses, capMicros, leftMicros] = [await answers, await lowering, await taking];
  clients.close();
  return { statuses, capMicros, leftMicros };
};

/** Lowers the cap to three clicks more than were billed a moment before, and looks again once it is lowered. */
const lowerCap = async (service: Service, offerId: string): Promise<number> => {
  const cap = Math.floor((await readSpentOn(service, offerId)) / priceMicros) + 3;
  await service.admin("offer", "update", "--offer", offerId, "--total-click-cap", String(cap));
  return Math.max(cap * priceMicros, await readSpentOn(service, offerId));
};

const capChecks = (books: Books, made: Made, options: CapRaceOptions): Check[] => [
  equal("clicks billed by an offer's cap of the day", books.spendOf(made.idOf(ofDay)).clicks, options.dayCap),
  equal("clicks billed by an offer's cap", books.spendOf(made.idOf(ofTotal)).clicks, options.totalCap),
  equal(
    "clicks billed by an advertiser's balance over three offers",
    sumOf(ofAdvertiser.map((brand) => books.spendOf(made.idOf(brand)).clicks)),
    options.advertiserCap,
  ),
  equal("clicks billed by a cap of one", books.spendOf(made.idOf(raised)).clicks, 1),
];

const sumChecks = (books: Books, made: Made): Check[] => {
  const advertisers = [made.advertiserId, made.otherAdvertiserId, made.takenBack.advertiserId];
  const spent = advertisers.map((id) => books.spendOf(id).micros);
  return [
    equal("lines of the ledger beside billed clicks", books.ledgerLines, books.billedClicks),
    equal("sum of the ledger", books.ledgerMicros, books.billedClicks * priceMicros),
    equal("spent by all advertisers beside the ledger", sumOf(spent), books.ledgerMicros),
    equal(
      "spent on all offers beside the ledger",
      sumOf(made.offers.map(({ offerId }) => books.spendOf(offerId).micros)),
      books.ledgerMicros,
    ),
  ];
};

/** What is used up is handed out no more; what is paid for again is, within that time. */
const reopen = async (
  service: Service,
  { made, books }: { made: Made; books: Books },
  { clicks, shownMs }: CapRaceOptions,
): Promise<Check[]> => {
  const client = openHttpClient(service.url, 1);
  const [website] = made.websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  let visitors = clicks;
  const shown = async (): Promise<string> => {
    const { offers } = await visitPage(client, website, visitorAt(visitors++, website), everyOffer);
    return offers
      .map(({ brand }) => brand)
      .sort()
      .join(", ");
  };
  const shownWithin = async (wanted: string): Promise<string> => {
    const deadline = Date.now() + shownMs;
    for (;;) {
      const seen = await shown();
      if (seen === wanted || Date.now() > deadline) return seen;
      await pause(20);
    }
  };
  try {
    // Where nearly all clicks had come before the cap was lowered, something of it is left: to what was billed it is used up.
    const { clicks: billed } = books.spendOf(made.idOf(lowered));
    await service.admin(
      "offer",
      "update",
      "--offer",
      made.idOf(lowered),
      "--total-click-cap",
      String(billed),
    );
    const { advertiserId } = made.takenBack;
    const left = await balanceOf(service, advertiserId);
    if (left > 0) await adjust(service, advertiserId, -left);
    const before = await shownWithin("");
    await service.admin("offer", "update", "--offer", made.idOf(raised), "--total-click-cap", "2");
    const afterCap = await shownWithin(raised);
    const paid = ["--micros", String(priceMicros)];
    await service.admin("advertiser", "deposit", "--advertiser", made.otherAdvertiserId, ...paid);
    const all = [raised, ...ofAdvertiser].join(", ");
    const afterDeposit = await shownWithin(all);
    await adjust(service, advertiserId, priceMicros);
    const andGivenBack = [raised, ...ofAdvertiser, ofTakenBack].join(", ");
    return [
      equal("offers that are handed out when all is used up", before, ""),
      equal("offers once a cap was raised", afterCap, raised),
      equal("offers once the balance holds one more price", afterDeposit, all),
      equal("offers once a price was given back", await shownWithin(andGivenBack), andGivenBack),
    ];
  } finally {
    client.close();
  }
};

const adjust = (service: Service, advertiserId: string, micros: number): Promise<unknown> =>
  service.admin(
    ...["advertiser", "adjust", "--advertiser", advertiserId],
    ...["--micros", String(micros), "--note", "A race"],
  );

const balanceOf = async (service: Service, advertiserId: string): Promise<number> => {
  const listed = await service.admin<{ advertiserId: string; balanceMicros: number }[]>("advertiser", "list");
  return listed.find((one) => one.advertiserId === advertiserId)?.balanceMicros ?? 0;
};

if (import.meta.main) {
  const defaults = { clicks: 5000, dayCap: 40, totalCap: 100, advertiserCap: 70, kills: 2, shownMs: 2000 };
  const { engine, words } = takeEngine(process.argv.slice(2));
  const options = readNumbers(defaults, words);
  process.exitCode = printChecks(`Cap race on ${engine}`, await capRace({ ...options, engine }));
}

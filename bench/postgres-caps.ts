import { setTimeout as pause } from "node:timers/promises";
import { rowOf } from "./book-rows.ts";
import { readBooks, readSpentOn } from "./books.ts";
import { everybodyBlocked, type MadeCatalogue, makeCatalogue, planOffer, untilLive } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers, sumOf } from "./checks.ts";
import { startCluster } from "./cluster/cluster.ts";
import { type Clients, clickUntilTaken, inTurns, type Link, openClients } from "./racing.ts";
import type { Service } from "./service.ts";
import { sumChecks } from "./sums.ts";
import { takeBack, takenBackChecks } from "./take-back.ts";
import { readingMs, visitorAt, visitPage } from "./visitor.ts";

export type PostgresCapsOptions = {
  nodes: number;
  /** How often each cap is raced for, at most twenty: a page hands out an offer for each. */
  runs: number;
  /** Clicks that are sent at the same moment, over all nodes. */
  clicks: number;
  /** Clicks that a cap, or a balance, pays for. */
  cap: number;
  /** Clicks under way while a budget is lowered. */
  clicksWhileLowered: number;
  /** How often one visitor, on as many pages, clicks one offer at once. */
  pages: number;
  /** How often one token is sent at once to two nodes. */
  copies: number;
};

const priceMicros = 250_000;
/** Clicks under way at a time while a budget is lowered. */
const clickers = 48;

/**
 * Nodes on one PostgreSQL are sent more clicks than a cap, a balance or a visitor's day pays for, all at once: what is
 * billed is exact, however often it is tried, and nothing goes beyond a budget once the command that lowered it is done, nor
 * beyond a balance of which money is taken back.
 */
export async function postgresCaps(options: PostgresCapsOptions): Promise<Check[]> {
  return [
    ...(await raceForCaps(options)),
    ...(await raceForBalance(options)),
    ...(await raceAgainstLowering(options)),
    ...(await raceAgainstTakingBack(options)),
    ...(await raceOfOneVisitor(options)),
    ...(await raceOfOneToken(options)),
  ];
}

const raceForCaps = (options: PostgresCapsOptions): Promise<Check[]> =>
  onNodes({ ...options, caps: { "total-click-cap": String(options.cap) } }, async (field) => {
    const links = await field.fetchLinks(options.clicks);
    const taken: number[] = [];
    for (const { offerId } of field.made.offers) taken.push(await field.clickAll(of(offerId, links)));
    const { spendOf } = await readBooks(field.first);
    const billed = field.made.offers.map(({ offerId }) => spendOf(offerId).clicks);
    return [
      equal("visitors taken to advertisers", sumOf(taken), options.runs * options.clicks),
      equal(`clicks billed of ${options.clicks} by a cap`, distinct(billed), String(options.cap)),
    ];
  });

/** After each race the advertiser pays in as much again, and the next one is for that. */
const raceForBalance = (options: PostgresCapsOptions): Promise<Check[]> => {
  const balanceMicros = options.cap * priceMicros;
  return onNodes({ ...options, balanceMicros }, async ({ first, made, fetchLinks, clickAll }) => {
    const links = await fetchLinks(options.clicks);
    const spent: number[] = [];
    for (let run = 0; run < options.runs; run += 1) {
      const ofRun = links.map((perOffer, number) => {
        const { offerId } = made.offers[(number + run) % made.offers.length] ?? { offerId: "" };
        return linkOf(offerId, perOffer);
      });
      const before = await readSpentOn(first, made.advertiserId);
      await clickAll(ofRun);
      spent.push(((await readSpentOn(first, made.advertiserId)) - before) / priceMicros);
      if (run + 1 === options.runs) break;
      await first.admin(
        ...["advertiser", "deposit", "--advertiser", made.advertiserId],
        ...["--micros", String(balanceMicros)],
      );
    }
    const what = `clicks billed of ${options.clicks} by a balance over ${made.offers.length} offers`;
    return [
      equal(what, distinct(spent), String(options.cap)),
      equal("races for it", spent.length, options.runs),
    ];
  });
};

/** All that its offers may cost is taken back a twentieth at a time, while they are clicked by all nodes. */
const raceAgainstTakingBack = (options: PostgresCapsOptions): Promise<Check[]> => {
  const sliceMicros = Math.ceil(options.clicks / 20) * priceMicros;
  const balanceMicros = 20 * sliceMicros;
  return onNodes({ ...options, runs: 2, balanceMicros }, async ({ first, made, fetchLinks, clickAll }) => {
    const links = await fetchLinks(options.clicks);
    const { advertiserId } = made;
    const taking = takeBack(first, { advertiserId, depositedMicros: balanceMicros, sliceMicros });
    const clicking = clickAll(
      links.map((perOffer, number) => linkOf(made.offers[number % 2]?.offerId ?? "", perOffer)),
    );
    const [leftMicros, taken] = [await taking, await clicking];
    return [
      equal("visitors taken to an advertiser whose money is taken back", taken, options.clicks),
      ...(await takenBackChecks(first, { advertiserId, leftMicros, sliceMicros })),
    ];
  });
};

/** By turns it is a total budget and a total of clicks that is lowered, to a little more than what was spent a moment before. */
const raceAgainstLowering = (options: PostgresCapsOptions): Promise<Check[]> =>
  onNodes(
    options,
    async ({ first, made, fetchLinks, clients }) => {
      let [beyond, late, left] = [0, Number.POSITIVE_INFINITY, 0];
      for (const [run, { offerId }] of made.offers.entries()) {
        const links = of(offerId, await fetchLinks(options.clicksWhileLowered));
        let [next, taken] = [0, 0];
        const clicker = async (): Promise<void> => {
          while (next < links.length) {
            const number = next++;
            const link = links[number];
            if (link !== undefined) await clickUntilTaken(clients.at(number), link);
            taken += 1;
          }
        };
        const clicking = Promise.all(Array.from({ length: clickers }, clicker));
        while (taken < links.length / 8) await Promise.race([pause(2), clicking]);
        const cap = Math.floor((await readSpentOn(first, offerId)) / priceMicros) + 3;
        const lower =
          run % 2 === 0
            ? ["--total-budget-micros", String(cap * priceMicros)]
            : ["--total-click-cap", String(cap)];
        await first.admin("offer", "update", "--offer", offerId, ...lower);
        late = Math.min(late, links.length - taken);
        await clicking;
        const atChange = await readSpentAtChange(first, offerId);
        const spent = (await readSpentOn(first, offerId)) / priceMicros;
        beyond += Math.max(0, spent - Math.max(cap, atChange));
        left += Math.max(0, cap - spent);
      }
      return [
        atLeast("clicks still under way when a lowered budget was answered, at the least", late, 1),
        equal("clicks billed beyond a budget after it was lowered", beyond, 0),
        // The counter-check: the clicks did reach what was left of it.
        equal("clicks that a lowered budget had left", left, 0),
      ];
    },
    { track_commit_timestamp: "on" },
  );

/** Clicks that were committed before the offer was changed the last time: the order of commits, which no clock of a node tells. */
const readSpentAtChange = async (service: Service, offerId: string): Promise<number> => {
  const { clicks } = await rowOf<{ clicks: number }>(
    service,
    `select count(*) as clicks from offer o join ledger_line l on l.offer = o.number and l.kind = 'click'
     where o.id = '${offerId}'
       and pg_xact_commit_timestamp(l.xid::text::xid) <= pg_xact_commit_timestamp(o.xmin)`,
  );
  return clicks;
};

const raceOfOneVisitor = (options: PostgresCapsOptions): Promise<Check[]> =>
  onNodes({ ...options, runs: 1 }, async ({ first, made, clients, clickAll }) => {
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const visitor = visitorAt(1, website);
    const links = await inTurns(options.pages, 32, async (number): Promise<Link> => {
      const { offers } = await visitPage(clients.at(number), website, visitor);
      return { visitor, url: offers[0]?.url ?? "" };
    });
    await pause(readingMs);
    const taken = await clickAll(links);
    const books = await readBooks(first);
    return [
      equal("one visitor's clicks that were taken", taken, options.pages),
      equal(`billed of one visitor's clicks on ${options.pages} pages`, books.billedClicks, 1),
    ];
  });

const raceOfOneToken = (options: PostgresCapsOptions): Promise<Check[]> =>
  onNodes({ ...options, nodes: 2, runs: 1 }, async ({ first, fetchLinks, clickAll }) => {
    const [link] = (await fetchLinks(1)).flat();
    if (link === undefined) throw new Error("nobody was handed an offer");
    await clickAll(Array.from({ length: options.copies }, () => link));
    const { billedClicks, clickReasons, unkeptEvents } = await readBooks(first);
    const { duplicate = 0 } = clickReasons;
    return [
      equal(`billed of one token sent ${options.copies} times to two nodes`, billedClicks, 1),
      equal("its repetitions stored as such", duplicate, Math.min(20, options.copies - 1)),
      equal("its repetitions, stored or counted", duplicate + unkeptEvents, options.copies - 1),
    ];
  });

type OfferLink = Link & { offerId: string };

type Field = {
  first: Service;
  made: MadeCatalogue;
  clients: Clients;
  /** What so many visitors, of whom none has come before, are handed on a page each, long enough ago to be clicked. */
  fetchLinks: (visitors: number) => Promise<OfferLink[][]>;
  /** Sends all at once, to each node in turn; how many were taken on. */
  clickAll: (links: readonly Link[]) => Promise<number>;
};

type FieldPlan = {
  nodes: number;
  runs: number;
  balanceMicros?: number;
  caps?: Record<string, string>;
};

const onNodes = async (
  { nodes, runs, balanceMicros, caps }: FieldPlan,
  race: (field: Field) => Promise<Check[]>,
  settings: Record<string, string> = {},
): Promise<Check[]> => {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const cluster = await startCluster({ nodes, environment, settings });
  const clients = openClients(cluster.nodes);
  try {
    const [first] = cluster.nodes;
    if (first === undefined) throw new Error("there is no node");
    const made = await makeCatalogue(first, {
      websites: [{ name: "Race", origins: ["https://race.example"], geo: everybodyBlocked }],
      offers: Array.from({ length: runs }, (_, run) => planOffer(`Brand ${run + 1}`, priceMicros, caps)),
      ...(balanceMicros !== undefined && { balanceMicros }),
    });
    for (const node of cluster.nodes.slice(1)) await untilLive(node, made.publisherId);
    let visitors = 0;
    const fetchLinks = async (count: number): Promise<OfferLink[][]> => {
      // A connection that has idled through a race may be closed just when it is used again.
      const fetching = openClients(cluster.nodes, 16);
      const links = await inTurns(count, 64, async (number) => {
        const [website] = made.websites;
        if (website === undefined) throw new Error("the catalogue has no website");
        const visitor = visitorAt(visitors++, website);
        const { offers } = await visitPage(fetching.at(number), website, visitor, { limit: runs });
        return offers.map(({ id, url }) => ({ visitor, url, offerId: id }));
      });
      fetching.close();
      await pause(readingMs);
      return links;
    };
    const clickAll = async (links: readonly Link[]): Promise<number> => {
      const statuses = await Promise.all(
        links.map((link, number) => clickUntilTaken(clients.at(number), link)),
      );
      return statuses.filter((status) => status === 302).length;
    };
    return [
      ...(await race({ first, made, clients, fetchLinks, clickAll })),
      ...(await sumChecks(first, { ...made, advertiserIds: [made.advertiserId] })),
    ];
  } finally {
    clients.close();
    await cluster.stop();
  }
};

/** Everybody's link to one offer. */
const of = (offerId: string, links: readonly (readonly OfferLink[])[]): OfferLink[] =>
  links.map((perOffer) => linkOf(offerId, perOffer));

const linkOf = (offerId: string, links: readonly OfferLink[]): OfferLink => {
  const link = links.find((one) => one.offerId === offerId);
  if (link === undefined) throw new Error(`a visitor was not handed ${offerId}`);
  return link;
};

const distinct = (numbers: readonly number[]): string => [...new Set(numbers)].join(", ");

if (import.meta.main) {
  const defaults = {
    ...{ nodes: 4, runs: 20, clicks: 2000, cap: 100 },
    ...{ clicksWhileLowered: 400, pages: 200, copies: 500 },
  };
  const options = readNumbers(defaults, process.argv.slice(2));
  process.exitCode = printChecks("Caps over nodes on PostgreSQL", await postgresCaps(options));
}

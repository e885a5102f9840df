import { setTimeout as pause } from "node:timers/promises";
import { readBooks, runCheckCommand } from "../../books.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { readingMs, type Visitor, visitPage } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import {
  type Case,
  casesOf,
  internalNetwork,
  isLate,
  openShopOfCases,
  usualStatus,
  type Visit,
  withdrawOffers,
} from "./invalid-clicks.ts";
import type { Shop } from "./shops.ts";

/** What was sent, by website and country, from our own notes. */
type Sent = { blocked: number; served: number; clicks: number };

/**
 * Sends clicks that are worth nothing, for nearly every reason that there is: each is answered as any, stored with its reason and
 * billed to nobody, and what reports count and what they leave out is together what was sent. What takes a day (`expired`) is left out.
 */
export async function invalidTraffic({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine }, { INTERNAL_ADDRESSES: `${internalNetwork}.0/24` });
  const { service } = door;
  const client = openHttpClient(service.url, 8, { keepAlive: false });
  try {
    const shop = await openShopOfCases(service);
    // The service takes the lists over within two seconds.
    await pause(2500);
    const sent = new Map<string, Sent>();
    const wrongStatuses: string[] = [];
    const expected = new Map<string, number>();
    const cases = casesOf(client, shop);
    const visited: { one: Case; visits: Visit[] }[] = [];
    for (const [at, one] of cases.entries()) {
      const visits: Visit[] = [];
      for (const visitor of one.visitors(1 + at * 20)) visits.push(await visit(client, shop, visitor, sent));
      visited.push({ one, visits });
      if (one.reason === "fast_click") await clickAll(one, visits, { shop, sent, wrongStatuses, expected });
    }
    await pause(readingMs);
    for (const { one, visits } of visited) {
      if (one.reason === "fast_click" || isLate(one)) continue;
      await clickAll(one, visits, { shop, sent, wrongStatuses, expected });
    }
    await withdrawOffers(service, shop);
    for (const { one, visits } of visited) {
      if (isLate(one)) await clickAll(one, visits, { shop, sent, wrongStatuses, expected });
    }
    // Refusals that have no row are counted within a second or two.
    await pause(2500);
    const books = await readBooks(service);
    const rows = await readReport(client, shop);
    const wrong = [...sent].flatMap(([name, { blocked, served, clicks }]) => {
      const row = rows.get(name);
      if (row === undefined) return [`${name} is not reported`];
      const gross = row.blocked + row.served + row.clicks + row.filtered;
      const counts = blocked + served + clicks;
      return gross === counts ? [] : [`${name}: ${gross} told, ${counts} sent`];
    });
    const unexpected = Object.entries(books.clickReasons)
      .concat(
        [...expected.keys()].filter((reason) => !(reason in books.clickReasons)).map((reason) => [reason, 0]),
      )
      .filter(([reason, times]) => expected.get(reason) !== times)
      .map(([reason, times]) => `${reason} ${times}, wanted ${expected.get(reason) ?? 0}`);
    const counted = expected.get("counted") ?? 0;
    const told = [...rows.values()].reduce((sum, { clicks }) => sum + clicks, 0);
    return [
      atLeast("reasons that something was refused for", Object.keys(books.clickReasons).length - 1, 14),
      equal("clicks not answered like any other", wrongStatuses.slice(0, 3).join("; "), ""),
      equal("clicks by reason, where they are others", unexpected.join("; "), ""),
      equal("clicks billed", books.billedClicks, counted),
      equal("clicks that reports count", told, counted),
      equal("lines of the ledger", books.ledgerLines, counted),
      equal("rows in which gross is not net and refused", wrong.join("; "), ""),
      equal("recount", await runCheckCommand(service, "recount"), ""),
      equal("audit", await runCheckCommand(service, "audit"), ""),
    ];
  } finally {
    client.close();
    await door.stop();
  }
}

const visit = async (
  client: AnyMethodClient,
  { website }: Shop,
  visitor: Visitor,
  sent: Map<string, Sent>,
): Promise<Visit> => {
  const { decision, offers } = await visitPage(client, website, visitor);
  const { requestId, country } = decision;
  const sums = sumsOf(sent, website.websiteKey, country);
  sums.blocked += 1;
  sums.served += offers.length;
  return { visitor, requestId, country, offers };
};

const sumsOf = (sent: Map<string, Sent>, websiteKey: string, country: string): Sent => {
  const name = `${websiteKey} ${country}`;
  const sums = sent.get(name) ?? { blocked: 0, served: 0, clicks: 0 };
  sent.set(name, sums);
  return sums;
};

const clickAll = async (
  one: Case,
  visits: readonly Visit[],
  noted: { shop: Shop; sent: Map<string, Sent>; wrongStatuses: string[]; expected: Map<string, number> },
): Promise<void> => {
  const { sent, wrongStatuses, expected, shop } = noted;
  const add = (reason: string, times: number): void => {
    if (times > 0) expected.set(reason, (expected.get(reason) ?? 0) + times);
  };
  let clicks = 0;
  const again = one.reason === "duplicate" ? 2 : 1;
  for (const [at, visited] of visits.entries()) {
    for (let time = 0; time < again; time += 1) {
      const status = await one.click(visited, at);
      if (status !== usualStatus(one.reason)) wrongStatuses.push(`${one.reason} ${status}`);
      sumsOf(sent, shop.website.websiteKey, visited.country).clicks += 1;
      clicks += 1;
    }
  }
  const refused = one.reason === "counted" ? 0 : (one.refused ?? clicks);
  add(one.reason, refused);
  add("counted", clicks - refused);
};

type Row = {
  websiteKey: string;
  country: string;
  blocked: number;
  served: number;
  clicks: number;
  filtered: number;
};

const readReport = async (client: AnyMethodClient, { key }: Shop): Promise<Map<string, Row>> => {
  const answer = await client.get("/v1/reports/aggregate?groupBy=websiteKey,country", key);
  const { items } = JSON.parse(answer.body) as { items: Row[] };
  return new Map(items.map((row) => [`${row.websiteKey} ${row.country}`, row]));
};

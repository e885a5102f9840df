import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ServedOffer } from "@offers/contract/offers";
import { type RefusalReason, refusalReasons } from "@offers/contract/words";
import { readBooks, runCheckCommand } from "../../books.ts";
import { untilLive } from "../../catalogue.ts";
import { atLeast, type Check, equal } from "../../checks.ts";
import { type AnyMethodClient, openHttpClient } from "../../http-client.ts";
import { followLink, readingMs, reportEvent, type Visitor, visitorAt, visitPage } from "../../visitor.ts";
import { type DoorOptions, openDoor } from "./door.ts";
import { landing, openShop, type Shop } from "./shops.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const chromeOf = (version: number): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

/** In Germany, and in the United States, by any location data. */
const german = "141.20.5.188";
const american = "8.8.8.8";

/** What one visitor has done, and will be refused for. */
type Visit = {
  visitor: Visitor;
  requestId: string;
  country: string;
  offers: readonly ServedOffer[];
};

type Case = {
  reason: RefusalReason | "counted";
  /** The visitors of it, by the number of the first. */
  visitors: (first: number) => Visitor[];
  /** What is clicked, and as whom. */
  click: (visit: Visit, at: number) => Promise<number>;
  /** How many of its clicks are refused for it, where those before are in order. */
  refused?: number;
};

/** What was sent, by website and country, from our own notes. */
type Sent = { blocked: number; served: number; clicks: number };

/**
 * Sends clicks that are worth nothing, for nearly every reason that there is: each is answered as any, stored with its reason and
 * billed to nobody, and what reports count and what they leave out is together what was sent. What takes a day (`expired`) is left out.
 */
export async function invalidTraffic({ engine }: Pick<DoorOptions, "engine">): Promise<Check[]> {
  const door = await openDoor({ engine }, { INTERNAL_ADDRESSES: "198.19.250.0/24" });
  const { service } = door;
  const client = openHttpClient(service.url, 8, { keepAlive: false });
  try {
    for (const [list, network] of [
      ["datacenter", "198.19.251.0/24"],
      ["search_engine", "198.19.252.0/24"],
    ] as const) {
      const file = join(service.dataDir, `${list}-for-check.txt`);
      await writeFile(file, `${network}\n`);
      await service.admin("networks", "update", "--list", list, "--file", file);
    }
    const lead = `${landing}{click_id}`;
    const shop = await openShop(service, "a", {
      moreWebsites: ["https://late.example"],
      offers: [
        { brand: "Anchor", landingUrl: lead },
        { brand: "Buoy", landingUrl: lead, geo: ["DE"] },
        { brand: "Cable", landingUrl: lead, caps: { "total-click-cap": "1" } },
        { brand: "Deck", landingUrl: lead, geo: ["FR"] },
      ],
    });
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
    const isLate = ({ reason }: Case): boolean => reason === "paused" || reason === "not_permitted";
    for (const { one, visits } of visited) {
      if (one.reason === "fast_click" || isLate(one)) continue;
      await clickAll(one, visits, { shop, sent, wrongStatuses, expected });
    }
    const [anchor, buoy] = shop.offers;
    const { websiteKey } = shop.website;
    await service.admin("offer", "pause", "--offer", anchor?.offerId ?? "");
    await service.admin(
      "allowlist",
      "set",
      "--website",
      websiteKey,
      "--mode",
      "all",
      "--block-offers",
      buoy?.offerId ?? "",
    );
    await untilLive(service, shop.publisherId);
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
      equal(
        "reasons that have no case here",
        refusalReasons.filter((reason) => !expected.has(reason)).join(", "),
        "expired",
      ),
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

/** A beacon is told nothing; whoever follows the link of a paused offer sees a page of ours. */
const usualStatus = (reason: Case["reason"]): number =>
  reason === "not_served" ? 204 : reason === "paused" ? 200 : 302;

const casesOf = (client: AnyMethodClient, { website, offers }: Shop): Case[] => {
  const [anchor, buoy, cable, deck] = offers.map(({ offerId }) => offerId);
  const linkTo = (visited: Visit, offerId = anchor): string => {
    const url = visited.offers.find(({ id }) => id === offerId)?.url;
    if (url === undefined) throw new Error(`${offerId} was not handed out to somebody in ${visited.country}`);
    return url;
  };
  const follow = async (
    visited: Visit,
    offerId?: string,
    more: Record<string, string> = {},
  ): Promise<number> => {
    const headers = { ...visited.visitor.headers, ...more };
    return (await followLink(client, { headers }, linkTo(visited, offerId))).status;
  };
  const some =
    (count: number, more: Record<string, string> = {}) =>
    (first: number) =>
      Array.from({ length: count }, (_, at) => ({
        headers: { ...visitorAt(first + at, website).headers, ...more },
      }));
  const at = (network: string) => (first: number) =>
    some(3)(first).map(({ headers }, number) => ({
      headers: { ...headers, "x-forwarded-for": `${network}.${number + 1}` },
    }));
  return [
    { reason: "counted", visitors: some(5), click: (visited) => follow(visited) },
    { reason: "bot", visitors: some(3, { "user-agent": "curl/8.5.0" }), click: (visited) => follow(visited) },
    {
      reason: "empty_user_agent",
      visitors: some(3, { "user-agent": "" }),
      click: (visited) => follow(visited),
    },
    {
      reason: "not_navigated",
      visitors: some(3),
      click: (visited) => follow(visited, anchor, { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }),
    },
    { reason: "internal_address", visitors: at("198.19.250"), click: (visited) => follow(visited) },
    { reason: "datacenter", visitors: at("198.19.251"), click: (visited) => follow(visited) },
    { reason: "search_engine", visitors: at("198.19.252"), click: (visited) => follow(visited) },
    {
      reason: "rate",
      visitors: (first) =>
        [140, 141, 142, 143].map((version) => ({
          headers: { ...visitorAt(first, website).headers, "user-agent": chromeOf(version) },
        })),
      click: (visited) => follow(visited),
      refused: 1,
    },
    {
      reason: "geo_mismatch",
      visitors: some(1, { "x-forwarded-for": german }),
      click: (visited) => follow(visited, buoy, { "x-forwarded-for": american }),
    },
    {
      reason: "user_agent_mismatch",
      visitors: some(3),
      click: (visited) => follow(visited, anchor, { "user-agent": firefox }),
    },
    { reason: "fast_click", visitors: some(3), click: (visited) => follow(visited) },
    { reason: "duplicate", visitors: some(3), click: (visited) => follow(visited), refused: 3 },
    {
      reason: "not_served",
      visitors: some(3),
      click: async ({ visitor, requestId }) => {
        const offer = { id: deck ?? "", placement: "standard", position: 1 } as unknown as ServedOffer;
        return (await reportEvent(client, "click", visitor, { requestId, offer })).status;
      },
    },
    { reason: "budget_exhausted", visitors: some(3), click: (visited) => follow(visited, cable), refused: 2 },
    { reason: "paused", visitors: some(3), click: (visited) => follow(visited) },
    {
      reason: "not_permitted",
      visitors: some(1, { "x-forwarded-for": "141.20.6.7" }),
      click: (visited) => follow(visited, buoy),
    },
  ];
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

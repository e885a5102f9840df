import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServedOffer } from "@offers/contract/offers";
import { refusalReasons } from "@offers/contract/words";
import { untilLive } from "../../catalogue.ts";
import type { AnyMethodClient } from "../../http-client.ts";
import type { Service } from "../../service.ts";
import { followLink, reportEvent, type Visitor, visitorAt } from "../../visitor.ts";
import { landing, openShop, type Shop } from "./shops.ts";

/** The operator's own, which the service is to be told of. */
export const internalNetwork = "198.19.250";
/** By the lists on which they stand. */
const listedNetworks = { datacenter: "198.19.251", search_engine: "198.19.252" } as const;

/** What one visitor has done, and will be refused for. */
export type Visit = {
  visitor: Visitor;
  requestId: string;
  country: string;
  offers: readonly ServedOffer[];
};

/** Every reason but the one that takes a day, and clicks against which nothing speaks. */
const triedReasons = ["counted", ...refusalReasons.filter((reason) => reason !== "expired")] as const;
type TriedReason = (typeof triedReasons)[number];

export type Case = {
  reason: TriedReason;
  /** The visitors of it, by the number of the first. */
  visitors: (first: number) => Visitor[];
  /** What is clicked, and as whom. */
  click: (visit: Visit, at: number) => Promise<number>;
  /** How many of its clicks are refused for it, where those before are in order. */
  refused?: number;
};

/** The website and the offers that the cases are about, and the lists on which some of their visitors stand. */
export async function openShopOfCases(service: Service): Promise<Shop> {
  for (const [list, network] of Object.entries(listedNetworks)) {
    const file = join(service.dataDir, `${list}-for-check.txt`);
    await writeFile(file, `${network}.0/24\n`);
    await service.admin("networks", "update", "--list", list, "--file", file);
  }
  const lead = `${landing}{click_id}`;
  return openShop(service, "a", {
    moreWebsites: ["https://late.example"],
    offers: [
      { brand: "Anchor", landingUrl: lead },
      { brand: "Buoy", landingUrl: lead, geo: ["DE"] },
      { brand: "Cable", landingUrl: lead, caps: { "total-click-cap": "1" } },
      { brand: "Deck", landingUrl: lead, geo: ["FR"] },
    ],
  });
}

/** Pauses one offer and blocks another, after which the late cases may click. */
export async function withdrawOffers(
  service: Service,
  { offers, website, publisherId }: Shop,
): Promise<void> {
  const [anchor, buoy] = offers;
  await service.admin("offer", "pause", "--offer", anchor?.offerId ?? "");
  await service.admin(
    "allowlist",
    "set",
    "--website",
    website.websiteKey,
    "--mode",
    "all",
    "--block-offers",
    buoy?.offerId ?? "",
  );
  await untilLive(service, publisherId);
}

/** Whether clicks of the case are refused once offers were withdrawn, and not before. */
export function isLate({ reason }: Case): boolean {
  return reason === "paused" || reason === "not_permitted";
}

/** A case for every reason that is tried, and one in which nothing speaks against the clicks. */
export function casesOf(client: AnyMethodClient, { website, offers }: Shop): Case[] {
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
  const cases: Record<TriedReason, Omit<Case, "reason">> = {
    counted: { visitors: some(5), click: (visited) => follow(visited) },
    bot: { visitors: some(3, { "user-agent": "curl/8.5.0" }), click: (visited) => follow(visited) },
    empty_user_agent: {
      visitors: some(3, { "user-agent": "" }),
      click: (visited) => follow(visited),
    },
    not_navigated: {
      visitors: some(3),
      click: (visited) => follow(visited, anchor, { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }),
    },
    internal_address: { visitors: at(internalNetwork), click: (visited) => follow(visited) },
    datacenter: { visitors: at(listedNetworks.datacenter), click: (visited) => follow(visited) },
    search_engine: {
      visitors: at(listedNetworks.search_engine),
      click: (visited) => follow(visited),
    },
    rate: {
      visitors: (first) =>
        [140, 141, 142, 143].map((version) => ({
          headers: { ...visitorAt(first, website).headers, "user-agent": chromeOf(version) },
        })),
      click: (visited) => follow(visited),
      refused: 1,
    },
    geo_mismatch: {
      visitors: some(1, { "x-forwarded-for": german }),
      click: (visited) => follow(visited, buoy, { "x-forwarded-for": american }),
    },
    user_agent_mismatch: {
      visitors: some(3),
      click: (visited) => follow(visited, anchor, { "user-agent": firefox }),
    },
    fast_click: { visitors: some(3), click: (visited) => follow(visited) },
    duplicate: { visitors: some(3), click: (visited) => follow(visited), refused: 3 },
    not_served: {
      visitors: some(3),
      click: async ({ visitor, requestId }) => {
        const offer = { id: deck ?? "", placement: "standard", position: 1 } as unknown as ServedOffer;
        return (await reportEvent(client, "click", visitor, { requestId, offer })).status;
      },
    },
    budget_exhausted: { visitors: some(3), click: (visited) => follow(visited, cable), refused: 2 },
    paused: { visitors: some(3), click: (visited) => follow(visited) },
    not_permitted: {
      visitors: some(1, { "x-forwarded-for": "141.20.6.7" }),
      click: (visited) => follow(visited, buoy),
    },
  };
  return triedReasons.map((reason) => ({ reason, ...cases[reason] }));
}

/** A beacon is told nothing; whoever follows the link of a paused offer sees a page of ours. */
export function usualStatus(reason: Case["reason"]): number {
  return reason === "not_served" ? 204 : reason === "paused" ? 200 : 302;
}

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const chromeOf = (version: number): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;

/** In Germany, and in the United States, by any location data. */
const german = "141.20.5.188";
const american = "8.8.8.8";

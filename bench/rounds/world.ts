import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { seededRandom } from "../../server/core/seeded-random.ts";
import { issueKey } from "../api-key.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "../catalogue.ts";
import { copyWebsite } from "../fill.ts";
import { type HttpClient, openHttpClient } from "../http-client.ts";
import { type Load, startLoad } from "../load/load.ts";
import type { Place, World } from "../load/plan.ts";
import { type Service, startService } from "../service.ts";

export type WorldPlan = {
  websites: number;
  /** Offers that every visitor is eligible for. */
  offers: number;
  environment?: Record<string, string>;
  seed?: number;
};

/** A service with a catalogue, and the generator that plays its visitors. */
export type RunningWorld = {
  service: Service;
  world: World;
  load: Load;
  key: { authorization: string };
  stop: () => Promise<void>;
};

/** So that one cell a batch does not hide the counters. */
const countries = 20;

/**
 * Starts a service in production: one publisher with that many websites, every
 * visitor blocked, and visitors from twenty countries.
 */
export async function startWorld(plan: WorldPlan): Promise<RunningWorld> {
  const service = await startService({
    environment: { ...productionEnvironment(), ...plan.environment },
  });
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Load", origins: ["https://load.example"], geo: everybodyBlocked }],
      offers: [],
      balanceMicros: 1_000_000_000_000,
    });
    const [template] = made.websites;
    if (template === undefined) throw new Error("the catalogue has no website");
    await importOffers(service, made.advertiserId, plan.offers);
    const key = await issueKey(service);
    const websites = [template, ...(await addWebsites(service, template, plan.websites - 1))];
    const world = { websites, authorization: key.authorization, places: await findPlaces(service, template) };
    const load = startLoad(world, plan.seed);
    return {
      service,
      world,
      load,
      key,
      stop: async () => {
        await load.stop();
        await service.stop();
      },
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** As an operator sets it, but for the rate limits, which a generator of many visitors would meet. */
export function productionEnvironment(): Record<string, string> {
  return {
    NODE_ENV: "production",
    TOKEN_SECRET: randomBytes(48).toString("base64"),
    TRUST_PROXY_HOPS: "1",
    RATE_LIMIT_FACTOR: "999999",
  };
}

const importOffers = async (service: Service, advertiserId: string, count: number): Promise<void> => {
  const offers = Array.from({ length: count }, (_, number) => ({
    advertiserId,
    brand: `Brand ${number + 1}`,
    vertical: `v${number % 8}`,
    title: `Brand ${number + 1} saves you a trip`,
    landingUrl: "https://landing.example/?click={click_id}",
    geoCoverage: ["*"],
    payoutModel: "CPC",
    payoutMicros: 200_000,
  }));
  const file = join(service.dataDir, "offers.json");
  await writeFile(file, JSON.stringify(offers));
  await service.admin("offer", "import", "--file", file);
};

const addWebsites = async (
  service: Service,
  template: MadeWebsite,
  count: number,
): Promise<MadeWebsite[]> => {
  if (count === 0) return [];
  await service.kill();
  const websites = copyWebsite(await service.databaseFile(), template.websiteKey, count);
  await service.start();
  return websites;
};

/** Asks the service itself where addresses are, until there are enough countries with a few prefixes each. */
const findPlaces = async (service: Service, website: MadeWebsite): Promise<Place[]> => {
  const client = openHttpClient(service.url, 8);
  const random = seededRandom(7);
  const found = new Map<string, string[]>();
  const wanted = 3;
  const isEnough = () =>
    [...found.values()].filter((prefixes) => prefixes.length >= wanted).length >= countries;
  for (let turn = 0; turn < 500 && !isEnough(); turn += 1) {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const prefix = `${1 + Math.floor(random() * 222)}.${Math.floor(random() * 256)}`;
        const country = await countryOf(client, website, `${prefix}.100.1`);
        if (country !== null) found.set(country, [...(found.get(country) ?? []), prefix]);
      }),
    );
  }
  client.close();
  if (!isEnough()) throw new Error(`addresses of only ${found.size} countries were found`);
  return [...found]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, countries)
    .map(([country, prefixes]) => ({ country, prefixes }));
};

const countryOf = async (
  client: HttpClient,
  website: MadeWebsite,
  address: string,
): Promise<string | null> => {
  const { publicKey, websiteKey, origin } = website;
  const answer = await client.get(`/v1/decision?pub=${publicKey}&website=${websiteKey}`, {
    origin,
    "x-forwarded-for": address,
  });
  const { country } = JSON.parse(answer.body) as { country?: string };
  return answer.status !== 200 || country === undefined || country === "ZZ" ? null : country;
};

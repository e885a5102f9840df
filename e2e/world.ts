import {
  type MadeCatalogue,
  type MadeWebsite,
  makeCatalogue,
  type OfferPlan,
  type WebsitePlan,
} from "../bench/catalogue.ts";
import { type Service, startService } from "../bench/service.ts";
import { articlePage, type HostSite, openHostSite, scriptTag } from "./host-site.ts";
import { openWire, type Wire } from "./wire.ts";

/** The surroundings of one spec file: a service with fresh data, the wire in front of it, and a host site. */
export type World = {
  service: Service;
  wire: Wire;
  host: HostSite;
  /** The advertisers' landing pages, on a third origin. */
  landing: HostSite;
  catalogue: MadeCatalogue;
  /** The website that `plan.websites` has under this name. */
  website: (name: string) => MadeWebsite;
  /** Puts an article with the tag of that website on the host site and returns its path. */
  publish: (
    path: string,
    websiteName: string,
    options?: Parameters<typeof articlePage>[1] & { attributes?: Record<string, string> },
  ) => string;
  close: () => Promise<void>;
};

type WorldPlan = {
  environment?: Record<string, string>;
  websites: readonly (Omit<WebsitePlan, "origins"> & { origins?: readonly string[] })[];
  offers?: readonly Omit<OfferPlan, "landingUrl">[];
};

/** Three permitted offers: enough for one premium place and two others. */
const threeOffers = [
  {
    brand: "Anchor Bank",
    vertical: "banking",
    title: "An account that floats",
    payoutMicros: 900_000,
    // Or what is not known yet of their click rates would decide, by a draw.
    premium: true,
  },
  { brand: "Buoy Mobile", vertical: "mobile", title: "Calls at sea, no roaming", payoutMicros: 400_000 },
  { brand: "Compass Travel", vertical: "travel", title: "Find the way back", payoutMicros: 100_000 },
] as const;

/** Starts everything; websites are registered for the host site unless the plan names other origins. */
export async function openWorld(plan: WorldPlan): Promise<World> {
  const [wire, host, landing] = await Promise.all([openWire(), openHostSite(), openHostSite()]);
  const service = await startService({
    baseUrl: wire.url,
    // All tests of a file are one visitor or one session, and at a good hour a minute has more of them than a person makes.
    // And what stands still for a second is the disk of a machine with much else to do, beside which no event is to be refused.
    environment: { RATE_LIMIT_FACTOR: "10", DURABILITY: "relaxed", ...plan.environment },
  });
  wire.target = service.url;
  landing.pages.set("/landing", { html: "<!doctype html><title>Landing</title><h1>Welcome aboard</h1>" });
  const close = async (): Promise<void> => {
    await Promise.all([wire.close(), host.close(), landing.close()]);
    await service.stop();
  };
  try {
    const catalogue = await makeCatalogue(service, {
      websites: plan.websites.map((website) => ({ origins: [host.origin], ...website })),
      offers: (plan.offers ?? threeOffers).map((offer) => ({
        ...offer,
        landingUrl: `${landing.origin}/landing?click_id={click_id}&offer={offer_id}&country={country}`,
      })),
    });
    const website = (name: string): MadeWebsite => {
      const made = catalogue.websites[plan.websites.findIndex((planned) => planned.name === name)];
      if (made === undefined) throw new Error(`the plan has no website ${name}`);
      return made;
    };
    const publish: World["publish"] = (path, websiteName, { attributes = {}, ...options } = {}) => {
      const tag = scriptTag(wire.url, { ...website(websiteName), attributes });
      host.pages.set(path, articlePage(tag, options));
      return path;
    };
    return { service, wire, host, landing, catalogue, website, publish, close };
  } catch (error) {
    await close();
    throw error;
  }
}

import type { OfferId, PublicKey, PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { CatalogueRows, Offer, Website } from "./catalogue.ts";
import { createCatalogue, type LiveCatalogue } from "./compiled-catalogue.ts";

/** A catalogue for tests that holds these rows. */
export function sampleCatalogue(rows: Partial<CatalogueRows>): LiveCatalogue {
  const catalogue = createCatalogue();
  catalogue.apply({ version: 1, websites: [], offers: [], ...rows });
  return catalogue;
}

/** A plain offer for tests: a CPC one that covers the whole world. */
export function sampleOffer(over: Omit<Partial<Offer>, "id"> & { id?: string } = {}): Offer {
  return {
    number: 1,
    advertiserId: "advertiser_sample" as Offer["advertiserId"],
    brand: "Sample",
    vertical: "books",
    title: "A sample",
    description: "",
    ctaText: "",
    imageUrl: null,
    landingUrl: "https://sample.example/",
    disclosure: "",
    terms: "",
    language: "",
    locales: {},
    geoCoverage: ["*"],
    payoutModel: "CPC",
    payoutMicros: 100_000,
    conversionRateBasisPoints: null,
    currency: "EUR",
    premium: false,
    dailyBudgetMicros: null,
    totalBudgetMicros: null,
    dailyClickCap: null,
    totalClickCap: null,
    pacing: "asap",
    startsAt: null,
    endsAt: null,
    days: [],
    hours: [],
    timeZone: "UTC",
    languages: [],
    devices: [],
    onlyPublishers: [],
    exceptPublishers: [],
    status: "active",
    ...over,
    id: (over.id ?? "offer_sample") as OfferId,
  };
}

/** For tests in which no budget is spread over the day. */
export const unpaced = { pacedSpend: () => undefined, now: 0 };

/** A plain website for tests: every offer is permitted, every visitor allowed. */
export function sampleWebsite(over: Omit<Partial<Website>, "key"> & { key?: string } = {}): Website {
  return {
    id: 1,
    publisherId: "publisher_sample" as PublisherId,
    publicKey: "pub_sample" as PublicKey,
    name: "A sample",
    vertical: "unassigned",
    ownBrand: "",
    paused: false,
    development: false,
    origins: ["https://shop-a.example"],
    geoRule: { mode: "blocklist", entries: [], unknownLocation: "allow" },
    allowlist: sampleAllowlist({ mode: "all" }),
    settings: {
      theme: "auto",
      language: "",
      trigger: "immediate",
      frequency: "closed",
      placement: "center",
      pages: { include: [], exclude: [] },
      accent: null,
      radius: null,
      font: "own",
      logo: null,
      dismissible: true,
      title: "",
      message: "",
      supportContact: null,
      fallbackUrl: null,
      fallbackLabel: "",
    },
    floor: { micros: 0, currency: "EUR" },
    shareBasisPoints: null,
    secretCarrier: "any",
    ...over,
    key: (over.key ?? "ws_sample") as WebsiteKey,
  };
}

type Names = Website["allowlist"]["allow"];

/** An allowlist for tests; what is not given is empty. */
export function sampleAllowlist(given: {
  mode: Website["allowlist"]["mode"];
  allow?: Partial<Names>;
  block?: Partial<Names>;
}): Website["allowlist"] {
  const empty: Names = { brands: [], verticals: [], offers: [] };
  return { mode: given.mode, allow: { ...empty, ...given.allow }, block: { ...empty, ...given.block } };
}

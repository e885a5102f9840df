import { advertiserInput, allowlist, offerInput, websiteInput } from "@offers/contract/catalogue";
import { advertiserId, offerId, publicKey, publisherId, websiteKey } from "@offers/contract/ids";
import { isCountry, isRegion } from "../geo/iso-codes.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { setAllowlist } from "../store/catalogue/allowlists.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { createPublisher } from "../store/catalogue/publishers.ts";
import { createWebsite } from "../store/catalogue/websites.ts";

/** What may be saved in tests: every host and place that the lists know. */
export const rules = {
  isPublicSuffix: () => false,
  isCountry,
  isRegion,
  neverLocated: () => null,
  production: true,
};

/** A German is blocked on every website, a visitor from New Jersey, from France or from nowhere is not. */
const geoRule = { mode: "allowlist", entries: ["US-NJ", "FR"], unknownLocation: "allow" };

const everything = allowlist.parse({ mode: "all", allow: {}, block: {} });
const nothing = allowlist.parse({ mode: "allowlist", allow: {}, block: {} });

const websites = [
  {
    key: "ws_a",
    publisherId: "publisher_a",
    origins: ["https://shop-a.example"],
    vertical: "news",
    settings: {
      title: "Not in your country",
      message: "We are sorry.",
      supportContact: { email: "help@shop-a.example" },
      fallbackUrl: "https://shop-a.example/offers",
      fallbackLabel: "Our own offers",
    },
  },
  { key: "ws_b", publisherId: "publisher_b", origins: ["https://shop-b.example"] },
  {
    key: "ws_dev",
    publisherId: "publisher_a",
    origins: ["https://dev.shop-a.example", "http://localhost:8788"],
    development: true,
  },
  { key: "ws_wild", publisherId: "publisher_a", origins: ["https://*.wild-a.example"] },
  { key: "ws_empty", publisherId: "publisher_b", origins: ["https://empty.example"] },
];

const landingUrl =
  "https://brand.example/land?c={click_id}&r={request_id}&o={offer_id}&u={publisher}&w={website}&s={surface}&p={placement}";

const offers: Record<string, Record<string, unknown>> = {
  premium: { brand: "Premium", payoutMicros: 500_000, premium: true },
  best: { brand: "Best", payoutMicros: 400_000 },
  // Never shown where the first one is: its brand has the premium place, whatever click rates are drawn.
  second: { brand: "Premium", payoutMicros: 390_000 },
  cpm: { brand: "Thousand", payoutModel: "CPM", payoutMicros: 1_000_000 },
  once: { brand: "Once", payoutMicros: 300_000, totalClickCap: 1 },
  lead: { brand: "Lead", payoutModel: "CPL", payoutMicros: 9_000_000 },
  world: { brand: "World", payoutMicros: 1_000, geoCoverage: ["*"] },
  paused: { brand: "Paused", payoutMicros: 900_000 },
  french: { brand: "French", payoutMicros: 900_000, geoCoverage: ["FR"] },
};

/** Fills an empty database with two publishers, their websites, and offers for Germany. */
export async function fillFixture(catalogue: CatalogueHandle, now: number): Promise<void> {
  for (const letter of ["a", "b"]) {
    const keys = {
      publisherId: publisherId.parse(`publisher_${letter}`),
      publicKey: publicKey.parse(`pub_${letter}`),
    };
    await createPublisher(catalogue, { name: `Publisher ${letter}` }, { now, keys });
  }
  for (const { key, ...website } of websites) {
    const input = websiteInput.parse({ name: key, geoRule, ...website });
    await createWebsite(catalogue, input, { now, rules, key: websiteKey.parse(key) });
    await setAllowlist(catalogue, key, key === "ws_empty" ? nothing : everything);
  }
  const owner = await createAdvertiser(
    catalogue,
    advertiserInput.parse({ name: "Advertiser", balanceMicros: 1_000_000_000 }),
    { now, id: advertiserId.parse("advertiser_1") },
  );
  for (const [name, offer] of Object.entries(offers)) {
    const common = {
      advertiserId: owner,
      vertical: "games",
      title: name,
      geoCoverage: ["DE"],
      payoutModel: "CPC",
      landingUrl,
    };
    await createOffer(catalogue, offerInput.parse({ ...common, ...offer }), {
      now,
      rules,
      id: offerId.parse(`offer_${name}`),
      status: name === "paused" ? "paused" : "active",
    });
  }
}

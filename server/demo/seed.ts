import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import { advertiserId, offerId } from "@offers/contract/ids";
import { savingRules } from "../saving-rules.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { setAllowlist } from "../store/catalogue/allowlists.ts";
import { changeCatalogue } from "../store/catalogue/catalogue-change.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { addKnownSecret } from "../store/catalogue/integration-secrets.ts";
import { createOffer } from "../store/catalogue/offers.ts";
import { createPublisher } from "../store/catalogue/publishers.ts";
import { putMember } from "../store/catalogue/team-members.ts";
import { createUser } from "../store/catalogue/users.ts";
import { createWebsite } from "../store/catalogue/websites.ts";
import { type BrandSlug, demoBrands } from "./brands.ts";
import { isEmpty } from "./catalogue-is-empty.ts";
import { demoUser } from "./link.ts";
import { demoLocalesOf } from "./locales.ts";
import { type DemoOffer, demoOffers } from "./offers.ts";
import { demoPublishers, demoSecrets, demoWebsites } from "./sites.ts";

/**
 * Fills an empty catalogue with the demo's publishers, websites, advertisers and offers, in one transaction.
 * Returns false, and changes nothing, when anybody has saved anything.
 */
export async function seedDemo(
  catalogue: CatalogueHandle,
  args: {
    /** Milliseconds since the epoch. */
    now: number;
    /** Origin of the demo site, http on a loopback host. */
    demoOrigin: string;
    /** In production the secrets in the demo's source are not seeded: everybody knows them. */
    production: boolean;
  },
): Promise<boolean> {
  // The first look takes no lock, so that a start beside a busy server does not wait for one.
  if (!(await isEmpty(catalogue))) return false;
  return changeCatalogue(catalogue, async (tx) => {
    if (!(await isEmpty(tx))) return false;
    const made = { now: args.now, rules: savingRules(false, () => null) };
    for (const { name, ...keys } of demoPublishers) await createPublisher(tx, { name }, { ...made, keys });
    const websites = demoWebsites(args.demoOrigin);
    for (const { key, website } of websites) await createWebsite(tx, website, { ...made, key });
    for (const { slug, company, euros } of demoBrands) {
      const input = { name: company, balanceMicros: euros * 1_000_000 };
      await createAdvertiser(tx, input, { ...made, id: advertiserOf(slug) });
    }
    for (const offer of demoOffers) {
      const status = offer.paused ? "paused" : "active";
      const id = offerId.parse(`offer_${offer.id}`);
      await createOffer(tx, inputOf(offer, args.demoOrigin), { ...made, id, status });
    }
    if (!args.production) {
      for (const known of demoSecrets) await addKnownSecret(tx, { ...known, now: args.now });
    }
    if (!args.production) {
      const { userId } = await createUser(tx, { ...demoUser, isOperator: true }, args.now);
      for (const { publisherId } of demoPublishers) {
        await putMember(tx.db, { userId, publisherId, role: "owner" }, args.now);
      }
    }
    for (const { key, allowlist } of websites) await setAllowlist(tx, key, allowlist);
    return true;
  });
}

/** `brightwave-energy` → `advertiser_brightwave-energy`. */
const advertiserOf = (slug: BrandSlug) => advertiserId.parse(`advertiser_${slug}`);

const inputOf = (offer: DemoOffer, demoOrigin: string): OfferInput =>
  offerInput.parse({
    advertiserId: advertiserOf(offer.brand),
    brand: demoBrands.find(({ slug }) => slug === offer.brand)?.brand,
    vertical: offer.vertical,
    title: offer.title,
    description: offer.description,
    ctaText: offer.cta,
    imageUrl: offer.monogram ? null : `${demoOrigin}/brands/${offer.brand}.svg`,
    landingUrl: `${demoOrigin}/advertisers/${offer.brand}?click_id={click_id}&offer={offer_id}&country={country}`,
    disclosure: offer.disclosure,
    terms: offer.terms,
    language: offer.language ?? "en",
    locales: demoLocalesOf(offer.id),
    geoCoverage: offer.geo,
    payoutModel: offer.model,
    payoutMicros: offer.payoutMicros,
    premium: offer.premium ?? false,
    ...offer.caps,
  });

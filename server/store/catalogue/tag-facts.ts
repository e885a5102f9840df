import type { Kysely } from "kysely";
import type { Offer, Website } from "../../core/catalogue.ts";
import { createLearntRates } from "../../core/click-rates.ts";
import { createCatalogue } from "../../core/compiled-catalogue.ts";
import { decideByLocation } from "../../core/geo-decision.ts";
import type { TagFacts } from "../../core/tag-health.ts";
import { eligibleOffers } from "../../core/targeting.ts";
import type { Schema } from "../schema.ts";
import { readCatalogueChanges } from "./catalogue-changes.ts";
import { readTagCalls, type TagCalls } from "./tag-calls.ts";
import type { ListedWebsite } from "./websites.ts";

/** What the database tells of a website's tag; whoever asks adds what stands elsewhere. */
export type StoredTagFacts = Omit<TagFacts, "now" | "silentAt" | "currentScript" | "checkedPage"> & TagCalls;

/**
 * Prepares the reading of all facts on a website's tag. What does not change while somebody waits is read once.
 * @param waitingSince milliseconds since the epoch; what happened before is not looked at.
 */
export async function prepareTagFacts(
  db: Kysely<Schema>,
  website: ListedWebsite,
  waitingSince: number,
): Promise<() => Promise<StoredTagFacts>> {
  const { mode, entries, unknownLocation } = website.geoRule;
  const settled = {
    waitingSince,
    websiteKey: website.websiteKey,
    publicKey: website.publicKey,
    origins: website.origins,
    isPaused: website.paused,
    isDevelopment: website.development,
    blocksSomebody: mode === "allowlist" || entries.length > 0 || unknownLocation === "block",
    hasSupportContact: website.settings.supportContact !== null,
    ...(await readOfferFacts(db, website)),
  };
  return async () => ({ ...settled, ...(await readTagCalls(db, website.websiteKey, waitingSince)) });
}

type OfferFacts = Pick<TagFacts, "offers" | "offersReachSomebody" | "placesWithoutOffer">;

/** What the website may show, by the rules that the running service goes by. Budgets are not looked at. */
const readOfferFacts = async (
  db: Kysely<Schema>,
  { websiteKey, geoRule }: ListedWebsite,
): Promise<OfferFacts> => {
  const live = createCatalogue();
  const parts: Parameters<typeof live.apply>[0][] = [];
  await readCatalogueChanges(db, 0, (part) => parts.push(part));
  for (const part of parts) live.apply(part);
  const website = live.website(websiteKey);
  const active = parts.flatMap(({ offers }) => offers).filter(({ status }) => status === "active");
  if (website === undefined) {
    return {
      offers: { active: active.length, permitted: 0 },
      offersReachSomebody: false,
      placesWithoutOffer: [],
    };
  }
  const permitted = active.filter((offer) => live.permits(website, offer));
  const blocked = geoRule.mode === "blocklist" ? geoRule.entries : [];
  const rates = createLearntRates();
  return {
    offers: { active: active.length, permitted: permitted.length },
    offersReachSomebody: permitted.some((offer) => reachesBlocked(offer, website)),
    placesWithoutOffer: blocked.filter(
      (entry) =>
        eligibleOffers({ catalogue: live, website, location: placeOf(entry), rates, hasBudget: () => true })
          .outcome === "empty",
    ),
  };
};

/** Whether an offer covers a place whose visitors the rule blocks: its own places, or those of the rule that it holds. */
const reachesBlocked = ({ geoCoverage }: Offer, { geoRule }: Website): boolean => {
  if (geoCoverage.includes("*")) return true;
  const within = geoRule.entries.filter((entry) => geoCoverage.includes(entry.slice(0, 2)));
  return [...geoCoverage, ...within].some((entry) => !decideByLocation(geoRule, placeOf(entry)).allowed);
};

const placeOf = (entry: string): { country: string; region: string } => {
  const [country = "", region = ""] = entry.split("-");
  return { country, region };
};

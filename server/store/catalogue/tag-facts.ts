import type { Kysely } from "kysely";
import { countPermitted } from "../../core/allowlist-count.ts";
import { createCatalogue } from "../../core/compiled-catalogue.ts";
import type { TagFacts } from "../../core/tag-facts.ts";
import { type OfferFacts, offerFacts, settingFacts } from "../../core/website-facts.ts";
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
  const settled = {
    waitingSince,
    ...settingFacts(website),
    ...(await readOfferFacts(db, website)),
  };
  return async () => ({ ...settled, ...(await readTagCalls(db, website.websiteKey, waitingSince)) });
}

/** What the website may show, for one that no running service knows. Budgets are not looked at. */
export async function readOfferFacts(db: Kysely<Schema>, website: ListedWebsite): Promise<OfferFacts> {
  const live = createCatalogue();
  await readCatalogueChanges(db, 0, (part) => live.apply(part));
  return offerFacts(website, countPermitted(live.rankedOffers(), website));
}

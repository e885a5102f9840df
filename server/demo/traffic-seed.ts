import type { Offer } from "../core/catalogue.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import { readCatalogueChanges } from "../store/catalogue/catalogue-changes.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { demoTraffic } from "./traffic.ts";

/**
 * Records 90 days of made-up traffic until `now` (milliseconds since the epoch) in one transaction, by the rules that record
 * real visits; returns how many entries the journal took. It takes a second or two and blocks its thread.
 */
export async function seedDemoTraffic(
  saved: Pick<OpenCatalogue, "db" | "record">,
  now: number,
): Promise<number> {
  const catalogue = createCatalogue();
  const offers: Offer[] = [];
  await readCatalogueChanges(saved.db, 0, (part) => {
    catalogue.apply(part);
    offers.push(...part.offers);
  });
  const entries = demoTraffic({ catalogue, offers, now });
  await saved.record(entries);
  return entries.length;
}

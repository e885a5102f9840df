import { createLearntRates } from "../core/click-rates.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import type { Standing } from "../core/offer-choice.ts";
import { readCatalogueChanges } from "../store/catalogue/catalogue-changes.ts";
import type { OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";

/** What a service that starts at `now` (milliseconds since the epoch) would choose offers by. */
export async function standingAt(now: number, saved: OpenCatalogue): Promise<Standing> {
  const catalogue = createCatalogue();
  await readCatalogueChanges(saved.db, 0, (part) => catalogue.apply(part));
  const rates = createLearntRates();
  const counts = await saved.rateCounts(now);
  if (counts !== null) rates.apply(counts);
  const budgets = await saved.budgets(now);
  const exhausted = new Set(budgets.exhausted);
  const paced = new Map(budgets.paced.map((spend) => [spend.offer, spend]));
  return {
    catalogue,
    rates,
    hasBudget: (offer) => !exhausted.has(offer),
    pacedSpend: (offer) => paced.get(offer),
    now,
  };
}

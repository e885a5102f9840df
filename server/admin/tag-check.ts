import { createLearntRates } from "../core/click-rates.ts";
import { createCatalogue } from "../core/compiled-catalogue.ts";
import { isLoopbackHost } from "../core/loopback-host.ts";
import { type TagCause, type TagFacts, type TagHealth, tagHealth } from "../core/tag-health.ts";
import { eligibleOffers } from "../core/targeting.ts";
import { readCatalogueChanges } from "../store/catalogue/catalogue-changes.ts";
import { readTagCalls, type TagCalls } from "../store/catalogue/tag-calls.ts";
import type { ListedWebsite } from "../store/catalogue/websites.ts";
import type { CommandContext } from "./command.ts";

export type CheckedTag = TagHealth & Pick<TagCalls, "lastPing">;

/**
 * Prepares the look at a website's tag. What does not change while somebody waits is read once.
 * @param waitingSince milliseconds since the epoch; what happened before is not looked at.
 */
export async function prepareTagCheck(
  { catalogue, clock, service }: CommandContext,
  website: ListedWebsite,
  waitingSince: number,
): Promise<() => Promise<CheckedTag>> {
  const offers = await offerFacts(catalogue.db, website);
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
    ...offers,
  };
  return async () => {
    const calls = await readTagCalls(catalogue.db, website.websiteKey, waitingSince);
    const silentAt = (await service.isAnswering()) ? null : service.listensAt;
    return { ...tagHealth({ ...settled, ...calls, now: clock(), silentAt }), lastPing: calls.lastPing };
  };
}

/** What the website may show, by the rules that the running service goes by. Budgets are not looked at. */
const offerFacts = async (
  db: CommandContext["catalogue"]["db"],
  { websiteKey, geoRule }: ListedWebsite,
): Promise<Pick<TagFacts, "offers" | "placesWithoutOffer">> => {
  const live = createCatalogue();
  const counted = { active: 0, permitted: 0 };
  const parts: Parameters<typeof live.apply>[0][] = [];
  await readCatalogueChanges(db, 0, (part) => parts.push(part));
  for (const part of parts) live.apply(part);
  const website = live.website(websiteKey);
  if (website === undefined) return { offers: counted, placesWithoutOffer: [] };
  for (const offer of parts.flatMap(({ offers }) => offers)) {
    if (offer.status !== "active") continue;
    counted.active += 1;
    if (live.permits(website, offer)) counted.permitted += 1;
  }
  const blocked = geoRule.mode === "blocklist" ? geoRule.entries : [];
  const rates = createLearntRates();
  const placesWithoutOffer = blocked.filter((entry) => {
    const [country = "", region = ""] = entry.split("-");
    const location = { country, region };
    return (
      eligibleOffers({ catalogue: live, website, location, rates, hasBudget: () => true }).outcome === "empty"
    );
  });
  return { offers: counted, placesWithoutOffer };
};

/** A cause for reading: what is the matter, and below it what to do. */
export function causeText({ code, says, fix, isFatal }: TagCause): string {
  return `${isFatal ? "✘" : "!"} ${says}\n  ${fix} (${code})`;
}

/** Whether a website stands on this machine alone, where nobody else can visit it. */
export function isOnThisMachine(origins: readonly string[]): boolean {
  return origins.every((origin) => isLoopbackHost(URL.parse(origin)?.hostname ?? ""));
}

import type { TagHealth } from "../core/tag-health.ts";
import type { OfferFacts } from "../core/website-facts.ts";
import { websiteTagHealth } from "../core/website-tag-health.ts";
import { readPageChecks } from "../store/catalogue/page-checks.ts";
import { readManyTagCalls } from "../store/catalogue/tag-calls.ts";
import { readOfferFacts } from "../store/catalogue/tag-facts.ts";
import { type ListedWebsite, listWebsites } from "../store/catalogue/websites.ts";
import type { DeskHandle } from "./desk-handle.ts";

/** What only the service's own thread knows of a publisher's websites. */
export type KnownOfTags = {
  publisherId: string;
  /** By the website's key, as far as the service knows it. */
  offerFacts: ReadonlyMap<string, OfferFacts>;
  currentScript: string;
};

/** A website of a list, and what is to be mended. */
export type JudgedTag = {
  website: Pick<ListedWebsite, "websiteKey" | "name" | "origins" | "vertical" | "development" | "paused">;
  state: TagHealth["state"];
  causes: Pick<TagHealth["causes"][number], "code" | "says" | "fix" | "isFatal">[];
};

/** How the tags of all websites of a publisher fare: judged beside the service's thread, for hundreds take a while. */
export async function judgeTags({ db, now }: DeskHandle, known: KnownOfTags): Promise<JudgedTag[]> {
  const websites = await listWebsites(db, { publisherId: known.publisherId });
  const calls = await readManyTagCalls(
    db,
    websites.map(({ websiteKey }) => websiteKey),
    now,
  );
  const checks = await readPageChecks(db, known.publisherId, now);
  const judged: JudgedTag[] = [];
  for (const website of websites) {
    const { websiteKey, name, origins, vertical, development, paused } = website;
    const ofWebsite = calls.get(websiteKey);
    if (ofWebsite === undefined) continue;
    const { state, causes } = websiteTagHealth({
      ...{ now, website },
      // One that was made just now is not known to the service's thread yet.
      offerFacts: known.offerFacts.get(websiteKey) ?? (await readOfferFacts(db, website)),
      calls: ofWebsite,
      check: checks.get(websiteKey),
      currentScript: known.currentScript,
    });
    judged.push({
      website: { websiteKey, name, origins, vertical, development, paused },
      state,
      causes: causes.map(({ code, says, fix, isFatal }) => ({ code, says, fix, isFatal })),
    });
  }
  return judged;
}

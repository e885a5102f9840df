import type { TagFacts } from "./tag-facts.ts";
import { type TagHealth, tagHealth } from "./tag-health.ts";
import { lastHeard } from "./usual-loads.ts";
import { type OfferFacts, type SetWebsite, settingFacts } from "./website-facts.ts";

/** What a check of a page has found, and when (milliseconds since the epoch). */
export type KeptCheck = NonNullable<TagFacts["checkedPage"]> & { at: number };

/** What a check has found is told, and kept, for so long; a page that loads the tag ends the telling earlier. */
export const checkToldMs = 60 * 60 * 1000;

/** What the running service knows of a website's tag at `now` (milliseconds since the epoch). */
export type KnownTag = Pick<TagFacts, "now" | "currentScript"> & {
  /** It waits for its tag since it was made. */
  website: SetWebsite & { createdAt: number };
  offerFacts: OfferFacts;
  calls: Pick<TagFacts, "lastPing" | "othersAt" | "loads" | "refused" | "elsewhere">;
  check: KeptCheck | undefined;
};

/** How a website's tag fares; what a check has found is told until a page loads the tag after it. */
export function websiteTagHealth({ website, offerFacts, calls, check, ...known }: KnownTag): TagHealth {
  return tagHealth({
    ...settingFacts(website),
    ...offerFacts,
    ...calls,
    ...known,
    waitingSince: website.createdAt,
    // Whoever asks the service is answered by it.
    silentAt: null,
    checkedPage:
      check && check.at > (lastHeard(calls.lastPing?.at ?? null, calls.othersAt) ?? 0) ? check : null,
  });
}

import type { PublisherId, WebsiteKey } from "@offers/contract/ids";
import type { Website } from "./catalogue.ts";
import type { Catalogue } from "./compiled-catalogue.ts";

/**
 * The websites that a call with an API key is about: the one that it names, else all that the key is good for. Null: it
 * names one that is not among these, whoever has it.
 * @param key.websiteId the one website that the key is good for; null: every website of the publisher.
 */
export function permittedWebsites(
  catalogue: Pick<Catalogue, "website" | "websiteById" | "websitesOf">,
  key: { publisherId: PublisherId; websiteId: number | null },
  named: WebsiteKey | undefined,
): readonly Website[] | null {
  const only = key.websiteId === null ? null : catalogue.websiteById(key.websiteId);
  if (named === undefined) return only === null ? catalogue.websitesOf(key.publisherId) : only ? [only] : [];
  const website = catalogue.website(named);
  if (website === undefined || website.publisherId !== key.publisherId) return null;
  return only === null || only === website ? [website] : null;
}

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
  if (named === undefined) {
    if (only === null) return catalogue.websitesOf(key.publisherId);
    return only && !only.archived ? [only] : [];
  }
  const website = catalogue.website(named);
  if (website === undefined || website.publisherId !== key.publisherId) return null;
  return only === null || only === website ? [website] : null;
}

/** The same for what has happened: with the websites that the publisher has deleted, whose figures go on adding up. */
export function reportedWebsites(
  catalogue: Pick<Catalogue, "website" | "websiteById" | "websitesOf" | "archivedWebsitesOf">,
  key: { publisherId: PublisherId; websiteId: number | null },
  named: WebsiteKey | undefined,
): readonly Website[] | null {
  const deleted = catalogue
    .archivedWebsitesOf(key.publisherId)
    .filter(({ id }) => key.websiteId === null || id === key.websiteId);
  const namedOne = named === undefined ? undefined : deleted.find((website) => website.key === named);
  if (namedOne !== undefined) return [namedOne];
  const permitted = permittedWebsites(catalogue, key, named);
  return named === undefined && permitted !== null && deleted.length > 0
    ? [...permitted, ...deleted]
    : permitted;
}

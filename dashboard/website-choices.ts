import type { WebsitesAnswer } from "@offers/contract/dash/tag-health";

type Listed = {
  items: readonly Pick<WebsitesAnswer["items"][number], "websiteKey" | "name">[];
  deleted?: WebsitesAnswer["deleted"];
};

/** How websites are called, by their keys; of a deleted one, whose figures stay, the name says so. */
export function websiteNames({ items, deleted = [] }: Listed = { items: [] }): Map<string, string> {
  return new Map([
    ...items.map(({ websiteKey, name }) => [websiteKey, name] as const),
    ...deleted.map(({ websiteKey, name }) => [websiteKey, `${name} (deleted)`] as const),
  ]);
}

/**
 * What a choice of websites whose figures are shown offers: all of them, and each. The chosen one stands there by its key
 * where it is none of the list, as before that is read.
 */
export function websiteChoices(
  websites: Listed | undefined,
  chosen: string | undefined,
): { value: string; says: string }[] {
  const names = websiteNames(websites);
  if (chosen && !names.has(chosen)) names.set(chosen, chosen);
  return [{ value: "", says: "All websites" }, ...Array.from(names, ([value, says]) => ({ value, says }))];
}

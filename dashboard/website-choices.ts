import type { WebsiteRow } from "@offers/contract/dash/tag-health";

/**
 * What a choice of websites offers: all of them, and each. The chosen one stands there by its key where it is none of the list, as
 * one that is deleted, whose figures stay.
 */
export function websiteChoices(
  websites: readonly Pick<WebsiteRow, "websiteKey" | "name">[] = [],
  chosen: string | undefined,
): { value: string; says: string }[] {
  const choices = [
    { value: "", says: "All websites" },
    ...websites.map(({ websiteKey, name }) => ({ value: websiteKey, says: name })),
  ];
  return !chosen || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, says: chosen }];
}

import type { Words } from "./words.ts";

/**
 * Title and message of the overlay by the reason of the decision, for a publisher who wrote none. A reason
 * that is not known here reads as one about the country.
 */
export function blockedWords(words: Words, reason: string): { title: string; message: string } {
  if (reason === "location_unknown") return { title: words.titleUnknown, message: words.messageUnknown };
  const title = reason.startsWith("region_") ? words.titleRegion : words.titleCountry;
  return { title, message: words.message };
}

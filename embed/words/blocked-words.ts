import type { Words } from "./words.ts";

/**
 * Title and message of the overlay by the reason of the decision, for a publisher who wrote none. Where it can be
 * dismissed the page is there behind it, and nothing may say that it is not. A reason that is not known here reads as
 * one about the country.
 */
export function blockedWords(
  words: Words,
  reason: string,
  dismissible: boolean,
): { title: string; message: string } {
  const isUnknown = reason === "location_unknown";
  if (dismissible) {
    const title = isUnknown ? words.titleUnknown : words.titleElsewhere;
    return { title, message: words.messageElsewhere };
  }
  if (isUnknown) return { title: words.titleUnknown, message: words.messageUnknown };
  const title = reason.startsWith("region_") ? words.titleRegion : words.titleCountry;
  return { title, message: words.message };
}

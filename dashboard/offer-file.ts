import { formatCount } from "./format.ts";

/** Offers of a file, or, without a name, lines that were pasted. */
export type OfferText = {
  name: string;
  format: "csv" | "json";
  text: string;
  /** Why there is no text. */
  wrong?: string;
};

/** What a file of offers says; null: its bytes cannot be had. */
export function readOfferFile(name: string, bytes: ArrayBuffer | null): OfferText {
  const format = name.toLowerCase().endsWith(".json") ? "json" : "csv";
  if (bytes === null) return { name, format, text: "", wrong: gone };
  try {
    return { name, format, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { name, format, text: "", wrong: notUtf8 };
  }
}

/** A file of ten thousand such lines is one notice still. */
const mostNamed = 20;

/** What is said of the lines of new offers that are like one that is there; null: there are none. */
export function alikeText(lines: readonly number[]): string | null {
  if (lines.length === 0) return null;
  const [named, more] = [lines.slice(0, mostNamed).join(", "), lines.length - mostNamed];
  const which = `${lines.length === 1 ? "line" : "lines"} ${named}${more > 0 ? ` and ${formatCount(more)} more` : ""}`;
  return (
    `An offer of the same advertiser, brand, title and landingUrl was there before: ${which}. ` +
    "A line without an offerId is always a new offer, with a budget of its own; Export names the ids of those that are there."
  );
}

const gone = "This file cannot be read. Was it moved, or saved anew, since it was chosen? Choose it again.";

/** As what a spreadsheet saves as plain CSV. */
const notUtf8 =
  "This file is not UTF-8, and letters of it would be lost. A spreadsheet saves it as “CSV UTF-8”.";

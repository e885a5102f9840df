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

const gone = "This file cannot be read. Was it moved, or saved anew, since it was chosen? Choose it again.";

/** As what a spreadsheet saves as plain CSV. */
const notUtf8 =
  "This file is not UTF-8, and letters of it would be lost. A spreadsheet saves it as “CSV UTF-8”.";

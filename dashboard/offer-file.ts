/** Offers of a file, or, without a name, lines that were pasted. */
export type OfferText = {
  name: string;
  format: "csv" | "json";
  /** Null: it is not UTF-8, as what a spreadsheet saves as plain CSV. Read all the same, letters of it would be lost. */
  text: string | null;
};

/** What a file of offers says. */
export function readOfferFile(name: string, bytes: ArrayBuffer): OfferText {
  return { name, format: name.toLowerCase().endsWith(".json") ? "json" : "csv", text: textOf(bytes) };
}

const textOf = (bytes: ArrayBuffer): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

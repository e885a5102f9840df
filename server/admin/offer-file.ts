import { lstatSync, readFileSync, realpathSync, statSync } from "node:fs";
import { type OfferFile, refusedFile } from "../core/offer-file.ts";
import { replaceFile } from "../replace-file.ts";
import {
  type FileOffer,
  type OfferFileFormat,
  offerFileText,
  offerText,
  readOfferText,
} from "../store/catalogue/offer-file-text.ts";
import { UsageError } from "./command.ts";

/** Reads a file of offers, JSON or CSV by its name. Throws a UsageError when it cannot be read. */
export function readOfferFile(name: string): OfferFile {
  const text = decode(bytesOf(name));
  return text === null ? refusedFile(1, "must be UTF-8") : readOfferText(text, formatOf(name));
}

/**
 * Writes a file of offers, JSON or CSV by its name; an older one is replaced once the new one is whole, and a link leads to
 * it as before. Throws a UsageError for what is there and no file, and where it cannot be written.
 */
export function writeOfferFile(name: string, offers: readonly FileOffer[]): void {
  try {
    replaceFile(targetOf(name), offerFileText(offers, formatOf(name)));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError([`--file: cannot write ${name} (${codeOf(error)})`]);
  }
}

/** Offers as a command prints them, for other programs and so without a byte order mark: CSV, and with `--json` the list. */
export function printedOffers(offers: readonly FileOffer[]): { answer: object; text: string } {
  const answer: object = JSON.parse(offerText(offers, "json"));
  // Whoever prints it ends the last line.
  return { answer, text: offerText(offers, "csv").replace(/\n$/, "") };
}

/** Where a file of that name really lies: to put another one in the place of a link, or of a device, would be its end. */
const targetOf = (name: string): string => {
  const found = statSync(name, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new UsageError([`--file: ${name} is there and no file; - is the standard output`]);
  }
  return lstatSync(name, { throwIfNoEntry: false }) === undefined ? name : realpathSync(name);
};

const bytesOf = (name: string): Uint8Array => {
  try {
    return readFileSync(name);
  } catch (error) {
    throw new UsageError([`--file: cannot read ${name} (${codeOf(error)})`]);
  }
};

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const formatOf = (name: string): OfferFileFormat => (name.toLowerCase().endsWith(".json") ? "json" : "csv");

/** Null for bytes that are no UTF-8; a byte order mark goes. */
const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

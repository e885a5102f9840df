import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type OfferFile, refusedFile } from "../core/offer-file.ts";
import {
  type FileOffer,
  type OfferFileFormat,
  offerText,
  readOfferText,
} from "../store/catalogue/offer-file-text.ts";
import { UsageError } from "./command.ts";

/** Reads a file of offers, JSON or CSV by its name. Throws a UsageError when it cannot be read. */
export function readOfferFile(name: string): OfferFile {
  const text = decode(bytesOf(name));
  return text === null ? refusedFile(1, "must be UTF-8") : readOfferText(text, formatOf(name));
}

/** Writes a file of offers, JSON or CSV by its name; an older one is replaced once the new one is whole. */
export function writeOfferFile(name: string, offers: readonly FileOffer[]): void {
  const partial = `${name}.partial`;
  try {
    writeFileSync(partial, offerText(offers, formatOf(name)));
    renameSync(partial, name);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UsageError([`--file: cannot write ${name} (${codeOf(error)})`]);
  }
}

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

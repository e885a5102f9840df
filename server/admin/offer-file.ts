import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import type { Offer } from "../core/catalogue.ts";
import { csvLine } from "../core/csv-cell.ts";
import { offerColumnNames } from "../core/offer-columns.ts";
import { csvColumnName, csvColumnsFor, csvValueOf } from "../core/offer-csv-columns.ts";
import { type OfferFile, offersOfList, offersOfRecords, refusedFile } from "../core/offer-file.ts";
import { UsageError } from "./command.ts";

/** A file names an offer by its id; its number is of one database. */
type FileOffer = Omit<Offer, "number">;

/** Reads a file of offers, JSON or CSV by its name. Throws a UsageError when it cannot be read. */
export function readOfferFile(name: string): OfferFile {
  const text = decode(bytesOf(name));
  if (text === null) return refusedFile(1, "must be UTF-8");
  return isJson(name) ? readJson(text) : readCsv(text);
}

/** Writes a file of offers, JSON or CSV by its name; an older one is replaced once the new one is whole. */
export function writeOfferFile(name: string, offers: readonly FileOffer[]): void {
  const text = isJson(name) ? `${JSON.stringify(offers.map(membersOf), null, 2)}\n` : csvOf(offers);
  const partial = `${name}.partial`;
  try {
    writeFileSync(partial, text);
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

const isJson = (name: string): boolean => name.toLowerCase().endsWith(".json");

/** Null for bytes that are no UTF-8; a byte order mark goes. */
const decode = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

const readJson = (text: string): OfferFile => {
  try {
    return offersOfList(JSON.parse(text));
  } catch (error) {
    return refusedFile(1, `is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
};

type Parsed = { record: string[]; info: { lines: number } };

const readCsv = (text: string): OfferFile => {
  try {
    const parsed: unknown = parse(text, {
      delimiter: delimiterOf(text),
      info: true,
      // Which line is too short is ours to say, together with everything else that is wrong.
      relax_column_count: true,
      skip_empty_lines: true,
    });
    const records = parsed as Parsed[];
    return offersOfRecords(records.map(({ record, info }) => ({ line: info.lines, cells: record })));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refusedFile(typeof error.lines === "number" ? error.lines : 1, error.message);
  }
};

/** Spreadsheets write semicolons where the comma is a decimal mark. */
const delimiterOf = (text: string): string => {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return header.includes(";") && !header.includes(",") ? ";" : ",";
};

const csvOf = (offers: readonly FileOffer[]): string => {
  const columns = csvColumnsFor(offers);
  const lines = offers.map((offer) => csvLine(columns.map((column) => csvValueOf(offer, column))));
  return csvLine(columns.map(csvColumnName)) + lines.join("");
};

const membersOf = (offer: FileOffer): object =>
  Object.fromEntries(offerColumnNames.map((name) => [name, name === "offerId" ? offer.id : offer[name]]));

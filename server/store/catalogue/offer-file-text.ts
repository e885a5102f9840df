import { CsvError, parse } from "csv-parse/sync";
import type { Offer } from "../../core/catalogue.ts";
import { byteOrderMark, csvLine } from "../../core/csv-cell.ts";
import { offerColumnNames } from "../../core/offer-columns.ts";
import { csvColumnName, csvColumnsFor, csvValueOf } from "../../core/offer-csv-columns.ts";
import { type OfferFile, offersOfList, offersOfRecords, refusedFile } from "../../core/offer-file.ts";

/** A file names an offer by its id; its number is of one database. */
export type FileOffer = Omit<Offer, "number">;

/** A JSON list, or CSV with a header. */
export type OfferFileFormat = "json" | "csv";

/** Reads the text of a file of offers; a byte order mark goes. What cannot be read is told as problems of its lines. */
export function readOfferText(text: string, format: OfferFileFormat): OfferFile {
  const unmarked = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  return format === "json" ? readJson(unmarked) : readCsv(unmarked);
}

/** What a file of offers holds: as `offerText`, and as CSV marked for spreadsheets. */
export function offerFileText(offers: readonly FileOffer[], format: OfferFileFormat): string {
  return `${format === "csv" ? byteOrderMark : ""}${offerText(offers, format)}`;
}

/** The text of offers that `readOfferText` reads back. */
export function offerText(offers: readonly FileOffer[], format: OfferFileFormat): string {
  return format === "json" ? `${JSON.stringify(offers.map(membersOf), null, 2)}\n` : csvOf(offers);
}

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

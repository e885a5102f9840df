import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import { type OfferId, offerId } from "@offers/contract/ids";
import type { Offer, OfferStatus } from "./catalogue.ts";
import { textOfCell } from "./csv-cell.ts";
import { type OfferColumn, offerColumnNames, offerColumnOf, offerColumns } from "./offer-columns.ts";

/** What is wrong on one line of an offer file. `column` is `""` when the whole line is. */
export type LineProblem = {
  /** The line of a CSV file, or the item of a JSON list; both count from 1. */
  line: number;
  column: string;
  message: string;
};

/** One offer of a file. Without an `offerId` it is a new one. */
export type OfferLine = {
  line: number;
  offerId: OfferId | null;
  status: OfferStatus | null;
  input: OfferInput;
};

/** What a file holds: the lines that can be read, and what is wrong with the others. One problem refuses it whole. */
export type OfferFile = { offers: OfferLine[]; problems: LineProblem[] };

/** A line of a CSV file as its parser yields it. */
export type CsvRecord = { line: number; cells: readonly string[] };

/** Reads the records of a CSV file, the first of which is the header. */
export function offersOfRecords([header, ...records]: readonly CsvRecord[]): OfferFile {
  if (header === undefined) return refusedFile(1, "is no header");
  const problems = headerProblems(header);
  if (problems.length > 0) return { offers: [], problems };
  const columns = header.cells.map(offerColumnOf);
  return gather(
    records.map(({ line, cells }) => {
      if (cells.length !== columns.length) {
        const message = `has ${cells.length} cells, but the header has ${columns.length}`;
        return { line, problems: [{ line, column: "", message }] };
      }
      return lineOf(line, rawOfCells(columns, cells));
    }),
  );
}

/** Reads a parsed JSON file: a list of objects whose members are the columns. */
export function offersOfList(list: unknown): OfferFile {
  if (!Array.isArray(list)) return refusedFile(1, "must be a list of offers");
  return gather(
    list.map((item: unknown, index) => {
      const line = index + 1;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return { line, problems: [{ line, column: "", message: "must be an object" }] };
      }
      return lineOf(line, new Map(Object.entries(item)));
    }),
  );
}

/** An offer's values in the order of `offerColumnNames`, as a line of CSV takes them. */
export function valuesOfOffer(offer: Omit<Offer, "number">): (string | number)[] {
  return offerColumnNames.map((column) => {
    const value = column === "offerId" ? offer.id : offer[column];
    if (value === null) return "";
    if (typeof value === "number") return value;
    return typeof value === "string" ? value : String(value);
  });
}

/** A file that cannot be read at all, because of what stands on `line`. */
export function refusedFile(line: number, message: string): OfferFile {
  return {
    offers: [],
    problems: [{ line, column: "", message }],
  };
}

type Line = { line: number; problems: LineProblem[] } | OfferLine;

const gather = (lines: readonly Line[]): OfferFile => {
  const offers: OfferLine[] = [];
  const problems: LineProblem[] = [];
  const lineOfId = new Map<OfferId, number>();
  for (const read of lines) {
    if ("problems" in read) {
      problems.push(...read.problems);
      continue;
    }
    const earlier = read.offerId === null ? undefined : lineOfId.get(read.offerId);
    if (earlier !== undefined) {
      problems.push({ line: read.line, column: "offerId", message: `stands on line ${earlier} already` });
    }
    if (read.offerId !== null) lineOfId.set(read.offerId, read.line);
    offers.push(read);
  }
  return { offers, problems };
};

const headerProblems = ({ line, cells }: CsvRecord): LineProblem[] => {
  const seen = new Set<OfferColumn>();
  return cells.flatMap((cell) => {
    const column = offerColumnOf(cell);
    if (column === undefined) return [{ line, column: cell, message: "is no column of an offer" }];
    if (seen.has(column)) return [{ line, column, message: "stands twice in the header" }];
    seen.add(column);
    return [];
  });
};

/** An empty cell is an absent member, so that the column's default holds. */
const rawOfCells = (columns: readonly (OfferColumn | undefined)[], cells: readonly string[]) => {
  const raw = new Map<string, unknown>();
  for (const [at, column] of columns.entries()) {
    const text = textOfCell(cells[at] ?? "").trim();
    if (column !== undefined && text !== "") raw.set(column, valueOfCell(column, text));
  }
  return raw;
};

/** A cell that cannot be read as its column's kind stays text, which the schema then refuses by name. */
const valueOfCell = (column: OfferColumn, text: string): unknown => {
  switch (offerColumns[column].kind) {
    case "text":
      return text;
    case "number":
      return /^\d{1,16}$/.test(text) ? Number(text) : text;
    case "flag":
      return /^(true|yes|1)$/i.test(text) ? true : /^(false|no|0)$/i.test(text) ? false : text;
    case "list":
      return text.split(/[\s,;]+/).filter((entry) => entry !== "");
    default:
      return offerColumns[column] satisfies never;
  }
};

const lineOf = (line: number, raw: Map<string, unknown>): Line => {
  const { offerId: id, status, ...members } = Object.fromEntries(raw);
  const problems: LineProblem[] = [];
  const parsedId = id === undefined || id === null ? null : offerId.safeParse(id);
  if (parsedId?.success === false) {
    problems.push({ line, column: "offerId", message: "must be offer_ followed by letters, digits, - or _" });
  }
  if (status !== undefined && status !== "active" && status !== "paused") {
    problems.push({ line, column: "status", message: "must be active or paused" });
  }
  for (const name of raw.keys()) {
    if (!Object.hasOwn(offerColumns, name))
      problems.push({ line, column: name, message: "is no column of an offer" });
  }
  const parsed = offerInput.safeParse(members);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const column = String(path[0] ?? "");
      problems.push({ line, column, message: sayWhatIsWrong(column, raw.get(column), message) });
    }
  }
  if (problems.length > 0 || !parsed.success) return { line, problems };
  return {
    line,
    offerId: parsedId?.data ?? null,
    status: status === "active" || status === "paused" ? status : null,
    input: parsed.data,
  };
};

/** The schema speaks of types; whoever fills in a spreadsheet thinks of what the cell should hold. */
const sayWhatIsWrong = (column: string, given: unknown, message: string): string => {
  if (given === undefined) return "is missing";
  const kind = offerColumnOf(column) === undefined ? "text" : offerColumns[column as OfferColumn].kind;
  const wanted =
    kind === "number" && typeof given === "string"
      ? "must be a whole number, 0 or more"
      : kind === "flag" && typeof given === "string"
        ? "must be true or false"
        : inWords(message);
  const shown = JSON.stringify(given);
  return `${wanted} (given: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown})`;
};

/** `Invalid option: expected one of "a"|"b"`, as whoever fills in a spreadsheet would say it. */
const inWords = (message: string): string =>
  message.startsWith("Invalid option: expected one of ")
    ? `must be one of ${message.replace("Invalid option: expected one of ", "").replaceAll('"', "").replaceAll("|", ", ")}`
    : message;

import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import { type OfferId, offerId } from "@offers/contract/ids";
import type { OfferStatus } from "./catalogue.ts";
import { textOfCell } from "./csv-cell.ts";
import { type OfferColumn, offerColumnOf, offerColumns } from "./offer-columns.ts";
import { type CsvColumn, csvColumnName, csvColumnOf } from "./offer-csv-columns.ts";

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
  const columns = header.cells.map(csvColumnOf);
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
  const seen = new Set<string>();
  return cells.flatMap((cell) => {
    const column = csvColumnOf(cell);
    if (column === undefined) return [{ line, column: cell, message: notInHeader(cell) }];
    const name = csvColumnName(column);
    if (seen.has(name)) return [{ line, column: name, message: "stands twice in the header" }];
    seen.add(name);
    return [];
  });
};

const notInHeader = (cell: string): string =>
  cell.includes(":") || offerColumnOf(cell) === "locales"
    ? "is no column of an offer: a text in another language stands in one such as title:de or terms:pt-BR"
    : "is no column of an offer";

/** An empty cell is an absent member, so that the column's default holds. */
const rawOfCells = (columns: readonly (CsvColumn | undefined)[], cells: readonly string[]) => {
  const raw = new Map<string, unknown>();
  const locales = new Map<string, Record<string, string>>();
  for (const [at, column] of columns.entries()) {
    const text = textOfCell(cells[at] ?? "").trim();
    if (column === undefined || text === "") continue;
    if (column.kind === "member") raw.set(column.member, valueOfCell(column.member, text));
    else locales.set(column.tag, { ...locales.get(column.tag), [column.text]: text });
  }
  if (locales.size > 0) raw.set("locales", Object.fromEntries(locales));
  return raw;
};

/** A cell that cannot be read as its column's kind stays text, which the schema then refuses by name. */
const valueOfCell = (column: Exclude<OfferColumn, "locales">, text: string): unknown => {
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
      const { column, given } = placeOf(path, raw);
      problems.push({ line, column, message: sayWhatIsWrong(column, given, message) });
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

/** Where a schema found something wrong: a text in a locale under the name of its column, another member under its own. */
const placeOf = (path: readonly PropertyKey[], raw: Map<string, unknown>) => {
  const [member = "", tag, text] = path.map(String);
  const locales = Object(raw.get("locales")) as Record<string, Record<string, unknown> | undefined>;
  if (member !== "locales" || tag === undefined) return { column: member, given: raw.get(member) };
  if (text === undefined) return { column: `locales.${tag}`, given: locales[tag] };
  return { column: `${text}:${tag}`, given: locales[tag]?.[text] };
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

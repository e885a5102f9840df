import { type OfferInput, offerInput } from "@offers/contract/catalogue";
import { type OfferId, offerId } from "@offers/contract/ids";
import { inPlainWords } from "@offers/contract/plain-words";
import type { Offer, OfferStatus } from "./catalogue.ts";
import { textOfCell } from "./csv-cell.ts";
import { type OfferColumn, offerColumnNames, offerColumnOf, offerColumns } from "./offer-columns.ts";
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

/**
 * A line that names its offer. What the file has no column for, or the item no member, stays in a known offer as it is, so
 * the line means an offer only beside that one (`completedLine`).
 */
export type NamedLine = {
  line: number;
  offerId: OfferId;
  status: OfferStatus | null;
  /** What the line says, by member; an empty cell, or null, says nothing. */
  said: ReadonlyMap<string, unknown>;
  /** The members that the file has, also where the line has an empty cell for one. */
  has: ReadonlySet<string>;
  /** What is wrong with it in any case. */
  problems: readonly LineProblem[];
};

/** What a file holds: the lines that can be read, and what is wrong with the others. One problem refuses it whole. */
export type OfferFile = { offers: (OfferLine | NamedLine)[]; problems: LineProblem[] };

/** A line of a CSV file as its parser yields it. */
export type CsvRecord = { line: number; cells: readonly string[] };

/** Reads the records of a CSV file, the first of which is the header. */
export function offersOfRecords([header, ...records]: readonly CsvRecord[]): OfferFile {
  if (header === undefined) return refusedFile(1, "is no header");
  const problems = headerProblems(header);
  if (problems.length > 0) return { offers: [], problems };
  const columns = header.cells.map(csvColumnOf);
  const has = new Set(columns.flatMap((column) => (column?.kind === "member" ? [column.member] : [])));
  return gather(
    records.map(({ line, cells }) => {
      if (cells.length !== columns.length) {
        const message = `has ${cells.length} cells, but the header has ${columns.length}`;
        return { line, problems: [{ line, column: "", message }] };
      }
      return lineOf(line, rawOfCells(columns, cells), has);
    }),
  );
}

/** Reads a parsed JSON file: a list of objects whose members are the columns. A member that is null is an empty cell. */
export function offersOfList(list: unknown): OfferFile {
  if (!Array.isArray(list)) return refusedFile(1, "must be a list of offers");
  return gather(
    list.map((item: unknown, index) => {
      const line = index + 1;
      if (typeof item !== "object" || item === null || Array.isArray(item)) {
        return { line, problems: [{ line, column: "", message: "must be an object" }] };
      }
      const members: [string, unknown][] = Object.entries(item);
      // A null under no column's name stays, to be refused by it.
      const said = members.filter(([name, value]) => value !== null || !Object.hasOwn(offerColumns, name));
      return lineOf(line, new Map(said), new Set(members.map(([name]) => name)));
    }),
  );
}

/**
 * The offer that a named line means: with what the file does not have as `saved` has it, or, where there is no such offer
 * yet, as a new one has it. A text in another language is a column of its own in a CSV file.
 */
export function completedLine(
  { line, offerId: id, status, said, has, problems }: NamedLine,
  saved: Omit<Offer, "number"> | null,
): OfferLine | { line: number; problems: LineProblem[] } {
  const whole = new Map(said);
  if (saved !== null) {
    for (const name of keptMembers) if (!has.has(name)) whole.set(name, saved[name]);
    if (!has.has("locales")) whole.set("locales", withTexts(saved.locales, said.get("locales")));
  }
  const read = inputOf(line, whole);
  const all = [...problems, ...read.problems];
  return all.length > 0 || read.input === null
    ? { line, problems: all }
    : { line, offerId: id, status, input: read.input };
}

/** A file that cannot be read at all, because of what stands on `line`. */
export function refusedFile(line: number, message: string): OfferFile {
  return {
    offers: [],
    problems: [{ line, column: "", message }],
  };
}

type Line = { line: number; problems: LineProblem[] } | OfferLine | NamedLine;

const keptMembers = offerColumnNames.filter(
  (name) => name !== "offerId" && name !== "status" && name !== "locales",
);

/** Texts by locale with others put in their place; an empty one is taken out when it is read. */
const withTexts = (saved: Offer["locales"], said: unknown): unknown => {
  const texts = Object.entries(Object(said) as Record<string, object>);
  return Object.fromEntries([
    ...Object.entries(saved),
    ...texts.map(([tag, given]) => [tag, { ...saved[tag], ...given }]),
  ]);
};

const gather = (lines: readonly Line[]): OfferFile => {
  const offers: OfferFile["offers"] = [];
  const problems: LineProblem[] = [];
  const lineOfId = new Map<OfferId, number>();
  for (const read of lines) {
    if (!("offerId" in read)) {
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

/** An empty cell is an absent member, so that the column's default holds; an empty text in a locale is taken out. */
const rawOfCells = (columns: readonly (CsvColumn | undefined)[], cells: readonly string[]) => {
  const raw = new Map<string, unknown>();
  const locales = new Map<string, Record<string, string>>();
  for (const [at, column] of columns.entries()) {
    const text = textOfCell(cells[at] ?? "").trim();
    if (column === undefined || (text === "" && column.kind === "member")) continue;
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

const lineOf = (line: number, raw: ReadonlyMap<string, unknown>, has: ReadonlySet<string>): Line => {
  const { offerId: id, status } = Object.fromEntries(raw);
  const problems: LineProblem[] = [];
  const parsedId = id === undefined ? null : offerId.safeParse(id);
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
  const known = status === "active" || status === "paused" ? status : null;
  if (parsedId?.success) {
    const said = new Map([...raw].filter(([name]) => Object.hasOwn(offerColumns, name)));
    return { line, offerId: parsedId.data, status: known, said, has, problems };
  }
  const { input, problems: ofMembers } = inputOf(line, raw);
  problems.push(...ofMembers);
  return problems.length > 0 || input === null
    ? { line, problems }
    : { line, offerId: null, status: known, input };
};

/** What the members of an offer come to; null, with the problems, where they are none that may be saved. */
const inputOf = (
  line: number,
  raw: ReadonlyMap<string, unknown>,
): { input: OfferInput | null; problems: LineProblem[] } => {
  const { offerId: _, status: __, ...members } = Object.fromEntries(raw);
  const parsed = offerInput.safeParse(members, { error: inPlainWords });
  if (parsed.success) return { input: parsed.data, problems: [] };
  const problems = parsed.error.issues.map(({ path, message }) => {
    const { column, given } = placeOf(path, raw);
    return { line, column, message: sayWhatIsWrong(column, given, message) };
  });
  return { input: null, problems };
};

/** Where a schema found something wrong: a text in a locale under the name of its column, another member under its own. */
const placeOf = (path: readonly PropertyKey[], raw: ReadonlyMap<string, unknown>) => {
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
        : message;
  const shown = JSON.stringify(given);
  return `${wanted} (given: ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown})`;
};

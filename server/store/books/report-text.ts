import type { WebsiteKey } from "@offers/contract/ids";
import type { ReportDimension } from "@offers/contract/reports";
import type { Kysely } from "kysely";
import { csvLine } from "../../core/csv-cell.ts";
import { type FigureColumn, figures } from "../../core/figures.ts";
import type { InCurrency, ReportTotals } from "../../core/report-currencies.ts";
import type { ReportFilter, ReportFormat } from "../../core/report-filter.ts";
import type { Schema } from "../schema.ts";
import { type Report, readReport, type SummedRow } from "./report.ts";
import { askedDimensions, dimensions } from "./report-dimensions.ts";
import { TooManyRows } from "./too-many-rows.ts";
import type { ReadCells } from "./waiting-sums.ts";

/** As `reportText`, but says so where a report would have more rows than its filter's `mostRows`. */
export async function boundedReportText(
  ...asked: Parameters<typeof reportText>
): Promise<Uint8Array<ArrayBuffer> | "too_many_rows"> {
  try {
    return await reportText(...asked);
  } catch (error) {
    if (error instanceof TooManyRows) return "too_many_rows";
    throw error;
  }
}

/**
 * Reads a report and writes it as it is sent, in UTF-8. CSV holds the rows alone, with a header. Throws TooManyRows as
 * `readReport` does.
 */
export async function reportText(
  db: Kysely<Schema>,
  filter: ReportFilter,
  format: ReportFormat,
  known?: ReadCells,
): Promise<Uint8Array<ArrayBuffer>> {
  const report = await readReport(db, filter, known);
  return format === "json" ? jsonOf(report, filter) : csvOf(report, filter);
}

/** Rows are written one by one: as objects they would take several times the memory, and the time, of their text. */
const jsonOf = (
  { rows, totals, totalsByCurrency, isSpendShown }: Report,
  filter: ReportFilter,
): Uint8Array<ArrayBuffer> => {
  const text = startText();
  const members = askedDimensions(filter).map((name) => ({
    head: `"${name}":`,
    textOf: textOfRow(name, filter, (value) => JSON.stringify(value)),
  }));
  text.add(`{"items":[`);
  let separator = "";
  for (const row of rows) {
    let line = `${separator}{`;
    for (const { head, textOf } of members) line += `${head}${textOf(row)},`;
    text.add(`${line}${inCurrencyText(row, isSpendShown)}}`);
    separator = ",";
  }
  const { from, to } = filter;
  const sums = totalsByCurrency.map((sum) => `{${inCurrencyText(sum, isSpendShown)}}`);
  text.add(`],"from":${JSON.stringify(from)},"to":${JSON.stringify(to)},`);
  text.add(`"totals":{${figuresText(totals, isSpendShown)}},"totalsByCurrency":[${sums.join(",")}]}`);
  return text.bytes();
};

/** `currency` has the place that it had before there were figures behind it (decisions.md#csv-columns-are-appended). */
const afterCurrency = figures.findIndex(({ name }) => name === "earnings");
const csvFigures = { before: figures.slice(0, afterCurrency), behind: figures.slice(afterCurrency) };

const csvOf = ({ rows, isSpendShown }: Report, filter: ReportFilter): Uint8Array<ArrayBuffer> => {
  const text = startText();
  const names = askedDimensions(filter);
  const cells = names.map((name) => textOfRow(name, filter, (value) => String(value ?? "")));
  const [before, behind] = [csvFigures.before, csvFigures.behind];
  const namesOf = (some: typeof before) => some.map(({ name }) => name);
  text.add(csvLine([...names, ...namesOf(before), "currency", ...namesOf(behind)]));
  for (const row of rows) {
    const valuesOf = (some: typeof before) =>
      some.map(({ column }) => (isTold(column, isSpendShown) ? row[column] : ""));
    const place = cells.map((cellOf) => cellOf(row));
    text.add(csvLine([...place, ...valuesOf(before), row.currency ?? "", ...valuesOf(behind)]));
  }
  return text.bytes();
};

const heads = figures.map(({ name, column }, index) => ({
  head: `${index > 0 ? "," : ""}"${name}":`,
  column,
}));

const isTold = (column: FigureColumn, isSpendShown: boolean): boolean =>
  isSpendShown || column !== "spend_micros";

const figuresText = (row: ReportTotals, isSpendShown: boolean): string => {
  let text = "";
  for (const { head, column } of heads) text += head + (isTold(column, isSpendShown) ? row[column] : null);
  return text;
};

const inCurrencyText = (row: InCurrency, isSpendShown: boolean): string =>
  // Codes are three letters, so there is nothing to escape.
  `${figuresText(row, isSpendShown)},"currency":${row.currency === null ? "null" : `"${row.currency}"`}`;

/** The text of a dimension, made once for each of its values: a report has many rows, and few of these. */
const textOfRow = (
  name: ReportDimension,
  { websites }: ReportFilter,
  textOf: (value: string | number | null) => string,
) => {
  const dimension = dimensions[name];
  const keys = new Map<string | number, WebsiteKey>(websites.map(({ id, key }) => [id, key]));
  const made = new Map<string | number, string>();
  return (row: SummedRow): string => {
    const value = row[dimension.column] ?? "";
    let known = made.get(value);
    if (known === undefined) {
      known = textOf(dimension.value(value, keys));
      made.set(value, known);
    }
    return known;
  };
};

/** Long enough to be encoded in few pieces, and short enough that appending to it stays cheap. */
const pieceLength = 32_768;

/** A UTF-16 code unit takes at most this many bytes of UTF-8. */
const mostBytes = 3;

/** A text that grows, and is bytes of its own in the end: whoever gets them may move them to another thread. */
const startText = () => {
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(mostBytes * pieceLength);
  let size = 0;
  let text = "";
  const finishPiece = (): void => {
    const needed = size + mostBytes * text.length;
    if (needed > bytes.length) bytes = new Uint8Array(bytes.buffer.transfer(2 * needed));
    size += encoder.encodeInto(text, bytes.subarray(size)).written;
    text = "";
  };
  return {
    add: (more: string): void => {
      text += more;
      if (text.length >= pieceLength) finishPiece();
    },
    bytes: (): Uint8Array<ArrayBuffer> => {
      finishPiece();
      return new Uint8Array(bytes.buffer.transfer(size));
    },
  };
};

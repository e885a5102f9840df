/**
 * What a CSV file that people open begins with (decisions.md#csv-files-are-marked): without it Excel reads UTF-8 as the machine's
 * old encoding, and shows another letter for every one beyond ASCII.
 */
export const byteOrderMark = "\uFEFF";

const formula = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/**
 * A text as a cell that no spreadsheet takes for a formula: one that begins like a formula
 * gets an apostrophe in front (OWASP, CSV injection). `textOfCell` takes it away again, exactly.
 */
export function cellOfText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text of which `cellOfText` made the cell. */
export function textOfCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

/** One line of CSV (RFC 4180) with its line end: texts are guarded against formulas, numbers stand as they are. */
export function csvLine(values: readonly (string | number | bigint)[]): string {
  return `${values.map((value) => (typeof value === "string" ? quoted(cellOfText(value)) : String(value))).join(",")}\r\n`;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

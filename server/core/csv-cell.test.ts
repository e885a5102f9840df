import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellOfText, csvLine, textOfCell } from "./csv-cell.ts";

describe("a cell", () => {
  it.each([
    ["=1+1", "'=1+1"],
    ["+49 30", "'+49 30"],
    ["-5", "'-5"],
    ["@cmd", "'@cmd"],
    ["\t=1", "'\t=1"],
    ["\r=1", "'\r=1"],
    ["'=1", "''=1"],
    ["plain", "plain"],
    ["a=b", "a=b"],
    ["'quoted'", "'quoted'"],
    ["", ""],
  ])("of %j is %j", (text, cell) => {
    expect(cellOfText(text)).toBe(cell);
    expect(textOfCell(cell)).toBe(text);
  });

  it("never begins like a formula and always gives its text back", () => {
    const nasty = fc.string({ unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "'", "a", ",", '"') });
    fc.assert(
      fc.property(nasty, (text) => {
        expect(cellOfText(text)).not.toMatch(/^[=+\-@\t\r]/);
        expect(textOfCell(cellOfText(text))).toBe(text);
      }),
    );
  });
});

describe("a line of CSV", () => {
  it("quotes what holds a comma, a quote or a line end, and leaves numbers alone", () => {
    expect(csvLine(["a,b", 'c"d', "e\nf", "plain", 12, -3, ""])).toBe('"a,b","c""d","e\nf",plain,12,-3,\r\n');
  });
});

import { expect, it } from "vitest";
import { readOfferFile } from "./offer-file.ts";

const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding)).buffer;

it.each([
  ["offers.csv", "csv"],
  ["OFFERS.JSON", "json"],
  ["offers", "csv"],
])("reads %s as %s", (name, format) => {
  const file = { name, format, text: "title\nZürich – Ärzte" };
  expect(readOfferFile(name, bytes(file.text, "utf8"))).toEqual(file);
});

it("takes the mark before the first letter off", () => {
  expect(readOfferFile("a.csv", bytes("\u{feff}title", "utf8")).text).toBe("title");
});

it.each([
  ["latin1", bytes("Zürich", "latin1"), "not UTF-8"],
  ["utf16le", bytes("Zürich", "utf16le"), "not UTF-8"],
  ["gone", null, "cannot be read"],
])("reads nothing that is %s, and says why", (_, given, says) => {
  const { text, wrong } = readOfferFile("a.csv", given);
  expect([text, wrong]).toEqual(["", expect.stringContaining(says)]);
});

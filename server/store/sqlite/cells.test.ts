import { tmpdir } from "node:os";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Cell } from "../../core/cell.ts";
import { prepareCells } from "./cells.ts";
import { newCatalogueFile } from "./file-for-tests.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogueFile>>;
beforeEach(async () => {
  catalogue = await newCatalogueFile(tmpdir());
});
afterEach(() => catalogue.close());

const cell: Cell = {
  ...{ websiteId: 1, country: "US", region: "CA", vertical: "games" },
  ...{ surface: "overlay", test: false, currency: "USD", device: 1 },
};
const others: Cell[] = [
  { ...cell, websiteId: 2 },
  { ...cell, country: "CA" },
  { ...cell, region: "" },
  { ...cell, vertical: "mobile" },
  { ...cell, surface: "section" },
  { ...cell, test: true },
  { ...cell, currency: "" },
  { ...cell, device: 2 },
];

test("cells that differ in one member have numbers of their own, which whoever has forgotten them finds again", () => {
  const all = [cell, ...others];
  const numbers = all.map(prepareCells(catalogue.sqlite).numberOf);
  expect(new Set(numbers).size).toBe(all.length);
  const again = prepareCells(catalogue.sqlite);
  expect(all.toReversed().map(again.numberOf)).toEqual(numbers.toReversed());
  expect(numbers.map(again.cellOf)).toEqual(all);
  expect(catalogue.sqlite.prepare("select count(*) from cell").pluck().get()).toBe(all.length);
});

test("a cell is looked for among those of its place alone", () => {
  const said: string[] = [];
  const listening = new Sqlite(catalogue.file, { verbose: (text) => said.push(String(text)) });
  prepareCells(listening).numberOf(cell);
  const [looked = ""] = said;
  const plan = listening.prepare<[], { detail: string }>(`explain query plan ${looked}`).all();
  listening.close();
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH cell USING INDEX cell_of_place (website_id=? AND country=? AND region=? AND device=?)",
  ]);
});

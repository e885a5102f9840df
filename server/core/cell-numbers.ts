import { type Cell, isSameCell } from "./cell.ts";

/** The numbers of cells; those that were not asked for lately are forgotten. */
export type CellNumbers = {
  numberOf(cell: Cell): number | undefined;
  set(cell: Cell, number: number): void;
  clear(): void;
};

/** Cells of the same place, one after another. */
type Known = { cell: Cell; number: number; next: Known | null };
type Generation = { cells: number; byPlace: Map<number, Known> };

/**
 * Keeps the numbers of the last `most` cells at the least, and of twice as many at the most. They are found by website and
 * country, which tell nearly all cells apart, as one number: a text of the whole cell would be made and hashed for every event.
 */
export function createCellNumbers(most: number): CellNumbers {
  let young = newGeneration();
  let old = newGeneration();
  const set: CellNumbers["set"] = (cell, number) => {
    if (young.cells >= most) [old, young] = [young, newGeneration()];
    const place = placeOf(cell);
    young.byPlace.set(place, { cell, number, next: young.byPlace.get(place) ?? null });
    young.cells += 1;
  };
  return {
    numberOf: (cell) => {
      const known = find(young, cell);
      if (known !== null) return known;
      const former = find(old, cell) ?? undefined;
      if (former !== undefined) set(cell, former);
      return former;
    },
    set,
    clear: () => {
      young = newGeneration();
      old = newGeneration();
    },
  };
}

const newGeneration = (): Generation => ({ cells: 0, byPlace: new Map() });

/** Two letters have less than 2^14 as their number; whatever else a country might be, cells are compared whole. */
const placeOf = ({ websiteId, country }: Cell): number =>
  websiteId * 2 ** 14 + (country.charCodeAt(0) % 128) * 128 + (country.charCodeAt(1) % 128);

const find = ({ byPlace }: Generation, cell: Cell): number | null => {
  for (let known = byPlace.get(placeOf(cell)) ?? null; known !== null; known = known.next) {
    if (isSameCell(known.cell, cell)) return known.number;
  }
  return null;
};

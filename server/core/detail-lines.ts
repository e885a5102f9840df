import type { FoldedSum } from "./counter-fold.ts";
import { sumExactly, type Whole, wholeOf } from "./exact-sum.ts";
import { type FigureColumn, figureColumns } from "./figures.ts";
import {
  type Packing,
  packedBytes,
  pushByte,
  pushBytes,
  pushNumber,
  type Reading,
  readByte,
  readNumber,
  startPacking,
} from "./packed-numbers.ts";

/**
 * The finest sums that reports read: what was counted of one offer, in one placement, in one cell, in some hour. There
 * are nearly as many of them as visits, so the lines of an hour are bytes of one row.
 */
export type DetailLine = Pick<FoldedSum, "cell" | "offer" | "placement" | "figures">;

/** The first byte. Another layout gets another number, and this one stays readable. */
const layout = 1;
const noLines = Uint8Array.of(layout);
/** More than there are placements. Stored lines are numbered by it. */
export const placementsMost = 8;

/** The figures in the order of their bits: the usual ones first. A new one is appended, never put between. */
const bits = [
  "served",
  "filtered",
  "drawn",
  "impressions",
  "blocked",
  "clicks",
  "billable_clicks",
  "spend_micros",
  "earned_micros",
] as const satisfies readonly FigureColumn[];
/** Does not compile while a figure has no bit. */
const bitOf: Record<FigureColumn, number> = Object.fromEntries(
  bits.map((column, bit) => [column, bit]),
) as Record<(typeof bits)[number], number>;
const nothing: readonly Whole[] = figureColumns.map(() => 0);
/** The places of the figures, by their bits. */
const places = figureColumns
  .map((column, index) => ({ index, bit: 2 ** bitOf[column] }))
  .sort((one, other) => one.bit - other.bit);

/**
 * Writes lines as bytes: the layout's number, then for each line, in their order, base-128 numbers with the lowest bits
 * first: how far its cell is from the last one's, offer and placement as one number, which figures are not 0, and those.
 * The same lines are always the same bytes; lines without a figure are left out.
 * @throws RangeError when the number of a cell, offer or placement is negative or no whole number.
 */
export function packLines(lines: readonly DetailLine[]): Uint8Array {
  const packing = startPackingLines(0, lines.length);
  for (const line of lines.length > 1 ? lines.toSorted(inOrder) : lines) pushLine(packing, line);
  return packedBytes(packing);
}

/**
 * Reads what `packLines` wrote, line by line.
 * @throws RangeError when the bytes are of another layout or end too early: the database is damaged, or of a later
 * program.
 */
export function* unpackLines(bytes: Uint8Array): Generator<DetailLine> {
  const reading = startReading(bytes);
  while (readPlace(reading)) {
    const { cell, slot } = reading;
    const placement = slot % placementsMost;
    yield { cell, offer: (slot - placement) / placementsMost, placement, figures: readFigures(reading) };
  }
}

/**
 * Adds what lines count up by cell, whatever the offer and placement.
 * @param sums the figures of cells by their numbers: they are added to.
 * @throws RangeError when the bytes are of another layout or end too early.
 */
export function addByCell(sums: Map<number, Whole[]>, bytes: Uint8Array): void {
  const reading = startReading(bytes);
  while (readPlace(reading)) {
    const sum = sums.get(reading.cell);
    if (sum === undefined) sums.set(reading.cell, readFigures(reading));
    else addFigures(sum, reading);
  }
}

/**
 * Adds lines to packed ones (null: none); null when nothing is left. What nothing is added to is taken over as it stands: an
 * hour of a busy website has a hundred thousand lines, 650 kB, of which some thousands grow.
 * @throws RangeError when the bytes are of another layout or end too early.
 */
export function addLines(before: Uint8Array | null, added: readonly DetailLine[]): Uint8Array | null {
  const standing = startReading(before ?? noLines);
  const packing = startPackingLines(standing.bytes.length, added.length);
  let isStanding = readPlace(standing);
  /** All lines before the given place. Only the first can be at another distance from the line before it than it was. */
  const takeOver = (cell: number, slot: number): void => {
    if (!isStanding || !isBefore(standing, cell, slot)) return;
    pushPlace(packing, standing.cell, standing.slot);
    const from = standing.at;
    let to = from;
    while (isStanding && isBefore(standing, cell, slot)) {
      packing.cell = standing.cell;
      skipFigures(standing);
      to = standing.at;
      isStanding = readPlace(standing);
    }
    pushBytes(packing, standing.bytes.subarray(from, to));
  };
  for (const line of summed(added)) {
    const slot = slotOf(line);
    takeOver(line.cell, slot);
    if (isStanding && standing.cell === line.cell && standing.slot === slot) {
      pushLine(packing, { ...line, figures: sumOf(readFigures(standing), line.figures) });
      isStanding = readPlace(standing);
    } else pushLine(packing, line);
  }
  takeOver(Number.POSITIVE_INFINITY, 0);
  return packing.length === 1 ? null : packedBytes(packing);
}

/** Lines in their order, those of one place as one. */
const summed = (lines: readonly DetailLine[]): DetailLine[] => {
  const sums: DetailLine[] = [];
  for (const line of lines.toSorted(inOrder)) {
    const last = sums.at(-1);
    if (last === undefined || inOrder(last, line) !== 0) sums.push(line);
    else sums[sums.length - 1] = { ...line, figures: sumOf(last.figures, line.figures) };
  }
  return sums;
};

const sumOf = (some: readonly Whole[], others: readonly Whole[]): Whole[] =>
  some.map((figure, index) => sumExactly(figure, others[index] ?? 0));

/** The lines of one hour of a website. */
export type DetailHour = { websiteId: number; hour: number; lines: DetailLine[] };

/** Puts sums together by website and hour, in the order of both. `websiteOf`: of a cell's number. */
export function detailHours(sums: Iterable<FoldedSum>, websiteOf: (cell: number) => number): DetailHour[] {
  const hours = new Map<string, DetailHour>();
  for (const sum of sums) {
    const websiteId = websiteOf(sum.cell);
    const key = `${websiteId} ${sum.hour}`;
    const same = hours.get(key);
    if (same === undefined) hours.set(key, { websiteId, hour: sum.hour, lines: [sum] });
    else same.lines.push(sum);
  }
  return [...hours.values()].sort((one, other) => one.websiteId - other.websiteId || one.hour - other.hour);
}

const inOrder = (one: DetailLine, other: DetailLine): number =>
  one.cell - other.cell || one.offer - other.offer || one.placement - other.placement;

/** Where a line belongs: its cell, and its offer and placement as one number. */
type LinePlace = { cell: number; slot: number };

const slotOf = ({ offer, placement }: DetailLine): number => offer * placementsMost + placement;

const isBefore = (place: LinePlace, cell: number, slot: number): boolean =>
  place.cell < cell || (place.cell === cell && place.slot < slot);

/** Bytes of lines, and the cell of the last one. */
type LinesPacking = Packing & { cell: number };

/** Most lines that are added take no more. */
const lineRoom = 12;
const startPackingLines = (standing: number, added: number): LinesPacking => {
  const packing = { ...startPacking(1 + standing + added * lineRoom), cell: 0 };
  pushByte(packing, layout);
  return packing;
};

const pushPlace = (packing: LinesPacking, cell: number, slot: number): void => {
  pushNumber(packing, cell - packing.cell);
  pushNumber(packing, slot);
  packing.cell = cell;
};

const pushLine = (packing: LinesPacking, line: DetailLine): void => {
  const { figures } = line;
  let mask = 0;
  for (const place of places) if (figures[place.index] !== 0) mask += place.bit;
  if (mask === 0) return;
  pushPlace(packing, line.cell, slotOf(line));
  pushNumber(packing, mask);
  for (const place of places) {
    if ((mask & place.bit) !== 0) pushWhole(packing, figures[place.index] ?? 0);
  }
};

/** Where the lines are read, and the place of the one that is read next. */
type LineReading = Reading & LinePlace;
const startReading = (bytes: Uint8Array): LineReading => {
  if (bytes[0] !== layout) throw new RangeError(`no layout of lines: ${bytes[0]}`);
  return { bytes, at: 1, cell: 0, slot: 0 };
};

/** False at the end. Whoever reads a line's place reads or skips its figures next. */
const readPlace = (reading: LineReading): boolean => {
  if (reading.at >= reading.bytes.length) return false;
  reading.cell += readNumber(reading);
  reading.slot = readNumber(reading);
  return true;
};

const readFigures = (reading: Reading): Whole[] => {
  const mask = readNumber(reading);
  const figures = nothing.slice();
  for (const place of places) if ((mask & place.bit) !== 0) figures[place.index] = readWhole(reading);
  return figures;
};

const addFigures = (sum: Whole[], reading: Reading): void => {
  const mask = readNumber(reading);
  for (const { index, bit } of places) {
    if ((mask & bit) !== 0) sum[index] = sumExactly(sum[index] ?? 0, readWhole(reading));
  }
};

const skipFigures = (reading: Reading): void => {
  let mask = readNumber(reading);
  for (; mask > 0; mask = Math.floor(mask / 2)) {
    if (mask % 2 === 0) continue;
    while (readByte(reading) >= 128);
  }
};

/** Twice as much is still exact as a number. */
const mostAsNumber = 2 ** 51;

/** Positive ones are even numbers, negative ones odd: what waits to be added may take something away. */
const pushWhole = (packing: Packing, value: Whole): void => {
  if (typeof value === "number" && Math.abs(value) < mostAsNumber) {
    pushNumber(packing, value < 0 ? -2 * value - 1 : 2 * value);
    return;
  }
  const big = BigInt(value);
  let rest = big < 0n ? -2n * big - 1n : 2n * big;
  while (rest >= 128n) {
    pushByte(packing, Number(rest % 128n) + 128);
    rest /= 128n;
  }
  pushByte(packing, Number(rest));
};

const readWhole = (reading: Reading): Whole => {
  const from = reading.at;
  const read = readNumber(reading);
  if (read < 2 * mostAsNumber) return read % 2 === 0 ? read / 2 : -(read + 1) / 2;
  let big = 0n;
  for (let at = reading.at - 1; at >= from; at -= 1)
    big = big * 128n + BigInt((reading.bytes[at] ?? 0) % 128);
  return wholeOf(big % 2n === 0n ? big / 2n : -(big + 1n) / 2n);
};

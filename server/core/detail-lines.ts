import type { FoldedSum } from "./counter-fold.ts";
import { sumExactly, type Whole, wholeOf } from "./exact-sum.ts";
import { type FigureColumn, figureColumns } from "./figures.ts";
import { pushNumber, type Reading, readNumber } from "./packed-numbers.ts";

/**
 * The finest sums that reports read: what was counted of one offer, in one placement, in one cell, in some hour. There
 * are nearly as many of them as visits, so the lines of an hour are bytes of one row.
 */
export type DetailLine = Pick<FoldedSum, "cell" | "offer" | "placement" | "figures">;

/** The first byte. Another layout gets another number, and this one stays readable. */
const layout = 1;
/** More than there are placements. */
const placementsMost = 8;

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
  const bytes = [layout];
  let last = 0;
  for (const { cell, offer, placement, figures } of lines.length > 1 ? lines.toSorted(inOrder) : lines) {
    let mask = 0;
    for (const place of places) if (figures[place.index] !== 0) mask += place.bit;
    if (mask === 0) continue;
    pushNumber(bytes, cell - last);
    pushNumber(bytes, offer * placementsMost + placement);
    pushNumber(bytes, mask);
    for (const place of places) if ((mask & place.bit) !== 0) pushWhole(bytes, figures[place.index] ?? 0);
    last = cell;
  }
  return Uint8Array.from(bytes);
}

/**
 * Reads what `packLines` wrote, line by line.
 * @throws RangeError when the bytes are of another layout or end too early: the database is damaged, or of a later
 * program.
 */
export function* unpackLines(bytes: Uint8Array): Generator<DetailLine> {
  if (bytes[0] !== layout) throw new RangeError(`no layout of lines: ${bytes[0]}`);
  const reading = { bytes, at: 1 };
  let cell = 0;
  while (reading.at < bytes.length) {
    cell += readNumber(reading);
    const slot = readNumber(reading);
    const mask = readNumber(reading);
    const figures = nothing.slice();
    for (const place of places) if ((mask & place.bit) !== 0) figures[place.index] = readWhole(reading);
    const placement = slot % placementsMost;
    yield { cell, offer: (slot - placement) / placementsMost, placement, figures };
  }
}

/** Adds lines to packed ones (null: none); null when nothing is left. */
export function addLines(before: Uint8Array | null, added: readonly DetailLine[]): Uint8Array | null {
  const lines = new Map<string, DetailLine>();
  for (const line of before === null ? added : [...unpackLines(before), ...added]) {
    const key = `${line.cell} ${line.offer} ${line.placement}`;
    const same = lines.get(key);
    if (same === undefined) lines.set(key, line);
    else
      lines.set(key, {
        ...line,
        figures: same.figures.map((one, index) => sumExactly(one, line.figures[index] ?? 0)),
      });
  }
  const packed = packLines([...lines.values()]);
  return packed.length === 1 ? null : packed;
}

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

/** Twice as much is still exact as a number. */
const mostAsNumber = 2 ** 51;

/** Positive ones are even numbers, negative ones odd: what waits to be added may take something away. */
const pushWhole = (bytes: number[], value: Whole): void => {
  if (typeof value === "number" && Math.abs(value) < mostAsNumber) {
    pushNumber(bytes, value < 0 ? -2 * value - 1 : 2 * value);
    return;
  }
  const big = BigInt(value);
  let rest = big < 0n ? -2n * big - 1n : 2n * big;
  while (rest >= 128n) {
    bytes.push(Number(rest % 128n) + 128);
    rest /= 128n;
  }
  bytes.push(Number(rest));
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

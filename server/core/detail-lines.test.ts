import fc from "fast-check";
import { expect, test } from "vitest";
import { addByCell, addLines, type DetailLine, detailHours, packLines, unpackLines } from "./detail-lines.ts";
import { type Whole, wholeOf } from "./exact-sum.ts";
import { figureColumns } from "./figures.ts";

/** What is taken away too, and what no number holds exactly. */
const whole = fc.oneof(
  fc.constant<Whole>(0),
  fc.integer({ min: -200, max: 200 }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(wholeOf),
);
const line = fc.record({
  cell: fc.nat(20_000_000),
  offer: fc.nat(100_000),
  placement: fc.nat(3),
  figures: fc.array(whole, { minLength: figureColumns.length, maxLength: figureColumns.length }),
});
const keyOf = ({ cell, offer, placement }: DetailLine) => [cell, offer, placement].join();
const lines = fc.uniqueArray(line, { selector: keyOf });
const isSomething = ({ figures }: DetailLine) => figures.some((figure) => figure !== 0);

test("lines are read as they were written, and the same lines are the same bytes", () => {
  fc.assert(
    fc.property(lines, (some) => {
      const packed = packLines(some);
      expect(packLines(some.toReversed())).toEqual(packed);
      const read = [...unpackLines(packed)];
      const byKey = (one: DetailLine, other: DetailLine) => (keyOf(one) < keyOf(other) ? -1 : 1);
      expect(read.toSorted(byKey)).toEqual(some.filter(isSomething).toSorted(byKey));
    }),
  );
});

test("lines of every figure are the bytes that earlier releases have stored", () => {
  const some: DetailLine[] = [
    { cell: 3, offer: 300, placement: 2, figures: figureColumns.map((_, at) => at + 1) },
    {
      cell: 200,
      offer: 0,
      placement: 0,
      figures: figureColumns.map((_, at) => (at === 5 ? 2n ** 70n : 0 - at)),
    },
  ];
  const stored = "0103e212ff03040e100602080a0c12c50100ef03010b0d03050780808080808080808080020f";
  expect(Buffer.from(packLines(some)).toString("hex")).toBe(stored);
  expect([...unpackLines(Buffer.from(stored, "hex"))]).toEqual(some);
});

test("what lines count is added up by cell", () => {
  const near = fc.array(
    line.map((one) => ({ ...one, cell: one.cell % 3, offer: one.offer % 3 })),
    { maxLength: 10 },
  );
  fc.assert(
    fc.property(near, near, (some, others) => {
      const sums = new Map<number, Whole[]>();
      for (const lines of [some, others]) addByCell(sums, packLines(lines));
      const cells = new Map<number, Whole[]>();
      for (const { cell, figures } of [...some, ...others].filter(isSomething)) {
        const before = cells.get(cell);
        cells.set(
          cell,
          figures.map((figure, at) => wholeOf(BigInt(figure) + BigInt(before?.[at] ?? 0))),
        );
      }
      expect(sums).toEqual(cells);
    }),
  );
});

test("what is added and taken away again leaves nothing", () => {
  const negated = (figure: Whole): Whole => wholeOf(-BigInt(figure));
  fc.assert(
    fc.property(lines, lines, (some, others) => {
      const before = addLines(null, some);
      const taken = others.map((other) => ({ ...other, figures: other.figures.map(negated) }));
      expect(addLines(addLines(before, others), taken)).toEqual(before);
      expect(before === null).toBe(!some.some(isSomething));
    }),
  );
});

test("lines are added where they belong, and nothing else changes", () => {
  const near = fc.array(
    line.map((one) => ({ ...one, cell: one.cell % 3, offer: one.offer % 3 })),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(near, near, (some, others) => {
      const sums = new Map<string, DetailLine>();
      for (const one of [...some, ...others]) {
        const before = sums.get(keyOf(one))?.figures;
        const figures = one.figures.map((figure, at) => wholeOf(BigInt(figure) + BigInt(before?.[at] ?? 0)));
        sums.set(keyOf(one), { ...one, figures });
      }
      const packed = packLines([...sums.values()]);
      expect(addLines(addLines(null, some), others)).toEqual(packed.length === 1 ? null : packed);
    }),
  );
});

const served = (cell: number, offer: number): DetailLine => ({
  ...{ cell, offer, placement: 2 },
  figures: figureColumns.map((column) => (column === "served" ? 1 : 0)),
});

test("seven offers of an answer take some thirty bytes", () => {
  const answer = [1, 2, 3, 4, 5, 6, 7].map((offer) => served(70_000, offer));
  expect(packLines(answer).length).toBeLessThanOrEqual(32);
});

test("sums are put together by website and hour", () => {
  const sums = [
    { ...served(1, 5), hour: 9 },
    { ...served(12, 5), hour: 9 },
    { ...served(2, 6), hour: 8 },
    { ...served(2, 7), hour: 9 },
  ];
  const hours = detailHours(sums, (cell) => (cell > 10 ? 4 : 3));
  expect(hours.map(({ websiteId, hour, lines: own }) => [websiteId, hour, own.length])).toEqual([
    [3, 8, 1],
    [3, 9, 2],
    [4, 9, 1],
  ]);
});

test.each([
  ["another layout", [9]],
  ["an early end", [1, 200]],
  ["no bytes", []],
])("%s is told", (_, bytes) => {
  expect(() => [...unpackLines(Uint8Array.from(bytes))]).toThrow(RangeError);
});

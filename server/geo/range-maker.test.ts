import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRanges, type SourceRange, type SourceRanges } from "./range-maker.ts";
import { answerOf, decodeRanges, encodeRanges, placeOfV4, placeOfV6, type Ranges, saidOf } from "./ranges.ts";

const source = (
  v4: readonly SourceRange<number>[],
  v6: readonly SourceRange<bigint>[] = [],
): SourceRanges => ({ name: "test", date: "2026-11-01", version: "1", v4, v6 });
const range = <Bits>(first: Bits, last: Bits, country: string, region = "") => ({
  first,
  last,
  place: { country, region },
});
const answerAt = (ranges: Ranges, place: number) => answerOf(ranges.sources, saidOf(ranges, place));
const answer4 = (ranges: Ranges, bits: number) => answerAt(ranges, placeOfV4(ranges.v4, bits));
const countryAt = (ranges: Ranges, bits: number) => answer4(ranges, bits).name.slice(0, 2) || "ZZ";
/** 8.0.0.0: nothing special is near. */
const base = 0x08000000;

test("the source that is named first answers, the next one where it knows nothing", () => {
  const newer = source([range(base + 10, base + 19, "DE")]);
  const older = source([range(base, base + 14, "FR"), range(base + 15, base + 29, "US", "NJ")]);
  const ranges = makeRanges([newer, older]);
  const found = [9, 10, 19, 20, 29, 30].map((at) => countryAt(ranges, base + at));
  expect(found).toEqual(["FR", "DE", "DE", "US", "US", "ZZ"]);
  expect(answer4(ranges, base + 25)).toEqual({ name: "US-NJ", source: 1 });
  expect(answer4(ranges, base + 12)).toEqual({ name: "DE", source: 0 });
  expect(saidOf(ranges, placeOfV4(ranges.v4, base + 12))).toEqual(["DE", "FR"]);
  expect(saidOf(ranges, placeOfV4(ranges.v4, base + 17))).toEqual(["DE", "US-NJ"]);
});

test("a special address is nowhere, whatever a source says", () => {
  const all = source([range(0, 0xffffffff, "DE")], [range(0n, 0xffffffffffffffffn, "DE")]);
  const ranges = makeRanges([all]);
  expect(
    [0x0a000001, 0x7f000001, 0xc0a80101, 0xe0000001, 0xffffffff].map((at) => countryAt(ranges, at)),
  ).toEqual(Array(5).fill("ZZ"));
  expect(countryAt(ranges, base)).toBe("DE");
  const six = (high: number) => answerAt(ranges, placeOfV6(ranges.v6, high, 0)).name.slice(0, 2) || "ZZ";
  expect([0x20010db8, 0xfd000000, 0xfe800000, 0xff020000, 0].map(six)).toEqual(Array(5).fill("ZZ"));
  expect(six(0x20014860)).toBe("DE");
});

test("neighbours of one place are one range, and a country that is none is nowhere", () => {
  const ranges = makeRanges([
    source([range(base, base + 1, "DE"), range(base + 2, base + 3, "DE"), range(base + 4, base + 5, "QQ")]),
  ]);
  const starts = [...ranges.v4.starts].filter((start) => start >= base && start <= base + 5);
  expect(starts).toEqual([base, base + 4]);
});

test("of two ranges that share an address the earlier one keeps it", () => {
  const ranges = makeRanges([
    source([], [range(7n << 60n, 7n << 60n, "DE"), range(7n << 60n, (7n << 60n) + 1n, "FR")]),
  ]);
  const at = (low: number) =>
    answerAt(ranges, placeOfV6(ranges.v6, 0x70000000, low)).name.slice(0, 2) || "ZZ";
  expect([at(0), at(1), at(2)]).toEqual(["DE", "FR", "ZZ"]);
});

const countries = { name: "countries", date: "2026-06-01", version: "1", hasRegions: false };
const cities = { name: "cities", date: "2019-12-31", version: "1", hasRegions: true };

test.each([
  ["a region of the same country is added", [countries, cities], ["US", "US-NJ"], "US-NJ", 0],
  ["a region of another country is not", [countries, cities], ["US", "CA-QC"], "US", 0],
  ["what only the second knows is its word", [countries, cities], ["", "CA-QC"], "CA-QC", 1],
  ["one that knows regions leaves none to the next", [cities, cities], ["US", "US-NJ"], "US", 0],
  ["its own region stands", [cities, cities], ["US-NY", "US-NJ"], "US-NY", 0],
  [
    "the first that knows regions is asked",
    [countries, countries, cities],
    ["US", "CA", "US-NJ"],
    "US-NJ",
    0,
  ],
  ["a region needs the one that answers, or one below it", [cities, countries], ["", "US"], "US", 1],
  ["nobody knows", [countries, cities], ["", ""], "", -1],
  ["there is nobody", [], [], "", -1],
] as const)("%s", (_, sources, said, name, source) => {
  expect(answerOf(sources, said)).toEqual({ name, source });
});

test("random layers answer as asking one after the other does, before and after a file", () => {
  const countries = ["DE", "FR", "US", "GB"];
  const layer = fc
    .array(
      fc.tuple(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 3 }),
      ),
    )
    .map((steps) => {
      let next = base;
      return steps.map(([gap, length, country]) => {
        const first = next + gap;
        next = first + length + 1;
        return range(first, first + length, countries[country] ?? "DE");
      });
    });
  fc.assert(
    fc.property(layer, layer, (one, other) => {
      const made = makeRanges([source(one), source(other)]);
      const read = decodeRanges(Uint8Array.from(encodeRanges(made)));
      for (let bits = base - 2; bits < base + 300; bits += 1) {
        const holder = [...one, ...other].find(({ first, last }) => first <= bits && bits <= last);
        expect(countryAt(made, bits)).toBe(holder?.place.country ?? "ZZ");
        expect(countryAt(read, bits)).toBe(holder?.place.country ?? "ZZ");
      }
    }),
    { numRuns: 50 },
  );
});

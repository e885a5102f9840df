import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRanges, type SourceRange, type SourceRanges } from "./range-maker.ts";
import { decodeRanges, encodeRanges, placeOfV4, placeOfV6, type Ranges } from "./ranges.ts";

const source = (
  v4: readonly SourceRange<number>[],
  v6: readonly SourceRange<bigint>[] = [],
): SourceRanges => ({ name: "test", version: "1", v4, v6 });
const range = <Bits>(first: Bits, last: Bits, country: string, region = "") => ({
  first,
  last,
  place: { country, region },
});
const countryAt = (ranges: Ranges, bits: number) => ranges.places[placeOfV4(ranges.v4, bits)]?.country;
/** 8.0.0.0: nothing special is near. */
const base = 0x08000000;

test("the source that is named first answers, the next one where it knows nothing", () => {
  const newer = source([range(base + 10, base + 19, "DE")]);
  const older = source([range(base, base + 14, "FR"), range(base + 15, base + 29, "US", "NJ")]);
  const ranges = makeRanges([newer, older]);
  const found = [9, 10, 19, 20, 29, 30].map((at) => countryAt(ranges, base + at));
  expect(found).toEqual(["FR", "DE", "DE", "US", "US", "ZZ"]);
  expect(ranges.places[placeOfV4(ranges.v4, base + 25)]).toEqual({ country: "US", region: "NJ", source: 1 });
  expect(ranges.places[placeOfV4(ranges.v4, base + 12)]).toEqual({ country: "DE", region: "", source: 0 });
});

test("a special address is nowhere, whatever a source says", () => {
  const all = source([range(0, 0xffffffff, "DE")], [range(0n, 0xffffffffffffffffn, "DE")]);
  const ranges = makeRanges([all]);
  expect(
    [0x0a000001, 0x7f000001, 0xc0a80101, 0xe0000001, 0xffffffff].map((at) => countryAt(ranges, at)),
  ).toEqual(Array(5).fill("ZZ"));
  expect(countryAt(ranges, base)).toBe("DE");
  const six = (high: number) => ranges.places[placeOfV6(ranges.v6, high, 0)]?.country;
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
  const at = (low: number) => ranges.places[placeOfV6(ranges.v6, 0x70000000, low)]?.country;
  expect([at(0), at(1), at(2)]).toEqual(["DE", "FR", "ZZ"]);
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

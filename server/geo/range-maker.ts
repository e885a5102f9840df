import { locatedPlace, nowhere } from "./located-place.ts";
import { placeNumbers, type RangeSource, type Ranges } from "./ranges.ts";

/** One range of a data set, both ends included, as numbers of 32 bits (IPv4) or of 64 (IPv6). */
export type SourceRange<Bits> = { first: Bits; last: Bits; place: NamedPlace };

/** As a data set names it, the region by its code of today. Ranges of one place share one object where the data set allows. */
export type NamedPlace = { country: string; region: string };

/** A data set: its ranges in ascending order, none over another. */
export type SourceRanges = RangeSource & {
  v4: Iterable<SourceRange<number>>;
  v6: Iterable<SourceRange<bigint>>;
};

/**
 * Merges data sets into one list of ranges without gaps, which knows of each range what every data set says. Special
 * addresses (RFC 6890) are in no place, whatever a data set says of them, and neighbours of whom all say the same are
 * one range.
 */
export function makeRanges(sources: readonly SourceRanges[]): Ranges {
  const names = numbered("");
  const layersOf = <Bits extends number | bigint>(
    take: (source: SourceRanges) => Iterable<SourceRange<Bits>>,
    count: Counting<Bits>,
  ): Bound<Bits>[][] => sources.map((source) => boundsOf(take(source), namesIn(names), count));
  const v4 = layersOf((source) => source.v4, counting4);
  const v6 = layersOf((source) => source.v6, counting6);
  const regional = sources.map((_, index) =>
    [v4, v6].some((layers) => layers[index]?.some(({ name }) => (names.all[name] ?? "").length > 2)),
  );
  if (names.all.length > names16) throw new RangeError("more places than 16 bits can number");
  const rows = rowsOf(sources.length);
  const made4 = laidTogether(
    v4,
    boundsOf(special4, () => blocked, counting4),
    rows,
  );
  const made6 = laidTogether(
    v6,
    boundsOf(special6, () => blocked, counting6),
    rows,
  );
  const places = sources.length === 0 ? 1 : rows.said.length / sources.length;
  return {
    sources: sources.map(({ name, date, version }, index) => ({
      name,
      date,
      version,
      hasRegions: regional[index] ?? false,
    })),
    names: names.all,
    said: Uint16Array.from(rows.said),
    v4: {
      starts: Uint32Array.from(made4, ({ start }) => start),
      places: placeNumbers(numbersIn(made4), places),
    },
    v6: {
      high: Uint32Array.from(made6, ({ start }) => Number(start >> 32n)),
      low: Uint32Array.from(made6, ({ start }) => Number(start & 0xffffffffn)),
      places: placeNumbers(numbersIn(made6), places),
    },
  };
}

function* numbersIn(bounds: readonly { name: number }[]): Generator<number> {
  for (const { name } of bounds) yield name;
}

/** Texts by the order in which they were first met. */
type Numbered = { all: string[]; numberOf: (text: string) => number };

function numbered(first: string): Numbered {
  const all = [first];
  const numbers = new Map([[first, 0]]);
  return {
    all,
    numberOf: (text) => {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, all.length);
      return all.push(text) - 1;
    },
  };
}

/** Millions of ranges lie in thousands of places. */
function namesIn(names: Numbered): (range: { place: NamedPlace }) => number {
  const seen = new Map<NamedPlace, number>();
  return ({ place }) => {
    const known = seen.get(place);
    if (known !== undefined) return known;
    const { country, region } = locatedPlace(place);
    const name = country === nowhere.country ? "" : region === "" ? country : `${country}-${region}`;
    const number = names.numberOf(name);
    seen.set(place, number);
    return number;
  };
}

const unnamed = 0;
/** Stands in the layer of special addresses only: no source may answer for one. */
const blocked = 1;

type SpecialRange<Bits> = { first: Bits; last: Bits };

/** From `start` on, until the next bound, every address is in what this number stands for. */
type Bound<Bits> = { start: Bits; name: number };

type Counting<Bits> = { zero: Bits; largest: Bits; after: (bits: Bits) => Bits };

const counting4: Counting<number> = { zero: 0, largest: 0xffffffff, after: (bits) => bits + 1 };
const counting6: Counting<bigint> = { zero: 0n, largest: 0xffffffffffffffffn, after: (bits) => bits + 1n };

/** Ranges with gaps between them as bounds without any: a gap is a range without a name. */
function boundsOf<Bits extends number | bigint, Range extends SpecialRange<Bits>>(
  ranges: Iterable<Range>,
  nameOf: (range: Range) => number,
  { zero, largest, after }: Counting<Bits>,
): Bound<Bits>[] {
  const bounds: Bound<Bits>[] = [{ start: zero, name: unnamed }];
  let free = zero;
  for (const range of ranges) {
    // Of two ranges that share an address the earlier one keeps it, as within one /64 of IPv6.
    const first = range.first < free ? free : range.first;
    if (range.last < first) continue;
    add(bounds, first, nameOf(range));
    if (range.last === largest) break;
    free = after(range.last);
    add(bounds, free, unnamed);
  }
  return bounds;
}

/** All lists at once: from bound to bound, what each of them says, as the number of that row. */
function laidTogether<Bits extends number | bigint>(
  layers: readonly (readonly Bound<Bits>[])[],
  special: readonly Bound<Bits>[],
  rows: Rows,
): Bound<Bits>[] {
  const lists = [special, ...layers];
  const at = lists.map(() => 0);
  const now = lists.map(() => unnamed);
  const merged: Bound<Bits>[] = [];
  for (;;) {
    let start: Bits | undefined;
    // By number: an iterator for each of millions of bounds takes twice the time.
    for (let index = 0; index < lists.length; index += 1) {
      const bound = lists[index]?.[at[index] ?? 0];
      if (bound !== undefined && (start === undefined || bound.start < start)) start = bound.start;
    }
    if (start === undefined) return merged;
    for (let index = 0; index < lists.length; index += 1) {
      const bound = lists[index]?.[at[index] ?? 0];
      if (bound?.start !== start) continue;
      now[index] = bound.name;
      at[index] = (at[index] ?? 0) + 1;
    }
    add(merged, start, now[0] === blocked ? 0 : rows.numberOf(now));
  }
}

/** What all sources say of a place, each row kept once. */
type Rows = { said: number[]; numberOf: (now: readonly number[]) => number };

/** Row 0 is nowhere. The first of the numbers given is the layer of special addresses, which is no source. */
function rowsOf(sources: number): Rows {
  const said = Array<number>(sources).fill(unnamed);
  // One map a source: from the number that the row has so far and the next name to the number with it.
  const steps = said.map(() => new Map<number, number>());
  const counts = said.map(() => 0);
  const numberOf = (now: readonly number[]): number => {
    let number = 0;
    for (let source = 0; source < sources; source += 1) {
      const step = number * names16 + (now[source + 1] ?? unnamed);
      let next = steps[source]?.get(step);
      if (next === undefined) {
        next = counts[source] ?? 0;
        counts[source] = next + 1;
        steps[source]?.set(step, next);
        if (source === sources - 1 && next > 0) said.push(...now.slice(1));
      }
      number = next;
    }
    return number;
  };
  numberOf(Array(sources + 1).fill(unnamed));
  return { said, numberOf };
}

/** A name's number has 16 bits. */
const names16 = 0x10000;

/** Adds a bound; a later one at the same start replaces an earlier one, and neighbours of one name become one range. */
function add<Bits>(bounds: Bound<Bits>[], start: Bits, name: number): void {
  const last = bounds.at(-1);
  if (last?.start === start) bounds.pop();
  if (bounds.at(-1)?.name !== name) bounds.push({ start, name });
}

/** RFC 6890 and the registries after it: this network, private, shared, loopback, link-local, documentation, multicast, reserved. */
const special4: readonly SpecialRange<number>[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
].map(([address, length]) => {
  const first = String(address)
    .split(".")
    .reduce((bits, octet) => bits * 256 + Number(octet), 0);
  return { first, last: first + 2 ** (32 - Number(length)) - 1 };
});

/** The same of IPv6: unspecified and loopback, documentation, unique local, link-local, multicast. */
const special6: readonly SpecialRange<bigint>[] = (
  [
    [0x0000n, 0x0000n, 64n],
    [0x2001n, 0x0db8n, 32n],
    [0xfc00n, 0x0000n, 7n],
    [0xfe80n, 0x0000n, 10n],
    [0xff00n, 0x0000n, 8n],
  ] as const
).map(([group, next, length]) => {
  const first = (group << 48n) | (next << 32n);
  return { first, last: first + (1n << (64n - length)) - 1n };
});

import { unknownCountry } from "@offers/contract/words";
import { locatedPlace } from "./located-place.ts";
import type { Place, RangeSource, Ranges } from "./ranges.ts";

/** One range of a data set, both ends included, as numbers of 32 bits (IPv4) or of 64 (IPv6). */
export type SourceRange<Bits> = { first: Bits; last: Bits; place: NamedPlace };

/** As a data set names it. Ranges of one place share one object where the data set allows. */
export type NamedPlace = { country: string; region: string };

/** A data set: its ranges in ascending order, none over another. */
export type SourceRanges = RangeSource & {
  v4: Iterable<SourceRange<number>>;
  v6: Iterable<SourceRange<bigint>>;
};

/**
 * Merges data sets into one list of ranges without gaps. Where two know an address, the one that is named first
 * answers. Special addresses (RFC 6890) are in no place, whatever a data set says of them, and neighbours of one
 * place are one range.
 */
export function makeRanges(sources: readonly SourceRanges[]): Ranges {
  const places: Place[] = [{ country: unknownCountry, region: "", source: -1 }];
  const numbers = new Map<string, number>();
  const numberOf = (source: number, named: NamedPlace): number => {
    const { country, region } = locatedPlace(named);
    if (country === unknownCountry) return nowhere;
    const key = `${source} ${country}-${region}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, places.length);
    places.push({ country, region, source });
    if (places.length > 0xffff) throw new RangeError("more places than 16 bits can number");
    return places.length - 1;
  };
  /** Millions of ranges lie in thousands of places. */
  const remembered = sources.map((_, source) => {
    const seen = new Map<NamedPlace, number>();
    return ({ place }: { place: NamedPlace }): number => {
      const number = seen.get(place) ?? numberOf(source, place);
      seen.set(place, number);
      return number;
    };
  });
  const layersOf = <Bits extends number | bigint>(
    special: readonly SpecialRange<Bits>[],
    take: (source: SourceRanges) => Iterable<SourceRange<Bits>>,
    count: Counting<Bits>,
  ): Bound<Bits>[] => {
    const known = sources.map((source, index) =>
      boundsOf(take(source), remembered[index] ?? unplaced, count),
    );
    return [boundsOf(special, () => blocked, count), ...known]
      .reduceRight((lower, upper) => laidOver(upper, lower))
      .map(({ start, place }) => ({ start, place: place === blocked ? nowhere : place }));
  };
  const v4 = layersOf(special4, (source) => source.v4, {
    zero: 0,
    largest: 0xffffffff,
    after: (bits) => bits + 1,
  });
  const v6 = layersOf(special6, (source) => source.v6, {
    zero: 0n,
    largest: 0xffffffffffffffffn,
    after: (bits) => bits + 1n,
  });
  return {
    sources: sources.map(({ name, version }) => ({ name, version })),
    places,
    v4: {
      starts: Uint32Array.from(v4, ({ start }) => start),
      places: Uint16Array.from(v4, ({ place }) => place),
    },
    v6: {
      high: Uint32Array.from(v6, ({ start }) => Number(start >> 32n)),
      low: Uint32Array.from(v6, ({ start }) => Number(start & 0xffffffffn)),
      places: Uint16Array.from(v6, ({ place }) => place),
    },
  };
}

const nowhere = 0;
const unplaced = (): number => nowhere;
/** Stands in the topmost layer only: no source may answer for a special address. */
const blocked = -1;

type SpecialRange<Bits> = { first: Bits; last: Bits };

/** From `start` on, until the next bound, every address is in this place. */
type Bound<Bits> = { start: Bits; place: number };

type Counting<Bits> = { zero: Bits; largest: Bits; after: (bits: Bits) => Bits };

/** Ranges with gaps between them as bounds without any: a gap is a range that is nowhere. */
function boundsOf<Bits extends number | bigint, Range extends SpecialRange<Bits>>(
  ranges: Iterable<Range>,
  placeOf: (range: Range) => number,
  { zero, largest, after }: Counting<Bits>,
): Bound<Bits>[] {
  const bounds: Bound<Bits>[] = [{ start: zero, place: nowhere }];
  let free = zero;
  for (const range of ranges) {
    // Of two ranges that share an address the earlier one keeps it, as within one /64 of IPv6.
    const first = range.first < free ? free : range.first;
    if (range.last < first) continue;
    add(bounds, first, placeOf(range));
    if (range.last === largest) break;
    free = after(range.last);
    add(bounds, free, nowhere);
  }
  return bounds;
}

/** Both lists at once: where the upper one knows a place, the lower one is not asked. */
function laidOver<Bits extends number | bigint>(
  upper: readonly Bound<Bits>[],
  lower: readonly Bound<Bits>[],
): Bound<Bits>[] {
  const merged: Bound<Bits>[] = [];
  let [above, below] = [nowhere, nowhere];
  let [upperAt, lowerAt] = [0, 0];
  for (;;) {
    const [one, other] = [upper[upperAt], lower[lowerAt]];
    const next = one !== undefined && (other === undefined || one.start <= other.start) ? one : other;
    if (next === undefined) return merged;
    if (next === one) {
      above = next.place;
      upperAt += 1;
    } else {
      below = next.place;
      lowerAt += 1;
    }
    add(merged, next.start, above === nowhere ? below : above);
  }
}

/** Adds a bound; a later one at the same start replaces an earlier one, and neighbours of one place become one range. */
function add<Bits>(bounds: Bound<Bits>[], start: Bits, place: number): void {
  const last = bounds.at(-1);
  if (last?.start === start) bounds.pop();
  if (bounds.at(-1)?.place !== place) bounds.push({ start, place });
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

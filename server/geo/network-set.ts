import { type AddressBits, addressBits } from "./address-bits.ts";

/**
 * The addresses of some networks, to be looked up without reading all of them: the bounds at which they begin and end,
 * in turn and in ascending order, so that an address is within where the number of bounds up to it is odd. IPv6 counts by
 * the first 64 bits of an address, kept as two halves.
 */
export type NetworkSet = { v4: Uint32Array; high: Uint32Array; low: Uint32Array };

/** A network as its first address and the one behind its last, as numbers of 32 bits (IPv4) or of 64 (IPv6). */
type NetworkRange =
  | { version: 4; length: number; first: number; end: number }
  | { version: 6; length: number; first: bigint; end: bigint };

/**
 * The range of a network in CIDR notation, or of a single address. Of IPv6 one that is smaller than a /64 stands for the
 * whole of it: that is one household or one server, and nobody is told apart within it. Null for any other text.
 */
export function networkRange(text: string): NetworkRange | null {
  const [, address = "", given] = /^([\da-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = addressBits(address);
  // One of IPv4 that is mapped into IPv6 has a length that counts otherwise.
  if (bits === null || (bits.version === 4 && address.includes(":"))) return null;
  const most = bits.version === 4 ? 32 : 128;
  const length = given === undefined ? most : Number(given);
  if (length > most) return null;
  if (bits.version === 4) {
    const size = 2 ** (32 - length);
    const first = bits.bits - (bits.bits % size);
    return { version: 4, length, first, end: first + size };
  }
  const size = 1n << BigInt(64 - Math.min(64, length));
  const whole = (BigInt(bits.high) << 32n) | BigInt(bits.low);
  const first = whole - (whole % size);
  return { version: 6, length, first, end: first + size };
}

/**
 * The set of networks, which may lie within and beside each other.
 * @throws RangeError for a text that is no network.
 */
export function networkSet(networks: readonly string[]): NetworkSet {
  const v4: { first: number; end: number }[] = [];
  const v6: { first: bigint; end: bigint }[] = [];
  for (const network of networks) {
    const range = networkRange(network);
    if (range === null) throw new RangeError(`no network: ${network}`);
    if (range.version === 4) v4.push(range);
    else v6.push(range);
  }
  // Behind the last address of all there is nothing to end at, and no room for it in the array.
  const bounds4 = boundsOf(v4).filter((bound) => bound < 2 ** 32);
  const bounds6 = boundsOf(v6).filter((bound) => bound < 1n << 64n);
  return {
    v4: Uint32Array.from(bounds4),
    high: Uint32Array.from(bounds6, (bound) => Number(bound >> 32n)),
    low: Uint32Array.from(bounds6, (bound) => Number(bound & 0xffffffffn)),
  };
}

/** Whether an address is in one of the networks. */
export function isWithin(set: NetworkSet, address: AddressBits): boolean {
  return address.version === 4
    ? isOdd(boundsUpTo4(set.v4, address.bits))
    : isOdd(boundsUpTo6(set, address.high, address.low));
}

const isOdd = (count: number): boolean => (count & 1) === 1;

function boundsOf<Bits extends number | bigint>(ranges: { first: Bits; end: Bits }[]): Bits[] {
  const bounds: Bits[] = [];
  let last: { first: Bits; end: Bits } | undefined;
  for (const range of ranges.sort((one, other) =>
    one.first < other.first ? -1 : one.first > other.first ? 1 : 0,
  )) {
    if (last !== undefined && range.first <= last.end) {
      if (range.end > last.end) last.end = range.end;
      continue;
    }
    if (last !== undefined) bounds.push(last.first, last.end);
    last = { ...range };
  }
  return last === undefined ? bounds : [...bounds, last.first, last.end];
}

function boundsUpTo4(bounds: Uint32Array, bits: number): number {
  let from = 0;
  let to = bounds.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((bounds[middle] ?? 0) <= bits) from = middle + 1;
    else to = middle;
  }
  return from;
}

function boundsUpTo6({ high: highs, low: lows }: NetworkSet, high: number, low: number): number {
  let from = 0;
  let to = highs.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const there = highs[middle] ?? 0;
    if (there < high || (there === high && (lows[middle] ?? 0) <= low)) from = middle + 1;
    else to = middle;
  }
  return from;
}

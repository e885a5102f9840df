/** A place that a range lies in. */
export type Place = {
  /** Assigned by ISO 3166-1; `ZZ`: the range is in no data. */
  country: string;
  /** Bare code of ISO 3166-2, `""` when unknown. */
  region: string;
  /** Which of the sources says so, by its place in their list; -1 for a range that is in no data. */
  source: number;
};

/** A set of data that ranges were made of. */
export type RangeSource = { name: string; version: string };

/**
 * Every address of the internet by the range that it lies in. A range begins at its start and ends where the next one
 * begins; the first begins at 0. IPv6 counts by the first 64 bits of an address, kept as two halves.
 */
export type Ranges = {
  sources: readonly RangeSource[];
  places: readonly Place[];
  v4: { starts: Uint32Array; places: Uint16Array };
  v6: { high: Uint32Array; low: Uint32Array; places: Uint16Array };
};

const magic = "offers-geo-ranges";
/** A file of another version is refused: it is built again in seconds. */
const version = 1;
/** Spells itself backwards on a machine of the other byte order, where the arrays would be read wrongly. */
const byteOrderMark = 0x01020304;
const headWords = 3;

/** What stands before the arrays, as JSON. */
type Head = {
  magic: string;
  version: number;
  sources: readonly RangeSource[];
  places: readonly Place[];
  v4: number;
  v6: number;
};

/** Ranges as the bytes of a file: three words, the head as JSON, then the arrays in this machine's byte order. */
export function encodeRanges({ sources, places, v4, v6 }: Ranges): Uint8Array {
  const head: Head = { magic, version, sources, places, v4: v4.starts.length, v6: v6.high.length };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const words = new Uint32Array([byteOrderMark, version, json.length]);
  const padding = new Uint8Array(-json.length & 3);
  const parts = [words, json, padding, v4.starts, v6.high, v6.low, v4.places, v6.places];
  return Buffer.concat(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
}

/**
 * Reads what `encodeRanges` wrote, without copying the arrays.
 * @throws Error when the bytes are anything else, with what is wrong.
 */
export function decodeRanges(file: Uint8Array<ArrayBuffer>): Ranges {
  // Arrays of words have to begin at a multiple of their size.
  const bytes = file.byteOffset % 4 === 0 ? file : new Uint8Array(file);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.min(headWords, bytes.length >> 2));
  const [mark, version_, jsonBytes = 0] = words;
  if (mark !== byteOrderMark) throw new Error("it holds no ranges of this machine's byte order");
  if (version_ !== version) throw new Error(`it has the version ${version_}, and ${version} is needed`);
  let at = headWords * 4;
  const head = headOf(bytes.subarray(at, at + jsonBytes));
  at += jsonBytes + (-jsonBytes & 3);
  const size = at + head.v4 * 6 + head.v6 * 10;
  if (bytes.length !== size) throw new Error(`it has ${bytes.length} bytes, and ${size} are needed`);
  const next = <T>(
    Kind: new (buffer: ArrayBuffer, at: number, length: number) => T,
    length: number,
    wide: number,
  ) => {
    const array = new Kind(bytes.buffer, bytes.byteOffset + at, length);
    at += length * wide;
    return array;
  };
  const starts = next(Uint32Array, head.v4, 4);
  const high = next(Uint32Array, head.v6, 4);
  const low = next(Uint32Array, head.v6, 4);
  const v4 = { starts, places: next(Uint16Array, head.v4, 2) };
  const v6 = { high, low, places: next(Uint16Array, head.v6, 2) };
  return { sources: head.sources, places: head.places, v4, v6 };
}

function headOf(json: Uint8Array): Head {
  const head: Head = JSON.parse(new TextDecoder().decode(json));
  if (head.magic !== magic) throw new Error("it holds no location ranges");
  return head;
}

/** The number of the place of an IPv4 address. */
export function placeOfV4({ starts, places }: Ranges["v4"], bits: number): number {
  let first = 0;
  let last = starts.length - 1;
  while (first < last) {
    const middle = (first + last + 1) >>> 1;
    if ((starts[middle] ?? 0) <= bits) first = middle;
    else last = middle - 1;
  }
  return places[first] ?? 0;
}

/** The number of the place of an IPv6 address, of which the first 64 bits are given in two halves. */
export function placeOfV6(
  { high: highs, low: lows, places }: Ranges["v6"],
  high: number,
  low: number,
): number {
  let first = 0;
  let last = highs.length - 1;
  while (first < last) {
    const middle = (first + last + 1) >>> 1;
    const there = highs[middle] ?? 0;
    if (there < high || (there === high && (lows[middle] ?? 0) <= low)) first = middle;
    else last = middle - 1;
  }
  return places[first] ?? 0;
}

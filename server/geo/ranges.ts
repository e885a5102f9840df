/** A set of data that ranges were made of. */
export type RangeSource = {
  name: string;
  /** The day that the data is of, `YYYY-MM-DD`. */
  date: string;
  /** What tells this data from other data of the same name. */
  version: string;
};

/** A source within made ranges. */
export type MadeSource = RangeSource & {
  /** Whether it tells regions apart at all. */
  hasRegions: boolean;
};

/**
 * Every address of the internet by the range that it lies in. A range begins at its start and ends where the next one
 * begins; the first begins at 0. IPv6 counts by the first 64 bits of an address, kept as two halves.
 */
export type Ranges = {
  /** The first one that knows a place answers. */
  sources: readonly MadeSource[];
  /** `""`, then `DE` or `US-NJ`: what a source can say. */
  names: readonly string[];
  /** What each source says of a place, as numbers of `names`: one row a place, one column a source. Row 0 is nowhere. */
  said: Uint16Array;
  v4: { starts: Uint32Array; places: PlaceNumbers };
  v6: { high: Uint32Array; low: Uint32Array; places: PlaceNumbers };
};

/** Of 16 bits where they can number all places: that is a fifth of the file. */
export type PlaceNumbers = Uint16Array | Uint32Array;

/** Numbers of places, in an array that is wide enough for as many as there are. */
export function placeNumbers(numbers: Iterable<number>, places: number): PlaceNumbers {
  return places > 0x10000 ? Uint32Array.from(numbers) : Uint16Array.from(numbers);
}

/** What each source says of a place, in the order of the sources: `""`, `DE` or `US-NJ`. */
export function saidOf(ranges: Ranges, place: number): string[] {
  return ranges.sources.map((_, source) => nameSaid(ranges, place, source));
}

/** What one source says of a place. */
export function nameSaid({ sources, names, said }: Ranges, place: number, source: number): string {
  return names[said[place * sources.length + source] ?? 0] ?? "";
}

/** How many places there are, nowhere included. */
export function placesIn({ sources, said }: Ranges): number {
  return sources.length === 0 ? 1 : said.length / sources.length;
}

/** Where a place is by what the sources say of it, `""`, `DE` or `US-NJ`, and which of them says so; -1 for nowhere. */
export type Answer = { name: string; source: number };

/**
 * The first source that knows the country answers. Where it knows no regions at all, the next one that does is
 * believed in it, if it means the same country: a region of another country would contradict the first.
 */
export function answerOf(sources: readonly MadeSource[], said: readonly string[]): Answer {
  const source = said.findIndex((name) => name !== "");
  const name = said[source] ?? "";
  const told = said[sources.findIndex(({ hasRegions }, index) => hasRegions && index >= source)] ?? "";
  return { name: name !== "" && isSameCountry(told, name) ? told : name, source };
}

/** Whether two names, such as `US` and `US-NJ`, are of one country. */
export function isSameCountry(one: string, other: string): boolean {
  // Letter by letter: tens of thousands of places would leave as many pieces of text behind.
  return one.startsWith(other.charAt(0)) && one.charAt(1) === other.charAt(1);
}

const magic = "offers-geo-ranges";
/** A file of another version is refused: it is built again in seconds. */
const version = 4;
/** Spells itself backwards on a machine of the other byte order, where the arrays would be read wrongly. */
const byteOrderMark = 0x01020304;
const headWords = 3;

/** What stands before the arrays, as JSON. */
type Head = {
  magic: string;
  version: number;
  sources: readonly MadeSource[];
  names: readonly string[];
  said: number;
  /** Bytes of a place's number. */
  placeBytes: 2 | 4;
  v4: number;
  v6: number;
};

/** Ranges as the bytes of a file: three words, the head as JSON, then the arrays in this machine's byte order. */
export function encodeRanges({ sources, names, said, v4, v6 }: Ranges): Uint8Array {
  const lengths = { said: said.length, v4: v4.starts.length, v6: v6.high.length };
  const placeBytes = v4.places.BYTES_PER_ELEMENT === 2 ? 2 : 4;
  const head: Head = { magic, version, sources, names, placeBytes, ...lengths };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const words = new Uint32Array([byteOrderMark, version, json.length]);
  const padding = new Uint8Array(-json.length & 3);
  const parts = [words, json, padding, v4.starts, v6.high, v6.low, v4.places, v6.places, said];
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
  const { placeBytes } = head;
  const size = at + head.v4 * (4 + placeBytes) + head.v6 * (8 + placeBytes) + head.said * 2;
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
  const nextPlaces = (length: number): PlaceNumbers =>
    placeBytes === 2 ? next(Uint16Array, length, 2) : next(Uint32Array, length, 4);
  const starts = next(Uint32Array, head.v4, 4);
  const high = next(Uint32Array, head.v6, 4);
  const low = next(Uint32Array, head.v6, 4);
  const v4 = { starts, places: nextPlaces(head.v4) };
  const v6 = { high, low, places: nextPlaces(head.v6) };
  const said = next(Uint16Array, head.said, 2);
  return { sources: head.sources, names: head.names, said, v4, v6 };
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

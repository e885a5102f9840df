/** Bytes, and how far they are read. */
export type Reading = { bytes: Uint8Array; at: number };

/** Bytes that more are appended to: the first `length` of an array that has room for others. */
export type Packing = { bytes: Uint8Array; length: number };

/** More than any number takes. */
const numberMost = 8;

/** @param room how many bytes it will become, as far as that is known. An array that grows is copied each time. */
export function startPacking(room = 128): Packing {
  return { bytes: new Uint8Array(room), length: 0 };
}

/** What was packed, in an array of its own. */
export function packedBytes({ bytes, length }: Packing): Uint8Array {
  return bytes.slice(0, length);
}

export function pushByte(packing: Packing, byte: number): void {
  makeRoom(packing, 1);
  packing.bytes[packing.length] = byte;
  packing.length += 1;
}

export function pushBytes(packing: Packing, more: Uint8Array): void {
  makeRoom(packing, more.length);
  packing.bytes.set(more, packing.length);
  packing.length += more.length;
}

/**
 * Appends a number in base 128, with the lowest bits first. Prices go beyond 32 bits, where bitwise operators would cut
 * them.
 * @throws RangeError when it is negative or no whole number up to 2^53 - 1.
 */
export function pushNumber(packing: Packing, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no number to pack: ${value}`);
  makeRoom(packing, numberMost);
  const { bytes } = packing;
  let rest = value;
  while (rest >= 128) {
    bytes[packing.length] = (rest % 128) + 128;
    packing.length += 1;
    rest = Math.floor(rest / 128);
  }
  bytes[packing.length] = rest;
  packing.length += 1;
}

const makeRoom = (packing: Packing, more: number): void => {
  const wanted = packing.length + more;
  if (wanted <= packing.bytes.length) return;
  const { bytes } = packing;
  packing.bytes = new Uint8Array(Math.max(wanted, 2 * bytes.length));
  packing.bytes.set(bytes);
};

/**
 * Reads a number of `pushNumber`.
 * @throws RangeError when the bytes end before it does.
 */
export function readNumber(reading: Reading): number {
  const first = reading.bytes[reading.at] ?? 128;
  // Nearly all are one byte.
  if (first < 128) {
    reading.at += 1;
    return first;
  }
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = readByte(reading);
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
}

/**
 * Reads one byte.
 * @throws RangeError when there is none.
 */
export function readByte(reading: Reading): number {
  const byte = reading.bytes[reading.at];
  if (byte === undefined) throw new RangeError("packed bytes end too early");
  reading.at += 1;
  return byte;
}

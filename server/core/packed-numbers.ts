/** Bytes, and how far they are read. */
export type Reading = { bytes: Uint8Array; at: number };

/**
 * Appends a number in base 128, with the lowest bits first. Prices go beyond 32 bits, where bitwise operators would cut
 * them.
 * @throws RangeError when it is negative or no whole number up to 2^53 - 1.
 */
export function pushNumber(bytes: number[], value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`no number to pack: ${value}`);
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

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

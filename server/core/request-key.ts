/** 56 bits: of two requests in the same millisecond one pair in 2^56 has the same key. */
export const requestRandomBytes = 7;

/** 2^40 milliseconds are 34 years and ten months, so keys can be made until November 2054. */
export const requestTimeBytes = 5;

/**
 * Milliseconds are counted from 2020-01-01T00:00:00Z instead of 1970. The service did not exist before, and with
 * 1970 the five bytes would have run over in 2004.
 */
const requestKeyEpoch = Date.UTC(2020, 0, 1);

/** Whether a request can be made at a time (milliseconds since 1970, whole), and so anybody be served: else no clock is set. */
export function isRequestTime(at: number): boolean {
  const elapsed = at - requestKeyEpoch;
  return Number.isInteger(elapsed) && elapsed >= 0 && elapsed < 2 ** (8 * requestTimeBytes);
}

/**
 * The key of a request and of all that becomes of it: when it was made, then randomness, 12 bytes, as the 16
 * characters of their base64url. The time stands first because a table then grows at its end, where the last rows
 * are still in memory. The bytes sort by time; their text does not.
 * @param at milliseconds since 1970, a whole number within 2020 to 2054.
 * @param random 7 random bytes, never used before.
 * @throws RangeError for any other time or number of bytes: a mistake of the caller, or a clock that is not set.
 */
export function requestKeyOf(at: number, random: Uint8Array): string {
  if (!isRequestTime(at)) throw new RangeError(`no request can be made at ${at} milliseconds since 1970`);
  if (random.length !== requestRandomBytes) {
    throw new RangeError(`a request's key has ${requestRandomBytes} random bytes`);
  }
  const bytes = Buffer.allocUnsafe(requestTimeBytes + requestRandomBytes);
  bytes.writeUIntBE(at - requestKeyEpoch, 0, requestTimeBytes);
  bytes.set(random, requestTimeBytes);
  return bytes.toString("base64url");
}

/**
 * What the keys of all requests that were made at a time or later are above, byte by byte, and all others below.
 * @param at milliseconds since 1970, a whole number; no request was made before 2020.
 */
export function requestKeysSince(at: number): Buffer {
  const bytes = Buffer.alloc(requestTimeBytes);
  bytes.writeUIntBE(
    Math.min(Math.max(at - requestKeyEpoch, 0), 2 ** (8 * requestTimeBytes) - 1),
    0,
    requestTimeBytes,
  );
  return bytes;
}

/** When a request was made, in milliseconds since 1970, by the key that `requestKeyOf` made or by its 12 bytes. */
export function requestTimeOf(request: string | Buffer): number {
  // Seven characters spell the five bytes and two bits of the next one.
  const bytes = typeof request === "string" ? Buffer.from(request.slice(0, 7), "base64url") : request;
  return requestKeyEpoch + bytes.readUIntBE(0, requestTimeBytes);
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * The bytes as a number in base 62, its last `length` digits, padded with `0`.
 * Random bytes worth 60 bits more than the digits can hold leave no measurable bias.
 */
export function base62(bytes: Uint8Array, length: number): string {
  let left = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (text.length < length) {
    text = digits[Number(left % 62n)] + text;
    left /= 62n;
  }
  return text;
}

/** A whole number from 0 on, at most 2^53 - 1, in base 62: its last `length` digits, padded with `0`. */
export function base62Of(number: number, length: number): string {
  let left = number;
  let text = "";
  while (text.length < length) {
    text = digits[left % 62] + text;
    left = Math.floor(left / 62);
  }
  return text;
}

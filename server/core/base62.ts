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

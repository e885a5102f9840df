/**
 * 64 bits that a table knows a text by: two hashes of 32 bits that are mixed into one another at the end, after the
 * finaliser of MurmurHash3. No cryptographer is withstood.
 */
export function hash64(text: string): [high: number, low: number] {
  let one = 0x9e3779b9;
  let other = 0x85ebca6b;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return [one >>> 0, other >>> 0];
}

/**
 * A 32-bit hash of a text that is the same on every machine and in every version: FNV-1a, then the finaliser of
 * MurmurHash3, without which ids that differ in their last character keep their order.
 * For spreading only; it withstands no adversary.
 */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return finalise(hash);
}

/**
 * The hash of two things of which each has a hash already, in whichever order: each of them is read once, however
 * many others it meets.
 */
export function joinedHash(one: number, other: number): number {
  return finalise(one ^ other);
}

function finalise(start: number): number {
  let hash = Math.imul(start ^ (start >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

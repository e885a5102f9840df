/**
 * A 32-bit hash of two texts that is the same on every machine and in every version: FNV-1a, then the finaliser
 * of MurmurHash3, without which ids that differ in their last character keep their order.
 * For spreading only; it withstands no adversary.
 */
export function stableHash(first: string, second: string): number {
  let hash = mix(mix(0x811c9dc5, first) ^ 0xff, second);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function mix(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

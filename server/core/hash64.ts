/** What a hash is computed under: two numbers of 32 bits, drawn at random where strangers write what is hashed. */
export type HashSeed = readonly [one: number, other: number];

/** The rounds between one half of the result and the other. */
const endingRounds = 3;

/**
 * 64 bits that a table knows a text by: HalfSipHash-1-3 over its UTF-16. A keyed hash, and one that was made for tables
 * whose keys strangers choose: without the seed nobody can write two texts that have the same bits, and bits are not to
 * leave the process, from which the seed could be guessed.
 */
export function hash64(text: string, [one, other]: HashSeed): [high: number, low: number] {
  let v0 = one | 0;
  let v1 = other ^ 0xee;
  let v2 = one ^ 0x6c796765;
  let v3 = other ^ 0x74656462;
  let high = 0;
  const pairs = text.length >> 1;
  const lastUnit = text.length % 2 === 1 ? text.charCodeAt(text.length - 1) : 0;
  // Two units a step, then what is left of the text with its length in bytes, then the rounds of both halves: in one loop,
  // since a round that is a function with these four in its closure costs five times as much.
  for (let step = 0; step <= pairs + 2 * endingRounds; step += 1) {
    let word = 0;
    if (step < pairs) word = text.charCodeAt(2 * step) | (text.charCodeAt(2 * step + 1) << 16);
    else if (step === pairs) word = (text.length << 25) | lastUnit;
    else if (step === pairs + 1) v2 ^= 0xee;
    else if (step === pairs + 1 + endingRounds) {
      high = v1 ^ v3;
      v1 ^= 0xdd;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return [high >>> 0, (v1 ^ v3) >>> 0];
}

import { randomFillSync } from "node:crypto";

/** One call for the system's randomness costs as much for four kilobytes as for twelve bytes. */
const poolBytes = 4096;

/** Hands out random bytes from a stock of them. No byte is given twice: what is taken is copied, then erased. */
export function createRandomBytes(): (size: number) => Buffer {
  const pool = Buffer.alloc(poolBytes);
  let taken = poolBytes;
  return (size) => {
    if (size > poolBytes) return randomFillSync(Buffer.alloc(size));
    if (taken + size > poolBytes) {
      randomFillSync(pool);
      taken = 0;
    }
    const bytes = Buffer.from(pool.subarray(taken, taken + size));
    pool.fill(0, taken, taken + size);
    taken += size;
    return bytes;
  };
}

import { describe, expect, it } from "vitest";
import { createRandomBytes } from "./random-pool.ts";

describe("random bytes", () => {
  it("gives no bytes twice, not even where the stock is filled again", () => {
    const randomBytes = createRandomBytes();
    const seen = new Set(Array.from({ length: 5000 }, () => randomBytes(12).toString("hex")));
    expect(seen.size).toBe(5000);
  });

  it("gives as many as are asked for, also more than the stock holds", () => {
    const randomBytes = createRandomBytes();
    for (const size of [1, 12, 4095, 4096, 4097, 10_000]) {
      const bytes = randomBytes(size);
      expect(bytes.length).toBe(size);
      if (size > 12) expect(bytes.subarray(-12).equals(Buffer.alloc(12))).toBe(false);
    }
  });

  it("does not change what it gave before", () => {
    const randomBytes = createRandomBytes();
    const first = randomBytes(16);
    const text = first.toString("hex");
    for (let i = 0; i < 1000; i += 1) randomBytes(16);
    expect(first.toString("hex")).toBe(text);
  });
});

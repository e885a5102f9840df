import fc from "fast-check";
import { expect, test } from "vitest";
import {
  packedBytes,
  pushByte,
  pushBytes,
  pushNumber,
  readByte,
  readNumber,
  startPacking,
} from "./packed-numbers.ts";

const number = fc.oneof(fc.nat(300), fc.maxSafeNat());
const bytes = fc.uint8Array({ maxLength: 1000, size: "max" });

test("numbers and bytes are read as they were appended, however much room there was", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(number, bytes), { maxLength: 50 }), fc.nat(50), (parts, room) => {
      const packing = startPacking(room);
      for (const part of parts) {
        if (typeof part === "number") pushNumber(packing, part);
        else pushBytes(packing, part);
        pushByte(packing, 7);
      }
      const reading = { bytes: packedBytes(packing), at: 0 };
      for (const part of parts) {
        if (typeof part === "number") expect(readNumber(reading)).toBe(part);
        else for (const byte of part) expect(readByte(reading)).toBe(byte);
        expect(readByte(reading)).toBe(7);
      }
      expect(reading.at).toBe(reading.bytes.length);
    }),
  );
});

test.each([-1, 0.5, 2 ** 53, Number.NaN])("%d is no number to pack", (value) => {
  expect(() => pushNumber(startPacking(), value)).toThrow(RangeError);
});

import { expect, test } from "vitest";
import { writeMmdb } from "./mmdb-for-tests.ts";
import { mmdbRanges } from "./mmdb-ranges.ts";

const whole = writeMmdb(
  [
    ["8.8.8.0/24", { country: { iso_code: "US" } }],
    ["2a10:d580::/32", { country: { iso_code: "DE" } }],
  ],
  { type: "Own", builtAt: Date.parse("2026-11-15T12:00:00Z") },
);
const nodeBytes = 6;

/** A copy of the database, with bytes of it written anew. */
const changed = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.from(whole);
  change(bytes);
  return bytes;
};
const afterText = (text: string): number => whole.lastIndexOf(text) + text.length;

const readAll = (bytes: Buffer) => {
  const { v4, v6 } = mmdbRanges(bytes, { version: "1", regionOf: () => "" });
  return [...v4, ...v6].map(({ place }) => place.country);
};

test("a database is read from end to end", () => {
  expect(readAll(whole)).toEqual(["US", "DE"]);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["something else", Buffer.from("nonsense")],
  ["what is cut off", whole.subarray(0, whole.length / 2)],
  // As after a power cut, where the file had its length before its content.
  ["one with a hole at its beginning", changed((bytes) => bytes.fill(0, 0, nodeBytes))],
  ["one with a hole further down", changed((bytes) => bytes.fill(0, 30 * nodeBytes, 32 * nodeBytes - 1))],
  ["one whose records lead out of it", changed((bytes) => bytes.fill(0xff, 0, nodeBytes))],
  [
    "one that claims more nodes than it has",
    changed((bytes) => bytes.writeUInt8(0x7f, afterText("node_count") + 1)),
  ],
])("%s is no location database, which is said in words", (_, bytes) => {
  expect(() => readAll(bytes)).toThrow(
    /^it is no location database in MaxMind's format, or not a whole one \(.+\)$/,
  );
});

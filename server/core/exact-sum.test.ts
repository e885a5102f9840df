import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sumExactly, type Whole, wholeOf } from "./exact-sum.ts";

const most = Number.MAX_SAFE_INTEGER;

describe("a sum of whole numbers", () => {
  test.each<[string, Whole, Whole, Whole]>([
    ["the last that a number tells from its neighbours", most - 1, 1, most],
    ["one more", most, 1, 9_007_199_254_740_992n],
    ["two more, where a number is rounded", most, 2, 9_007_199_254_740_993n],
    ["twice the most that anything costs", most, most, 18_014_398_509_481_982n],
    ["on from there", 18_014_398_509_481_982n, 1, 18_014_398_509_481_983n],
    ["back to where a number will do", 9_007_199_254_740_993n, -2, most],
    ["the same below 0", -most, -2, -9_007_199_254_740_993n],
    ["nothing", 0, 0, 0],
  ])("is exact: %s", (_, one, other, sum) => {
    expect(sumExactly(one, other)).toBe(sum);
    expect(sumExactly(other, one)).toBe(sum);
  });

  test("is that of integers, whatever their order, and a bigint only where it has to be one", () => {
    const terms = fc.array(fc.maxSafeInteger(), { maxLength: 40 });
    fc.assert(
      fc.property(terms, (numbers) => {
        const exact = numbers.reduce((sum, number) => sum + BigInt(number), 0n);
        expect(numbers.reduce<Whole>(sumExactly, 0)).toBe(wholeOf(exact));
        expect(typeof wholeOf(exact) === "number").toBe(exact <= BigInt(most) && exact >= -BigInt(most));
      }),
    );
  });

  test("is read from its digits", () => {
    expect(wholeOf("9007199254740991")).toBe(most);
    expect(wholeOf("9007199254740993")).toBe(9_007_199_254_740_993n);
    expect(() => wholeOf("9.1e15")).toThrow(SyntaxError);
  });
});

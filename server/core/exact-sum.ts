/** A whole number, exact: as a bigint where a number would be rounded, and only there, so that `===` compares. */
export type Whole = number | bigint;

/** The exact sum of two whole numbers. */
export function sumExactly(one: Whole, other: Whole): Whole {
  if (typeof one === "number" && typeof other === "number") {
    const sum = one + other;
    // Of two numbers that are exact themselves, a sum that had to be rounded is never within the safe range.
    if (Number.isSafeInteger(sum)) return sum;
  }
  return wholeOf(BigInt(one) + BigInt(other));
}

/** A whole number in the one form that a `Whole` of its value has; throws a SyntaxError for a text that is none. */
export function wholeOf(value: bigint | string): Whole {
  const big = BigInt(value);
  const small = Number(big);
  return Number.isSafeInteger(small) ? small : big;
}

/** All of the price, as basis points. */
export const wholeShare = 10_000;

/**
 * What a publisher earns of a billed event, rounded down to a whole micro-unit; what is left is the operator's. Exact
 * for every price.
 * @param priceMicros whole micro-units, 0 to 2^53 - 1.
 * @param shareBasisPoints hundredths of a per cent, whole, 0 to 10000.
 */
export function earnedOf(priceMicros: number, shareBasisPoints: number): number {
  const product = priceMicros * shareBasisPoints;
  if (Number.isSafeInteger(product)) return (product - (product % wholeShare)) / wholeShare;
  return Number((BigInt(priceMicros) * BigInt(shareBasisPoints)) / BigInt(wholeShare));
}

import { wholeShare } from "./revenue-share.ts";

/** What a bill cost, and what its publisher earned of it, in whole micro-units. */
export type EarnedPrice = { priceMicros: number; earnedMicros: number };

/**
 * Parts bills by the share that their publisher had in them: as few parts as tell what each has earned, the smallest share
 * first. A share is told by price and earnings alone (decisions.md#shares-told-by-the-bills): exactly from a price of 10,000
 * micro-units on; of cheaper ones several shares earn the same, and of those that earn what every bill of a part has, the
 * roundest is told. Null, and the last part: bills that no share tells, such as those that cost nothing.
 */
export function partedByShare<Bill extends EarnedPrice>(
  bills: readonly Bill[],
): { shareBasisPoints: number | null; bills: Bill[] }[] {
  const ranged = bills.map((bill) => ({ bill, ...fittingShares(bill) }));
  const told = ranged
    .filter(({ least, most }) => least <= most)
    .sort((one, other) => one.least - other.least);
  const parts: { least: number; most: number; bills: Bill[] }[] = [];
  for (const { bill, least, most } of told) {
    const part = parts.at(-1);
    if (part === undefined || least > part.most) parts.push({ least, most, bills: [bill] });
    else {
      part.bills.push(bill);
      part.least = least;
      part.most = Math.min(part.most, most);
    }
  }
  const untold = ranged.filter(({ least, most }) => least > most).map(({ bill }) => bill);
  return [
    ...parts.map(({ least, most, bills: own }) => ({ shareBasisPoints: roundest(least, most), bills: own })),
    ...(untold.length > 0 ? [{ shareBasisPoints: null, bills: untold }] : []),
  ];
}

/** The least and the most basis points by which a price earns that (`earnedOf`); the least is above the most: none does. */
const fittingShares = ({ priceMicros, earnedMicros }: EarnedPrice): { least: number; most: number } => {
  if (priceMicros <= 0) return { least: 1, most: 0 };
  // Rounded up: the first share with which it earns as much, and the last one before it earns more.
  const firstFor = (earned: bigint): number => {
    const price = BigInt(priceMicros);
    return Number((earned * BigInt(wholeShare) + price - 1n) / price);
  };
  const earned = BigInt(earnedMicros);
  return { least: firstFor(earned), most: Math.min(wholeShare, firstFor(earned + 1n) - 1) };
};

const steps = [1000, 500, 100, 50, 10, 5];

const roundest = (least: number, most: number): number =>
  steps.map((step) => Math.ceil(least / step) * step).find((share) => share <= most) ?? least;

/** The drawing that stands for a brand without a picture. */
type Monogram = { letter: string; hue: number };

/** The first letter or digit, and a hue in degrees that is the same for this brand on every page. */
export function monogram(brand: string): Monogram {
  let sum = 0;
  for (const letter of brand) sum = (sum * 31 + letter.charCodeAt(0)) % 290;
  // From green (130) round to orange (60). The yellow that is left out turns to mud when it is dark.
  return { letter: (/[\p{L}\p{N}]/u.exec(brand)?.[0] ?? "•").toUpperCase(), hue: sum + 130 };
}

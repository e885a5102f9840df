/** One range of an Accept header: `text/html;q=0.8`, `text/*`. Its parameters stand as in `charset=utf-8`, without `q`. */
type Range = { type: string; subtype: string; quality: number; parameters: readonly string[] };

/**
 * Which of the media types a client would rather have (RFC 9110 section 12.5.1); the first when it does not say, null
 * when it wants none of them. The types stand with their parameters, of which a range may name any. The most specific
 * range that fits a type gives its quality; of equal ones the more specific is preferred, then the one that the client
 * names first.
 */
export function preferredType<T extends string>(
  accept: string | undefined,
  types: readonly [T, ...T[]],
): T | null {
  if (accept === undefined || accept === "") return types[0];
  const ranges = accept.split(",").map(rangeOf);
  const [best] = types
    .flatMap((type) => {
      const fit = bestFit(ranges, rangeOf(type));
      return fit === null || !(fit.quality > 0) ? [] : [{ type, ...fit }];
    })
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity || a.at - b.at);
  return best?.type ?? null;
}

type Fit = { quality: number; specificity: number; at: number };

const bestFit = (ranges: readonly (Range | null)[], wanted: Range | null): Fit | null => {
  let best: Fit | null = null;
  for (const [at, range] of ranges.entries()) {
    if (range === null || wanted === null) continue;
    const specificity = specificityOf(range, wanted);
    if (specificity < 0) continue;
    const { quality } = range;
    const isBetter =
      best === null ||
      specificity > best.specificity ||
      (specificity === best.specificity && quality >= best.quality);
    if (isBetter) best = { quality, specificity, at };
  }
  return best;
};

/** -1: the range does not hold the type. */
const specificityOf = ({ type, subtype, parameters }: Range, wanted: Range): number => {
  if (type !== "*" && type !== wanted.type) return -1;
  if (subtype !== "*" && subtype !== wanted.subtype) return -1;
  if (!parameters.every((parameter) => wanted.parameters.includes(parameter))) return -1;
  return (type === "*" ? 0 : 4) + (subtype === "*" ? 0 : 2) + (parameters.length === 0 ? 0 : 1);
};

const rangeOf = (text: string): Range | null => {
  const [name = "", ...parameters] = text
    .toLowerCase()
    .replaceAll('"', "")
    .split(";")
    .map((part) => part.trim());
  const slash = name.indexOf("/");
  if (slash === -1) return null;
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter));
  return {
    type: name.slice(0, slash),
    subtype: name.slice(slash + 1),
    quality: quality === undefined ? 1 : Number.parseFloat(quality.slice(quality.indexOf("=") + 1)),
    parameters: parameters.filter((parameter) => parameter !== quality && parameter.includes("=")),
  };
};

import type { RankedOffer, SortedOffers } from "./sorted-offers.ts";
import { joinedHash, stableHash } from "./stable-hash.ts";

/** Offers of equal score in one of the lists: from place `from` up to, not with, `to`. */
type Slice = { list: number; offers: readonly RankedOffer[]; from: number; to: number };

/** Up to so many offers of equal score are put in order by a hash of each: some 4 µs for the first eight of them. */
const mostHashed = 64;

/**
 * Visits the offers of several lists as one, best score first, until `visit` says that it has seen enough. What it
 * costs depends on the offers that are visited, not on how many there are.
 *
 * Offers of equal score come in an order of the request's own, the same each time, and each of them comes first
 * equally often over many requests: otherwise a cold start, when all scores are equal, would freeze one order.
 * - Up to 64 of them are ordered by the stable hash of (request, offer id), so that one which joins or leaves
 *   changes nothing between the others.
 * - More are not hashed each, for that would cost more the more there are. The request draws where to begin and by
 *   what step to go on, round and round over their places; the first prime that is not below their number is the
 *   round, so that every step meets every place once. Each offer is as likely as any other to be the second after
 *   a certain first, but for the few whose place is met from one of the empty places between number and prime. So
 *   the share of one that is skipped (its budget is used up, its brand is taken) is spread over all others, and
 *   does not fall to its neighbour. One that joins or leaves changes the order between the others, which among so
 *   many equal ones nobody can see.
 * @param request the request's own key, which decides between equal scores.
 */
export function visitBestFirst(lists: readonly SortedOffers[], request: string, visit: Visit): void {
  const next = lists.map(() => 0);
  let slices = bestSlices(lists, next);
  while (slices.length > 0) {
    if (visitEqual(slices, request, visit) === "enough") return;
    slices = bestSlices(lists, next);
  }
}

/** What is called with each offer in turn, and says whether another one is wanted. */
type Visit = (ranked: RankedOffer) => "go on" | "enough";

/** The next offers of equal score, behind which `next` then stands; none when all lists are at their ends. */
function bestSlices(lists: readonly SortedOffers[], next: number[]): Slice[] {
  let slices: Slice[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (let list = 0; list < lists.length; list += 1) {
    const { offers = [], scores = [], runEnds = [] } = lists[list] ?? {};
    const from = next[list] ?? 0;
    const score = scores[from];
    if (score === undefined || score < best) continue;
    if (score > best) slices = [];
    best = score;
    slices.push({ list, offers, from, to: runEnds[from] ?? offers.length });
  }
  for (const { list, to } of slices) next[list] = to;
  return slices;
}

/** Visits offers of equal score in the request's own order. */
function visitEqual(slices: readonly Slice[], request: string, visit: Visit): ReturnType<Visit> {
  const count = slices.reduce((sum, { from, to }) => sum + to - from, 0);
  if (count > mostHashed) return visitDrawn(slices, count, request, visit);
  const [{ offers, from } = { offers: [], from: 0 }] = slices;
  const only = offers[from];
  return count === 1 && only !== undefined ? visit(only) : visitByHash(slices, request, visit);
}

/** Hashes every offer once, then looks for the greatest hash of those that are left: few of them are wanted. */
function visitByHash(slices: readonly Slice[], request: string, visit: Visit): ReturnType<Visit> {
  const left = slices.flatMap(({ offers, from, to }) => offers.slice(from, to));
  const requestHash = stableHash(request);
  const hashes = left.map(({ hash }) => joinedHash(requestHash, hash));
  while (left.length > 0) {
    const first = greatestOf(hashes, left);
    const [ranked] = left.splice(first, 1);
    hashes.splice(first, 1);
    if (ranked !== undefined && visit(ranked) === "enough") return "enough";
  }
  return "go on";
}

/** The place of the greatest hash. The id settles the rare equal one, so that no order of the lists matters. */
function greatestOf(hashes: readonly number[], offers: readonly RankedOffer[]): number {
  const idAt = (place: number): string => offers[place]?.offer.id ?? "";
  let greatest = 0;
  let most = hashes[0] ?? 0;
  for (let at = 1; at < hashes.length; at += 1) {
    const hash = hashes[at] ?? 0;
    if (hash < most || (hash === most && idAt(at) > idAt(greatest))) continue;
    greatest = at;
    most = hash;
  }
  return greatest;
}

function visitDrawn(
  slices: readonly Slice[],
  count: number,
  request: string,
  visit: Visit,
): ReturnType<Visit> {
  const round = primeFrom(count);
  const requestHash = stableHash(request);
  const step = 1 + (joinedHash(requestHash, stableHash("step")) % (round - 1));
  let place = joinedHash(requestHash, stableHash("start")) % round;
  for (let met = 0; met < round; met += 1) {
    const ranked = offerAt(slices, place);
    if (ranked !== undefined && visit(ranked) === "enough") return "enough";
    place = (place + step) % round;
  }
  return "go on";
}

/** The offer at a place that is counted over all slices; undefined behind the last. */
function offerAt(slices: readonly Slice[], place: number): RankedOffer | undefined {
  let rest = place;
  for (const { offers, from, to } of slices) {
    if (rest < to - from) return offers[from + rest];
    rest -= to - from;
  }
  return undefined;
}

/** The first prime that is not below `number`, which is at least 3. Primes lie close, so few numbers are tried. */
function primeFrom(number: number): number {
  let candidate = number | 1;
  while (!isOddPrime(candidate)) candidate += 2;
  return candidate;
}

function isOddPrime(odd: number): boolean {
  for (let divisor = 3; divisor * divisor <= odd; divisor += 2) if (odd % divisor === 0) return false;
  return true;
}

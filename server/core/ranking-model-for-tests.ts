import { drawBeta } from "./beta-draw.ts";
import { brandKey } from "./brand-key.ts";
import type { Offer } from "./catalogue.ts";
import { scoreOf, worthOf } from "./expected-revenue.ts";
import { joinedHash, stableHash } from "./stable-hash.ts";

/**
 * The rule of ranking, said plainly and computed at leisure, for tests to compare with: the premium offer is the
 * best that is flagged for it, else the best of all; up to `standardSlots` standard ones follow, best first, one
 * offer a brand over both. The stable hash of request and offer seeds the draw of the click rate, of which nothing has been
 * counted, and decides between equal scores.
 */
export function rankOffers(
  offers: readonly Offer[],
  args: { request: string; standardSlots: number },
): { premium: Offer[]; standard: Offer[] } {
  const candidates = offers.map((offer) => candidateOf(offer, args.request));
  const premium = bestOf(candidates.filter(({ offer }) => offer.premium)) ?? bestOf(candidates);
  if (premium === null) return { premium: [], standard: [] };
  const standard = bestOfEachBrand(candidates, args.standardSlots, brandKey(premium.offer.brand));
  return { premium: [premium.offer], standard };
}

type Candidate = { offer: Offer; score: number; tie: number };

function candidateOf(offer: Offer, request: string): Candidate {
  const tie = joinedHash(stableHash(request), stableHash(offer.id));
  const isClicked = offer.payoutModel !== "CPM";
  // Of an offer of which nothing is known: 30 impressions at one percent.
  const clickRate = isClicked ? drawBeta(tie, 0.3, 29.7) : 0;
  return { offer, score: scoreOf(worthOf(offer, null), clickRate), tie };
}

/** Whether `one` goes before `other`. The id settles the rare equal hash, so that the order given never matters. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if (one.score !== other.score) return one.score > other.score;
  if (one.tie !== other.tie) return one.tie > other.tie;
  return one.offer.id < other.offer.id;
}

function bestOf(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates) if (best === null || isBetter(candidate, best)) best = candidate;
  return best;
}

/** One pass that keeps the few best: most candidates cost one comparison, however many there are. */
function bestOfEachBrand(candidates: readonly Candidate[], most: number, takenBrand: string): Offer[] {
  const kept: (Candidate & { brand: string })[] = [];
  for (const candidate of candidates) {
    const last = kept.at(-1);
    if (kept.length === most && last && !isBetter(candidate, last)) continue;
    const brand = brandKey(candidate.offer.brand);
    if (brand === takenBrand) continue;
    const rival = kept.findIndex((other) => other.brand === brand);
    const standing = kept[rival];
    if (standing && !isBetter(candidate, standing)) continue;
    if (standing) kept.splice(rival, 1);
    const place = kept.findIndex((other) => isBetter(candidate, other));
    kept.splice(place === -1 ? kept.length : place, 0, { ...candidate, brand });
    if (kept.length > most) kept.pop();
  }
  return kept.map(({ offer }) => offer);
}

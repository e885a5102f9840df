import { drawBeta } from "./beta-draw.ts";
import type { ClickRate } from "./click-rates.ts";
import { scoreOf } from "./expected-revenue.ts";
import type { RankedOffer } from "./sorted-offers.ts";
import { joinedHash } from "./stable-hash.ts";

/** What decides between the offers of one request. */
export type Draw = {
  /** The stable hash of the request's key. */
  requestHash: number;
  /** What is believed of the click rate where the offer would stand, on a usual website. */
  rateOf: (ranked: RankedOffer) => ClickRate;
  /** How many times as often offers are clicked on this one. */
  factor: number;
};

/**
 * The best of the candidates, best first, one a brand and none of `takenBrand`, at most `most`. Each stands by what it
 * would earn at a click rate that is drawn from what is believed of it (Thompson sampling): what is little known is tried
 * now and then, and what is known to be bad is not. The draw is seeded by request and offer, so one request always
 * ranks alike. Equal ones come in the order of the hash of both, and the id settles the rare equal hash.
 */
export function bestDrawn(
  candidates: readonly RankedOffer[],
  draw: Draw,
  { most, takenBrand = null }: { most: number; takenBrand?: string | null },
): RankedOffer[] {
  const kept: Drawn[] = [];
  if (most === 0) return [];
  for (const ranked of candidates) {
    if (ranked.brand === takenBrand) continue;
    const tie = joinedHash(draw.requestHash, ranked.hash);
    const score = drawnScore(ranked, tie, draw);
    const last = kept.length === most ? kept[most - 1] : undefined;
    // Most of many end here.
    if (last !== undefined && score < last.score) continue;
    const drawn = { ranked, tie, score };
    if (last === undefined || isBetter(drawn, last)) insert(kept, drawn, most);
  }
  return kept.map(({ ranked }) => ranked);
}

/** What an offer's standing comes of. */
export type DrawnParts = {
  /** What is believed of its click rate on a usual website. */
  rate: ClickRate;
  /** How many times as often offers are clicked on this one. */
  factor: number;
  /** The click rate that was drawn for the request; null: what it earns does not depend on clicks. */
  drawnRate: number | null;
  score: number;
};

/** Takes an offer's standing in a draw apart: the score is the one that it was ordered by. */
export function drawnParts(ranked: RankedOffer, draw: Draw): DrawnParts {
  const seed = joinedHash(draw.requestHash, ranked.hash);
  return {
    rate: draw.rateOf(ranked),
    factor: draw.factor,
    drawnRate: dependsOnClicks(ranked) ? drawnRate(ranked, seed, draw) : null,
    score: drawnScore(ranked, seed, draw),
  };
}

/** Takes an offer in at its place, unless a better one of its brand stands there. */
function insert(kept: Drawn[], drawn: Drawn, most: number): void {
  let place = 0;
  for (let other = kept[place]; other && !isBetter(drawn, other); other = kept[place]) {
    if (other.ranked.brand === drawn.ranked.brand) return;
    place += 1;
  }
  const rival = kept.findIndex(({ ranked }, at) => at >= place && ranked.brand === drawn.ranked.brand);
  if (rival !== -1) kept.splice(rival, 1);
  kept.splice(place, 0, drawn);
  if (kept.length > most) kept.pop();
}

type Drawn = { ranked: RankedOffer; score: number; tie: number };

/** An offer whose clicks earn nothing needs no draw. */
function drawnScore(ranked: RankedOffer, seed: number, draw: Draw): number {
  return scoreOf(ranked.worth, dependsOnClicks(ranked) ? drawnRate(ranked, seed, draw) : 0);
}

function dependsOnClicks({ worth }: RankedOffer): boolean {
  return worth.perClick !== 0;
}

/** The factor moves no offer past another one that earns by clicks too, but past those that earn by views. */
function drawnRate(ranked: RankedOffer, seed: number, { rateOf, factor }: Draw): number {
  const { clicks, misses } = rateOf(ranked);
  // Above 1 it would still order offers by how good they are, and cut off there by their prices alone.
  return factor * drawBeta(seed, clicks, misses);
}

function isBetter(one: Drawn, other: Drawn): boolean {
  if (one.score !== other.score) return one.score > other.score;
  if (one.tie !== other.tie) return one.tie > other.tie;
  return one.ranked.offer.id < other.ranked.offer.id;
}

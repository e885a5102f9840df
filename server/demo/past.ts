import { type Budget, hasRoom, nextCharge, type Spent, takeCharge } from "../core/budget.ts";
import type { Offer } from "../core/catalogue.ts";
import {
  createLearntRates,
  type LearntRates,
  type RateCount,
  type RatedPlacement,
} from "../core/click-rates.ts";
import type { BilledEvent } from "../core/price.ts";
import { demoBrands } from "./brands.ts";

/** What a service would have known on the way: which offers had money left, and how often each was clicked. */
export type DemoPast = {
  rates: LearntRates;
  /** Whether an offer was still handed out on that UTC day. */
  hasBudget(offer: number, day: number): boolean;
  /** Takes what an event costs; false: some cap has too little left, so it does not count. Free ones always count. */
  charge(offer: Offer, kind: BilledEvent, day: number): boolean;
  /** Remembers a counted event. */
  count(offer: Offer, kind: BilledEvent, where: { country: string; placement: RatedPlacement }): void;
  /** Takes what was counted over into the rates. */
  learn(version: number): void;
};

/** Offers that have money for fewer events are left to whoever tries the demo: they show how an offer runs out. */
const fewEvents = 50;

/** A past in which nothing has happened yet, with the demo's deposits. */
export function createDemoPast(offers: readonly Offer[]): DemoPast {
  const balances = new Map<string, Budget["balance"]>();
  for (const { slug, euros } of demoBrands) {
    balances.set(`advertiser_${slug}`, { depositedMicros: euros * 1_000_000, spent: nothing() });
  }
  const byNumber = new Map(offers.map((offer) => [offer.number, offer]));
  const totals = new Map<number, Spent>();
  const days = new Map<string, Spent>();
  const budgetOf = (offer: Offer, day: number): Budget => ({
    caps: offer,
    total: kept(totals, offer.number, nothing),
    day: kept(days, `${offer.number} ${day}`, nothing),
    balance: kept(balances, offer.advertiserId, () => ({ depositedMicros: 0, spent: nothing() })),
  });
  const scarce = new Set(offers.filter((offer) => isScarce(offer, budgetOf(offer, 0))));
  const counts = new Map<string, RateCount>();
  const rates = createLearntRates();
  return {
    rates,
    hasBudget: (number, day) => {
      const offer = byNumber.get(number);
      if (offer === undefined || scarce.has(offer)) return false;
      const next = nextCharge(offer);
      return next === null || hasRoom(budgetOf(offer, day), next);
    },
    charge: (offer, kind, day) => {
      const price = nextCharge(offer);
      const isBilled = price !== null && price.clicks === (kind === "click" ? 1 : 0);
      return !isBilled || takeCharge(budgetOf(offer, day), price);
    },
    count: ({ number: offer, vertical }, kind, { country, placement }) => {
      const none = () => ({ offer, vertical, country, placement, impressions: 0, clicks: 0 });
      const count = kept(counts, `${offer} ${country} ${placement}`, none);
      if (kind === "click") count.clicks += 1;
      else count.impressions += 1;
    },
    learn: (version) => rates.apply({ version, counts: [...counts.values()] }),
  };
}

const nothing = (): Spent => ({ micros: 0, clicks: 0 });

const kept = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
};

const isScarce = (offer: Offer, { caps, balance }: Budget): boolean => {
  const next = nextCharge(offer);
  if (next === null) return false;
  const micros = Math.min(caps.totalBudgetMicros ?? Number.POSITIVE_INFINITY, balance.depositedMicros);
  const clicks = caps.totalClickCap ?? Number.POSITIVE_INFINITY;
  return micros < fewEvents * next.micros || clicks < fewEvents;
};

import type { Location } from "@offers/contract/location";
import type { RefusalReason, Surface } from "@offers/contract/words";
import type { Offer, Website } from "../core/catalogue.ts";
import type { RatedPlacement } from "../core/click-rates.ts";
import type { Catalogue } from "../core/compiled-catalogue.ts";
import { handedOut } from "../core/handed-out.ts";
import type { JournalEntry, Viewer, Visit } from "../core/journal-entry.ts";
import { chooseOffers } from "../core/offer-choice.ts";
import { billedEvent } from "../core/price.ts";
import { requestKeyOf, requestRandomBytes } from "../core/request-key.ts";
import { dayNumber } from "../core/utc-day.ts";
import { demoClickRate, demoSightRate } from "./appeal.ts";
import type { DemoPast } from "./past.ts";
import type { Random } from "./random.ts";

export type DemoVisitor = {
  website: Website;
  surface: Surface;
  location: Location;
  /** Milliseconds since the epoch. */
  at: number;
};

type Shown = { offer: Offer; placement: RatedPlacement; position: number };

/** Of a hundred visits these are a robot's or a machine's in a data centre, which are answered and do not count. */
const machines: readonly (readonly [RefusalReason | null, number])[] = [
  [null, 95.2],
  ["bot", 3],
  ["datacenter", 1.8],
];

/** Why a click of a person does not count. */
const clicks: readonly (readonly [
  "good" | "fast" | "elsewhere" | "other_browser" | "no_navigation",
  number,
])[] = [
  ["good", 92],
  ["fast", 3],
  ["elsewhere", 2],
  ["other_browser", 1.5],
  ["no_navigation", 1.5],
];

/** Devices as their numbers (device-class.ts), each with the browsers of it (browser-family.ts). */
const devices: readonly (readonly [number, number])[] = [
  [1, 56],
  [2, 7],
  [3, 37],
];
const browsers: readonly (readonly [number, number])[] = [
  [1, 58],
  [2, 8],
  [3, 9],
  [4, 2],
  [5, 20],
  [6, 3],
];

/**
 * Everything that becomes of one visit, as the service would hand it to the journal: the decision, the offers, what of them
 * was drawn, seen and followed, and what of that does not count. What counts is remembered in `past`.
 */
export function demoVisit(
  { website, surface, location, at }: DemoVisitor,
  { catalogue, past, random }: { catalogue: Catalogue; past: DemoPast; random: Random },
): JournalEntry[] {
  const day = dayNumber(at);
  const request = requestKeyOf(at, random.bytes(requestRandomBytes));
  const [device, browser] = [random.pick(devices), random.pick(browsers)];
  const test = website.development;
  const visit: Visit = { request, websiteId: website.id, ...location, surface, test, browser, device, at };
  const later = (ms: number): Visit => ({ ...visit, at: at + Math.round(ms) });
  const entries: JournalEntry[] = [];
  if (surface !== "section") {
    // A decline is told by the website's server, of which no browser is known.
    const blocked = surface === "decline" ? { ...visit, browser: null } : visit;
    entries.push({ kind: "blocked", visit: blocked, vertical: website.vertical, rates: null });
  }
  // Who leaves within the overlay's first pause is handed nothing.
  if (random.is(0.12)) return entries;

  const servedMs = random.between(400, 4000);
  const shown = choose({ website, surface, location, request, at }, { catalogue, past });
  if (shown.length === 0) return entries;
  const answer = {
    offers: shown.map(handedOut),
    mark: null,
    rates: past.rates.version,
    catalogue: catalogue.version,
  };
  entries.push({ kind: "served", visit: later(servedMs), ...answer });
  // The page was loaded again, and asked again.
  if (random.is(0.02)) entries.push({ kind: "served", visit: later(servedMs + 900), ...answer });
  // Who leaves before the overlay is drawn has been handed offers that nobody saw.
  if (random.is(0.05)) return entries;
  const drawnMs = servedMs + random.between(120, 600);
  entries.push({ kind: "drawn", visit: later(drawnMs), offers: shown.map(({ offer }) => offer.number) });

  const machine = test ? null : random.pick(machines);
  const viewer = { visitor: hashOf(random), network: hashOf(random) };
  for (const one of shown) {
    if (!random.is(demoSightRate(one, surface))) continue;
    const seen = { one, later, drawnMs, day, machine, viewer, past, random };
    entries.push(...sightOf(seen), ...clickOf(seen, demoClickRate(one, website, surface)));
  }
  return entries;
}

const choose = (
  visit: { website: Website; surface: Surface; location: Location; request: string; at: number },
  { catalogue, past }: { catalogue: Catalogue; past: DemoPast },
): Shown[] => {
  const { website, surface, location, request, at } = visit;
  const { premium, standard } = chooseOffers({
    facts: { ...location, request, surface, allowed: surface === "section" },
    website,
    catalogue,
    rates: past.rates,
    hasBudget: (offer) => past.hasBudget(offer, dayNumber(at)),
    pacedSpend: () => undefined,
    now: at,
    limit: surface === "section" ? 3 : 6,
  });
  const inPlace = (placement: RatedPlacement, offers: readonly Offer[]): Shown[] =>
    offers.map((offer, index) => ({ offer, placement, position: index + 1 }));
  return [...inPlace("premium", premium), ...inPlace("standard", standard)];
};

type Seeing = {
  one: Shown;
  later: (ms: number) => Visit;
  drawnMs: number;
  day: number;
  /** What speaks against everything of this visit. */
  machine: RefusalReason | null;
  viewer: Viewer;
  past: DemoPast;
  random: Random;
};

const sightOf = ({ one, later, drawnMs, day, machine, viewer, past, random }: Seeing): JournalEntry[] => {
  const visit = later(drawnMs + random.between(1050, 2600) + one.position * random.between(200, 900));
  const observed = machine === null ? [] : [machine];
  const sight = {
    ...{ kind: "impression" as const, visit, ...eventOf(one), observed, clientHints: null, viewer },
    isBilledByViews: billedEvent(one.offer.payoutModel) === "impression",
  };
  if (machine === null && !visit.test && past.charge(one.offer, "impression", day)) {
    past.count(one.offer, "impression", { country: visit.country, placement: one.placement });
  }
  return random.is(0.015) ? [sight, { ...sight, visit: later(drawnMs + 9000) }] : [sight];
};

const clickOf = (seeing: Seeing, rate: number): JournalEntry[] => {
  const { one, later, drawnMs, day, machine, viewer, past, random } = seeing;
  // A robot follows more links than a person.
  if (!random.is(machine === null ? rate : 0.07)) return [];
  const sort = machine === null ? random.pick(clicks) : "good";
  const ms = sort === "fast" ? random.between(250, 700) : random.between(6000, 45_000);
  const at = later(drawnMs + ms);
  const visit = sort === "other_browser" ? { ...at, browser: at.browser === 1 ? 5 : 1 } : at;
  const against: Partial<Record<typeof sort, RefusalReason>> = {
    elsewhere: "geo_mismatch",
    no_navigation: "not_navigated",
  };
  const observed = [machine ?? against[sort]].flatMap((reason) => reason ?? []);
  const event = { visit, ...eventOf(one), observed };
  const payer = {
    visitors: { today: viewer.visitor ?? hashOf(random), yesterday: hashOf(random) },
    networks: { today: hashOf(random), yesterday: hashOf(random) },
  };
  const hop = { kind: "click_hop" as const, ...event, clickId: hashOf(random), mark: null, payer, viewer };
  if (machine === null && sort === "good" && !visit.test && past.charge(one.offer, "click", day)) {
    past.count(one.offer, "click", { country: visit.country, placement: one.placement });
  }
  const followed: JournalEntry[] = random.is(0.88)
    ? [{ kind: "click_beacon", ...event, isReported: false }, hop]
    : [hop];
  // A link that is pressed twice opens twice.
  const again = { ...hop, visit: { ...visit, at: visit.at + 1400 }, clickId: hashOf(random) };
  return random.is(0.05) ? [...followed, again] : followed;
};

const eventOf = ({ offer, placement, position }: Shown) => ({
  offer: offer.number,
  vertical: offer.vertical,
  placement,
  position,
});

/** A name of the form that hashes under a day's salt have; nobody's is ever the same. */
const hashOf = (random: Random): string => Buffer.from(random.bytes(16)).toString("base64url");

import type { ExplainAnswer } from "@offers/contract/explain";
import type { OfferId } from "@offers/contract/ids";
import type { CountedType } from "@offers/contract/words";
import type { SupposedAudience } from "./audience.ts";
import type { Website } from "./catalogue.ts";
import { deviceOf } from "./device-class.ts";
import { eventIdOf, type FactType, factTypes, handedRefusal } from "./fact.ts";
import { type GeoDataSet, tellGeoSource } from "./geo-source.ts";
import { type HandedOffer, isReported } from "./handed-offers.ts";
import type { ExplainedOffer, Standing } from "./offer-choice.ts";
import type { RequestFacts } from "./request-id.ts";
import { requestTimeOf } from "./request-key.ts";
import type { RequestStory, StoryFact } from "./request-story.ts";
import { explainVisit } from "./simulation.ts";

/** Why a request was answered and counted as it was. What tells prices stands beside the publisher's part. */
export type Explanation = {
  /** What a publisher is told, but for the offers, of which there may be many. */
  told: Omit<ExplainAnswer, "offers" | "considered" | "removed">;
  /** Every offer of the catalogue, each explained as it is asked for. */
  offers: Iterable<ExplainedOffer>;
  /** In the order of `told.served`: the price of its billable event, in micro-units. */
  servedMicros: readonly number[];
  /** In the order of `told.events`: what was billed, in micro-units; null: nothing. */
  billedMicros: readonly (number | null)[];
};

/**
 * Explains a request of a website by what is stored of it, by what its requestId says where that is at hand, and by how
 * things stand now: what has changed since is told with it.
 * @param args.sealed null: the request was found by one of its events, and some of it is not kept with those.
 * @param args.dataSets those that locate visitors now.
 * @param args.visitor to whom the offers of now are explained; the device that it leaves open is that of the events, and
 * what is not kept does not matter.
 */
export function explainRequest(
  args: {
    story: RequestStory;
    sealed: RequestFacts | null;
    website: Website;
    dataSets: readonly GeoDataSet[];
    visitor: SupposedAudience;
  },
  standing: Standing,
): Explanation {
  const { story, sealed, website, dataSets, visitor } = args;
  const place = sealed ?? story.place;
  if (place === null) throw new TypeError("nothing is known of the request");
  const { country, region, surface, test } = place;
  const { request, facts } = story;
  const at = requestTimeOf(request);
  const isBlocked = facts.some(({ type }) => type === factTypes.blocked);
  const allowed = sealed?.allowed ?? (isBlocked ? false : null);
  const suppression = sealed === null ? story.suppression : sealed.suppression;
  const location = { country, region };
  const limit = standardHanded(facts);
  const visit = {
    website,
    location,
    surface,
    request,
    limit,
    visitor: { ...visitor, device: visitor.device ?? deviceOf(story.place?.device ?? 0) ?? undefined },
    suppression: suppression ?? undefined,
  };
  const { verdict, rule, choice } = explainVisit(visit, standing);
  const kept = (member: "catalogue" | "geoSource"): number | null =>
    sealed?.decidedBy?.[member] ?? facts.find((fact) => fact[member] !== null)?.[member] ?? null;
  const isDeclined = surface === "decline";
  const handed = handedOf(story);
  const events = facts.flatMap((fact) => eventsOf(fact, story.offerIds));
  return {
    told: {
      websiteKey: website.key,
      at: isoOf(at),
      surface,
      test,
      eventId: story.asked && eventIdOf(story.asked),
      decision: {
        country,
        region,
        allowed,
        suppresses: isDeclined && sealed === null && suppression === undefined ? null : Boolean(suppression),
        geo: tellGeoSource(kept("geoSource"), at, dataSets),
        catalogueVersion: kept("catalogue"),
      },
      now: {
        allowed: rule.line !== "declined" && verdict.allowed,
        reason: rule.line === "declined" || verdict.allowed ? null : verdict.reason,
        rule: { ...rule, mode: website.geoRule.mode },
        catalogueVersion: standing.catalogue.version,
        websiteChanged: story.changed?.website ?? null,
        offersChanged: story.changed?.offers ?? null,
        emptyReason: choice.emptyReason,
      },
      served: handed.map(({ told }) => told),
      events: events.map(({ told }) => told),
      moreEvents: story.hasMore,
    },
    offers: choice.offers,
    servedMicros: handed.map(({ micros }) => micros),
    billedMicros: events.map(({ micros }) => micros),
  };
}

/** An offer as a publisher is told of it: without what tells a price. */
export function toldOffer({ offer, rank, removedBy }: ExplainedOffer): ExplainAnswer["offers"][number] {
  const { id: offerId, brand, vertical, title } = offer;
  return { offerId, brand, vertical, title, rank, removedBy };
}

/**
 * Whether a publisher is told of an offer. Of one that the operator keeps from it, it is told only where the request was handed
 * the offer before.
 * @param served the ids of the offers that the request was handed.
 */
export function isTold(
  { offer, isOffered }: Pick<ExplainedOffer, "offer" | "isOffered">,
  served: ReadonlySet<OfferId | null>,
): boolean {
  return isOffered || served.has(offer.id);
}

type OfferIds = ReadonlyMap<number, OfferId>;

/** What the request was handed, each offer once: by its decision, or by the first answer that counts. */
function handedOf({ facts, offerIds }: RequestStory) {
  const handed = new Map<number, { told: ExplainAnswer["served"][number]; micros: number }>();
  const offersOf = (...types: FactType[]) =>
    facts
      .filter(({ type, reason }) => types.includes(type) && reason === null)
      .flatMap((fact) => (fact.offers ?? []).map((one) => ({ fact, one })));
  const answered = offersOf(factTypes.blocked, factTypes.served);
  const first = [
    ...answered.filter(({ one }) => !isReported(one)),
    // What a server got links of says less, since it may have shown none of it, and more than its own report.
    ...offersOf(factTypes.noted),
    ...answered.filter(({ one }) => isReported(one)),
  ];
  for (const { fact, one } of first) {
    if (handed.has(one.offer) || one.role === "repeated") continue;
    handed.set(one.offer, {
      told: {
        offerId: offerIds.get(one.offer) ?? null,
        ...placeIn(one),
        at: isoOf(fact.at),
        catalogueVersion: fact.catalogue,
        ratesVersion: fact.rates,
      },
      micros: one.priceMicros,
    });
  }
  return [...handed.values()];
}

/**
 * How many standard offers its largest answer has, which chooses as one does that may have no more; undefined: none was
 * answered, or a server only says what it showed.
 */
function standardHanded(facts: readonly StoryFact[]): number | undefined {
  const answers = facts
    .filter(({ type }) => answerTypes.has(type))
    .map(({ offers }) => (offers ?? []).filter((offer) => !isReported(offer)))
    .filter((offers) => offers.length > 0)
    .map((offers) => offers.filter(({ placement }) => placement === "standard").length);
  return answers.length === 0 ? undefined : Math.max(...answers);
}

/** A decision may have an offer with it. */
const answerTypes: ReadonlySet<StoryFact["type"]> = new Set([
  factTypes.blocked,
  factTypes.served,
  factTypes.repeatedAnswer,
]);

/** The events that a fact stands for, as `countFact` counts them: of an answer one for each of its offers. */
function eventsOf(
  fact: StoryFact,
  offerIds: OfferIds,
): { told: ExplainAnswer["events"][number]; micros: number | null }[] {
  const { reason, at, beaconAt, hopAt, overruled, mark, billedMicros } = fact;
  const common = {
    eventId: eventIdOf(fact),
    at: isoOf(at),
    overruled,
    mark,
    billed: billedMicros !== null,
    beaconAt: beaconAt === null ? null : isoOf(beaconAt),
    hopAt: hopAt === null ? null : isoOf(hopAt),
  };
  const ofOne = (type: CountedType) => {
    const { placement, position } = fact;
    const offerId = offerIds.get(fact.offer) ?? null;
    const told = { ...common, type, offerId, placement, position, counts: reason === null, reason };
    return [{ told, micros: billedMicros }];
  };
  const ofEach = (type: CountedType) =>
    (fact.offers ?? []).map((one) => {
      const own = handedRefusal(reason, one);
      const offerId = offerIds.get(one.offer) ?? null;
      return {
        told: { ...common, type, offerId, ...placeIn(one), counts: own === null, reason: own },
        micros: null,
      };
    });
  switch (fact.type) {
    case factTypes.blocked:
      return ofOne("blocked");
    case factTypes.impression:
      return ofOne("impression");
    case factTypes.click:
      return ofOne("click");
    case factTypes.served:
    case factTypes.repeatedAnswer:
      return ofEach("served");
    case factTypes.drawn:
      return ofEach("drawn");
    case factTypes.noted:
      return [];
    default:
      return fact.type satisfies never;
  }
}

function placeIn({ placement, position }: HandedOffer) {
  return { placement, position: position === 0 ? null : position };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

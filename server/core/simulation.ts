import type { Location } from "@offers/contract/location";
import type { RuleLine, Surface } from "@offers/contract/words";
import type { SupposedAudience } from "./audience.ts";
import type { Website } from "./catalogue.ts";
import { decideFor, type GeoVerdict, ruleLineFor } from "./geo-decision.ts";
import {
  type Choosing,
  chooseOffers,
  type ExplainedChoice,
  explainOffers,
  type OfferChoice,
  type Standing,
} from "./offer-choice.ts";
import type { Suppression } from "./suppression.ts";

/** What a visit would be answered with. */
export type Simulation = { verdict: GeoVerdict; choice: OfferChoice };

/** Who visits which website. */
export type SimulatedVisit = {
  website: Website;
  location: Location;
  surface: Surface;
  /** The key of the request, which decides between offers whose click rates are little known. */
  request: string;
  /** How many standard offers at the most, 0 to 20; left out: 6. */
  limit?: number | undefined;
  /** Left out: it does not matter for whom offers are. */
  visitor?: SupposedAudience | undefined;
  /** What the visitor is not shown, of a decline. */
  suppression?: Suppression | undefined;
};

/**
 * What a visitor of a website from a place would be shown as things stand: the verdict and the offers of a real visit with
 * that request's key. Records nothing.
 */
export function simulateVisit(visit: SimulatedVisit, standing: Standing): Simulation {
  const verdict = decideFor(visit.website, visit.location);
  return { verdict, choice: chooseOffers({ ...choosing(visit, verdict), ...standing }) };
}

/** Why a visit is answered as it is, as things stand. */
export type VisitExplanation = {
  verdict: GeoVerdict;
  rule: { line: RuleLine; entry: string | null };
  choice: ExplainedChoice;
};

/**
 * Why a visitor of a website from a place is shown what a visit of that request's key gets as things stand: the line of the
 * geo rule, and each offer of the catalogue with its rank or the rule that removed it. Records nothing.
 */
export function explainVisit(visit: SimulatedVisit, standing: Standing): VisitExplanation {
  const { website, location } = visit;
  const verdict = decideFor(website, location);
  return {
    verdict,
    rule: isDeclined(visit) ? { line: "declined", entry: null } : ruleLineFor(website, location),
    choice: explainOffers({ ...choosing(visit, verdict), ...standing }),
  };
}

/** A paused website is open to everybody, after a decline too. */
function isDeclined({ website, surface }: SimulatedVisit): boolean {
  return surface === "decline" && !website.paused;
}

/** What offers are chosen for: whoever declines sees no page, wherever they are. */
function choosing(visit: SimulatedVisit, verdict: GeoVerdict): Omit<Choosing, keyof Standing> {
  const { website, location, surface, request, limit, visitor, suppression } = visit;
  const allowed = isDeclined(visit) ? false : verdict.allowed;
  const facts = { ...location, surface, request, allowed, ...(suppression && { suppression }) };
  return { facts, website, limit, visitor };
}

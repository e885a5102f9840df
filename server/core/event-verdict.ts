import { type PayoutModel, type RefusalReason, refusalReasons } from "@offers/contract/words";
import { billedEvent } from "./price.ts";

/** What becomes of an event: money moves, it is counted for nothing, or it is stored as refused. */
export type EventVerdict =
  | { outcome: "charge"; micros: number }
  | { outcome: "count_only" }
  | { outcome: "refuse"; reason: RefusalReason };

/** The counted served row that an event refers to: its price in whole micro-units was fixed there. */
type Served = { priceMicros: number; payoutModel: PayoutModel };

/** The reason that is checked first among several, or null when there is none. */
export function firstRefusal(observed: Iterable<RefusalReason>): RefusalReason | null {
  const seen = new Set(observed);
  return seen.size === 0 ? null : (refusalReasons.find((reason) => seen.has(reason)) ?? null);
}

/**
 * Judges a click, beacon or hop. Only the hop of a CPC offer moves money; test traffic never does.
 * @param facts.observed reasons against it that were seen before.
 * @param facts.served null: the offer was not handed out under the request.
 * @param facts.visitorWasBilled whether a click of this visitor on this offer was billed within 24 hours.
 */
export function clickVerdict(facts: {
  observed: readonly RefusalReason[];
  source: "beacon" | "hop";
  test: boolean;
  served: Served | null;
  visitorWasBilled: boolean;
}): EventVerdict {
  const reasons: RefusalReason[] = [...facts.observed];
  if (facts.visitorWasBilled) reasons.push("duplicate");
  const bills = facts.source === "hop" && !facts.test;
  return judge(reasons, facts.served, bills ? "click" : null);
}

/** Judges an impression: a CPM offer's moves money, unless it is test traffic. `served` as for a click. */
export function impressionVerdict(facts: {
  observed: readonly RefusalReason[];
  test: boolean;
  served: Served | null;
}): EventVerdict {
  return judge(facts.observed, facts.served, facts.test ? null : "impression");
}

function judge(
  observed: readonly RefusalReason[],
  served: Served | null,
  billable: "click" | "impression" | null,
): EventVerdict {
  const reason = firstRefusal(served === null ? [...observed, "not_served"] : observed);
  if (reason !== null || served === null) return { outcome: "refuse", reason: reason ?? "not_served" };
  return billable !== null && billedEvent(served.payoutModel) === billable
    ? { outcome: "charge", micros: served.priceMicros }
    : { outcome: "count_only" };
}

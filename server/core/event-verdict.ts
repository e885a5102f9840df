import { type PayoutModel, type RefusalReason, refusalReasons } from "@offers/contract/words";
import { areOtherBrowsers } from "./browser-family.ts";
import { type BilledEvent, billedEvent } from "./price.ts";

/** What becomes of an event: money moves, it is counted for nothing, or it is stored as refused. */
export type EventVerdict =
  | { outcome: "charge"; micros: number }
  | { outcome: "count_only" }
  | { outcome: "refuse"; reason: RefusalReason };

/** The counted served row that an event refers to: its price in whole micro-units was fixed there. */
type Served = { priceMicros: number; payoutModel: PayoutModel };

/** Nobody reads an offer and follows it sooner, in milliseconds since it could be read. */
const readingMs = 800;

/** Whether a link was followed by no visitor: a program fetched it, or a page that opened nothing by it. */
export function isNobodys(observed: readonly RefusalReason[]): boolean {
  return observed.some((reason) => nobodys[reason]);
}

/**
 * Whether a reason says so. Of one that does, the visitor's own click, which comes later, is billed; of any other it is
 * the same click once more.
 */
const nobodys: Readonly<Record<RefusalReason, boolean>> = {
  expired: false,
  search_engine: true,
  bot: true,
  empty_user_agent: true,
  not_navigated: true,
  internal_address: false,
  datacenter: true,
  rate: false,
  geo_mismatch: false,
  user_agent_mismatch: false,
  fast_click: false,
  duplicate: false,
  not_served: false,
  not_permitted: false,
  paused: false,
  budget_exhausted: false,
};

/** What only the store can tell of a click: how it goes with what its request was answered. */
export type ClickSight = {
  /**
   * Milliseconds since the offer was drawn, where the page has said so, or else since it was handed out; null: it was
   * not, or when the visitor clicked is not known.
   */
  readableMs: number | null;
  /** Families of the browsers of the decision and of the click (browser-family.ts). */
  decidedIn: number | null;
  clickedIn: number | null;
};

/** The reason that is checked first among several, or null when there is none. */
export function firstRefusal(observed: Iterable<RefusalReason>): RefusalReason | null {
  const seen = new Set(observed);
  return seen.size === 0 ? null : (refusalReasons.find((reason) => seen.has(reason)) ?? null);
}

/**
 * Judges a click, beacon or hop. Only the hop of a CPC offer moves money; test traffic never does.
 * @param facts.observed reasons against it that were seen before.
 * @param facts.served null: the offer was not handed out under the request.
 * @param facts.limit what the caller was billed for lately speaks against it (billing-limits.ts).
 */
export function clickVerdict(facts: {
  observed: readonly RefusalReason[];
  sight: ClickSight;
  source: "beacon" | "hop";
  test: boolean;
  served: Served | null;
  limit: "rate" | "duplicate" | null;
}): EventVerdict {
  const { readableMs, decidedIn, clickedIn } = facts.sight;
  const reasons: RefusalReason[] = [...facts.observed];
  if (facts.limit !== null) reasons.push(facts.limit);
  if (areOtherBrowsers(decidedIn, clickedIn)) reasons.push("user_agent_mismatch");
  // Below 0 the clock was set back in between, and the time tells nothing.
  if (readableMs !== null && readableMs >= 0 && readableMs < readingMs) reasons.push("fast_click");
  const bills = facts.source === "hop" && !facts.test;
  return judge(reasons, facts.served, bills ? "click" : null);
}

/**
 * Judges an impression: a CPM offer's moves money, unless it is test traffic. `served` as for a click.
 * @param facts.isAboveLimit whether the visitor's views of the offer have been billed often enough.
 */
export function impressionVerdict(facts: {
  observed: readonly RefusalReason[];
  test: boolean;
  served: Served | null;
  isAboveLimit: boolean;
}): EventVerdict {
  const reasons = facts.isAboveLimit ? [...facts.observed, "rate" as const] : facts.observed;
  return judge(reasons, facts.served, facts.test ? null : "impression");
}

function judge(
  observed: readonly RefusalReason[],
  served: Served | null,
  billable: BilledEvent | null,
): EventVerdict {
  const reason = firstRefusal(served === null ? [...observed, "not_served"] : observed);
  if (reason !== null || served === null) return { outcome: "refuse", reason: reason ?? "not_served" };
  return billable !== null && billedEvent(served.payoutModel) === billable
    ? { outcome: "charge", micros: served.priceMicros }
    : { outcome: "count_only" };
}

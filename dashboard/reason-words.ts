import type { KeptAwayReason } from "@offers/contract/dash/looking";
import {
  type BlockReason,
  type EmptyReason,
  type GeoMode,
  type RefusalReason,
  type RemovalReason,
  type RuleLine,
  refusalReasons,
  type Scope,
} from "@offers/contract/words";

/** A reason's name in a few words, and what it means. */
type Words = { says: string; means: string };

/** Why an offer is not shown to a visit. */
export const removalWords: Readonly<Record<RemovalReason, Words>> = {
  visitor_allowed: {
    says: "Page shown as it is",
    means: "The visitor sees the page: no offer is asked for.",
  },
  allowlist_empty: { says: "Nothing permitted", means: "The website's allowlist names nothing." },
  paused: { says: "Paused", means: "The offer is paused." },
  no_offer_for_location: {
    says: "Not for this place",
    means: "The offer does not cover the visitor's place.",
  },
  not_offered: { says: "Not offered", means: "The operator does not offer it to this publisher." },
  not_permitted: {
    says: "Not permitted",
    means: "The website's allowlist does not permit it, or it is of the website's own brand.",
  },
  not_running: {
    says: "Not running now",
    means: "Its start, end, days or hours say that it does not run at this moment.",
  },
  not_for_visitor: { says: "For other visitors", means: "It is for other devices or languages." },
  budgets_exhausted: { says: "Budget used up", means: "What is left is less than one event costs." },
  not_its_turn: {
    says: "Not its turn",
    means: "Its budget is spread over the day, and it is handed to other visitors at this moment.",
  },
  no_offer_for_visit: {
    says: "Below the floor price",
    means:
      "It earns less than the website's floor price, as far as its click rate is known, before the publisher's share.",
  },
  suppressed: {
    says: "Withheld",
    means: "The website's server declined the visitor, and withholds this vertical.",
  },
  brand_shown: { says: "One offer a brand", means: "A better offer of its brand has a rank." },
  less_promising: {
    says: "Less promising",
    means: "Of very many offers of a place the most promising are ranked, and it is none of them.",
  },
};

/** Why no offer at all is shown. */
export const emptyWords: Readonly<Record<EmptyReason, string>> = {
  visitor_allowed: "The visitor sees the page as it is, so no offer is asked for.",
  allowlist_empty: "The website's allowlist permits nothing.",
  no_offer_for_location: "No permitted offer covers the visitor's place.",
  budgets_exhausted: "The budgets of all offers for this visit are used up for now.",
  suppressed: "What is left was withheld, since the website's server declined the visitor.",
  no_offer_for_visit: "No permitted offer is for this visitor at this moment.",
};

/** Why an event does not count: as a label, and within a sentence. What each reason means stands in the guide. */
export const refusalWords: Readonly<Record<RefusalReason, { label: string; says: string }>> = {
  expired: { label: "Came too late", says: "it came too long after its visit" },
  search_engine: { label: "A search engine", says: "a search engine's robot" },
  bot: { label: "A program, by its own name", says: "a robot" },
  empty_user_agent: { label: "A browser that says nothing of itself", says: "no browser gave its name" },
  not_navigated: {
    label: "Not followed by a person",
    says: "the link was fetched, not followed by a person",
  },
  internal_address: { label: "Your own network", says: "from the operator's own network" },
  datacenter: { label: "A data centre", says: "from a data centre" },
  rate: { label: "More than one visitor makes", says: "more clicks or views than one visitor makes" },
  geo_mismatch: { label: "From where the offer does not apply", says: "from where the offer does not apply" },
  user_agent_mismatch: {
    label: "In another browser than the visit",
    says: "from another browser than the visit",
  },
  fast_click: { label: "Faster than anybody reads", says: "faster than anybody reads" },
  duplicate: { label: "A repetition", says: "the same visitor and offer once more" },
  not_served: { label: "An offer that was not handed out", says: "the visit was not handed this offer" },
  not_permitted: {
    label: "An offer that the website does not permit",
    says: "the offer is not permitted there",
  },
  paused: { label: "An offer that is paused", says: "the offer is paused" },
  budget_exhausted: { label: "No budget left", says: "less budget was left than the price" },
};

/** The label of a reason; a code that is not known stays itself. */
export function reasonText(reason: string): string {
  const known = refusalReasons.find((one) => one === reason);
  return known === undefined ? reason : refusalWords[known].label;
}

const blockedWords: Readonly<Record<BlockReason, string>> = {
  country_not_allowed: "the country is not on the allowlist",
  region_not_allowed: "the region is not on the allowlist",
  country_blocked: "the country is on the blocklist",
  region_blocked: "the region is on the blocklist",
  location_unknown: "the place is not known",
};

/** Why a visitor is blocked, in words that go after a colon. */
export function blockedText(reason: BlockReason): string {
  return blockedWords[reason];
}

/** The line of a website's settings that decides, such as `Blocklist: FR`. */
export function ruleText({
  line,
  mode,
  entry,
}: {
  line: RuleLine;
  mode: GeoMode;
  entry: string | null;
}): string {
  const list = mode === "allowlist" ? "Allowlist" : "Blocklist";
  switch (line) {
    case "entry":
      return `${list}: ${entry ?? ""}`;
    case "mode":
      return `${list}: no entry fits`;
    case "unknown_location":
      return "Rule for unknown places";
    case "paused":
      return "The website is paused";
    case "declined":
      return "Declined by your server";
    default:
      return line satisfies never;
  }
}

/** Why a website never shows an offer. */
export const keptAwayWords: Readonly<Record<KeptAwayReason, string>> = {
  website_paused: "The website is paused.",
  allowlist_empty: "The website's allowlist names nothing.",
  own_brand: "It is of the website's own brand.",
  offer_blocked: "The website's allowlist blocks this offer.",
  brand_blocked: "The website's allowlist blocks its brand.",
  vertical_blocked: "The website's allowlist blocks its vertical.",
  not_allowed: "The website's allowlist does not name it.",
};

/** What a key, or a partner, may do, and the call that it is for. */
export const scopeWords: Readonly<Record<Scope, { says: string; path: string }>> = {
  "decision:read": { says: "Ask for decisions", path: "/v1/decision" },
  "offers:read": { says: "Read offers", path: "/v1/offers" },
  "events:write": { says: "Report events", path: "/v1/events" },
  "reports:read": { says: "Read reports and explanations", path: "/v1/reports/aggregate" },
};

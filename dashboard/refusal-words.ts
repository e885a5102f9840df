import type { RefusalReason } from "@offers/contract/words";

/** Why an event did not count, in a few words. The codes are those of the guide. */
const words: Record<RefusalReason, string> = {
  expired: "Came too late",
  search_engine: "A search engine",
  bot: "A program, by its own name",
  empty_user_agent: "A browser that says nothing of itself",
  not_navigated: "Not followed by a person",
  internal_address: "Your own network",
  datacenter: "A data centre",
  rate: "More than one visitor makes",
  geo_mismatch: "From another country than the visit",
  user_agent_mismatch: "In another browser than the visit",
  fast_click: "Faster than anybody reads",
  duplicate: "A repetition",
  not_served: "An offer that was not handed out",
  not_permitted: "An offer that the website does not permit",
  paused: "An offer that is paused",
  budget_exhausted: "No budget left",
};

/** A reason in words; a code that is not known stays itself. */
export function reasonText(reason: string): string {
  return (words as Record<string, string | undefined>)[reason] ?? reason;
}

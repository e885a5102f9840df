import type { Context } from "../context.ts";
import type { Standing } from "../core/offer-choice.ts";

/** What offers are chosen by at this moment. */
export function standingOf({ store, clock }: Context): Standing {
  const { hasBudget, pacedSpend } = store;
  return { catalogue: store.catalogue(), rates: store.rates(), hasBudget, pacedSpend, now: clock() };
}

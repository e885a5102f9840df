import { askDecision } from "../loader/ask-decision.ts";
import { decisionUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";

/** Whether the service has said that a decision is too old to have offers by. */
export function isTooOld(problem: unknown): boolean {
  return problem instanceof Response && problem.status === 410;
}

/**
 * Shows what a decision calls for; where that is too old to have offers by, once more by a decision of now, as a new view
 * of the page would. By then the visitor may be let through, or may have closed the overlay in another tab: then it stays
 * away, but for a page or a visitor who asks for it (`isAsked`).
 */
export async function withFreshDecision(
  visit: Visit,
  closing: AbortSignal,
  isAsked: () => boolean,
  show: () => Promise<void>,
): Promise<void> {
  try {
    return await show();
  } catch (problem) {
    if (!isTooOld(problem)) throw problem;
  }
  const { tag, tell } = visit;
  const { website, mode } = tag;
  const decision = await askDecision(decisionUrl(tag));
  if (closing.aborted) return;
  visit.decision = decision;
  delete visit.offers;
  const { allowed, country, region, settings } = decision;
  tell("decision", { website, mode, allowed, country, region });
  if (allowed) return;
  if (!settings.show && !isAsked()) {
    tell("withheld", { website, mode, reason: settings.hidden });
    return;
  }
  await show();
}

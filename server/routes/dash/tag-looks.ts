import type { PublisherId } from "@offers/contract/ids";
import type { Context } from "../../context.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import type { OfferFactsOf } from "./offer-facts.ts";

type JudgedTag = AnswerOf<"judgeTags">[number];

/** The list of websites and what needs attention are asked for together: one look tells both, for a second. */
const judgedForMs = 1000;
/** Publishers whose last look is remembered, at the most. */
const mostJudged = 100;

/** Prepares the look at the tags of all websites of a publisher. */
export function createTagLooks(
  context: Context,
  offerFactsOf: OfferFactsOf,
): (publisherId: PublisherId) => Promise<readonly JudgedTag[]> {
  const { desk, store, clock, embedVersion } = context;
  const looks = new Map<string, { version: number; at: number; judged: Promise<JudgedTag[]> }>();
  const look = async (publisherId: PublisherId): Promise<JudgedTag[]> => {
    const websites = store.catalogue().websitesOf(publisherId);
    const offerFacts = await offerFactsOf.ofAll(websites);
    return desk.ask("judgeTags", { publisherId, offerFacts, currentScript: embedVersion });
  };
  return (publisherId) => {
    const { version } = store.catalogue();
    const last = looks.get(publisherId);
    const at = clock();
    if (last && last.version === version && Math.abs(at - last.at) < judgedForMs) return last.judged;
    const judged = look(publisherId);
    looks.delete(publisherId);
    looks.set(publisherId, { version, at, judged });
    judged.catch(() => looks.delete(publisherId));
    const [oldest] = looks.keys();
    if (looks.size > mostJudged && oldest !== undefined) looks.delete(oldest);
    return judged;
  };
}

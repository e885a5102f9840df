import { wordsFiles } from "virtual:words-files";
import { offersUrl } from "../wire/service-urls.ts";
import type { BlockedVisit } from "../wire/visit.ts";
import { chooseLanguage } from "../words/choose-language.ts";
import { wordsOf } from "../words/words-of.ts";
import { askOffers } from "./ask-offers.ts";
import { aWhile, isViewClear } from "./clear-view.ts";
import { placeName } from "./place-name.ts";
import { readDecision } from "./read-decision.ts";
import type { Offer } from "./read-offers.ts";
import { reporter } from "./report.ts";
import { showDialog } from "./show-dialog.tsx";
import { watchOffer } from "./watch-offer.ts";

/**
 * Opens the overlay for a blocked visitor; the loader's only way in. Nothing is put into the page before
 * the offers' answer is there and makes sense, so whatever fails leaves the page as it was.
 */
export async function open(visit: BlockedVisit): Promise<void> {
  const { tag } = visit;
  const decision = readDecision(visit.decision);
  if (!decision) return;
  const page = document.documentElement;
  const chosen = tag.language || decision.language;
  const language = chooseLanguage([chosen, page.lang, navigator.language], wordsFiles);
  // Before asking: offers that were handed out and never seen would be counted as served.
  while (!isViewClear()) await aWhile();
  const url = offersUrl(tag.base, { website: tag.website, ...decision });
  const [offers, words] = await Promise.all([askOffers(url, tag.base), wordsOf(language, tag.base)]);
  if (!offers) return;
  while (!isViewClear()) await aWhile();

  const isRightToLeft = words.rtl || (!chosen && page.dir === "rtl");
  const report = reporter(visit, decision);
  const elements = showDialog({
    decision,
    offers,
    words,
    language,
    direction: isRightToLeft ? "rtl" : "ltr",
    place: placeName(language, decision.country, decision.region),
    onOfferClick: report.clicked,
    onClosed() {
      for (const end of endings) end();
    },
  });
  const endings = elements.map((element, index) =>
    watchOffer(element, (seen) => report.seen(offers[index] as Offer, seen)),
  );
}

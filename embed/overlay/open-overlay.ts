import { offersUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";
import { blockedWords } from "../words/blocked-words.ts";
import { askOffers } from "./ask-offers.ts";
import { untilViewClear } from "./clear-view.ts";
import { Panel } from "./panel.tsx";
import { placeName } from "./place-name.ts";
import { readDecision } from "./read-decision.ts";
import { reporter } from "./report.ts";
import { type Ending, showDialog } from "./show-dialog.tsx";
import { speech } from "./speech.ts";

/** The visits whose overlay stands or is about to. */
const openVisits = new Set<Visit>();

/** Opens the overlay for a blocked visitor, once at a time; settles when it has closed again. */
export async function openOverlay(visit: Visit): Promise<void> {
  if (openVisits.has(visit)) return;
  openVisits.add(visit);
  await askAndShow(visit).finally(() => openVisits.delete(visit));
}

/**
 * Nothing is put into the page before the offers' answer is there and makes sense, so whatever fails leaves
 * the page as it was.
 */
async function askAndShow(visit: Visit): Promise<void> {
  const { tag, tell } = visit;
  const { website } = tag;
  const closing = visit.closing.signal;
  const decision = readDecision(visit.decision);
  if (!decision) throw decision;
  // The view has to be clear first: offers that were handed out and never seen would be counted as served.
  if (!(await untilViewClear(closing))) return;
  const url = offersUrl(tag.base, { website, ...decision });
  const [offers, { words, language, direction }] = await Promise.all([
    askOffers(url, tag.base),
    speech(tag, decision.language),
  ]);
  if (!offers) throw offers;
  if (!(await untilViewClear(closing))) return;

  const report = reporter(visit, decision, "overlay");
  const { title, message } = blockedWords(words, decision.reason);
  const { dismissible } = decision;
  const ending = await new Promise<Ending>((resolve) => {
    const panel = {
      title: decision.title || title,
      message: decision.message || message,
      support: decision.support,
      dismissible,
      offers,
      words,
      place: placeName(language, decision.country, decision.region),
      onOfferClick: report.clicked,
    };
    const theme = String(tag.options.theme || decision.theme);
    const dialog = showDialog(
      { language, direction, theme, dismissible, closing, onClosed: resolve },
      (onClose) => Panel({ ...panel, onClose }),
    );
    report.shown(dialog.elements(), offers);
  });
  report.ended();
  tell("closed", { website, surface: "overlay", reason: ending });
}

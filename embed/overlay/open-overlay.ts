import type { Trigger } from "@offers/contract/words";
import { pageRecord } from "../loader/page-record.ts";
import { offersUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";
import { blockedWords } from "../words/blocked-words.ts";
import { askOffers } from "./ask-offers.ts";
import { hasRoomForOurs, isViewClear, untilViewClear } from "./clear-view.ts";
import { loadLogo } from "./load-logo.ts";
import { Panel } from "./panel.tsx";
import { placeName } from "./place-name.ts";
import { readDecision } from "./read-decision.ts";
import { watchReader } from "./reader.ts";
import { reporter } from "./report.ts";
import { type Ending, showDialog } from "./show-dialog.tsx";
import { speech } from "./speech.ts";
import { isTooOld, withFreshDecision } from "./with-fresh-decision.ts";

// With the page, as a lost file may bring this code twice.
const record = pageRecord(globalThis as never);
record.open ??= new Map();
const { open } = record;

/**
 * Opens the overlay for a blocked visitor, once at a time; settles when it has closed again. One that neither the
 * visitor (`click`) nor the page (`manual`) asked for waits until the reader is not interrupted by it, unless it may not
 * be dismissed: then it opens at once.
 */
export async function openOverlay(visit: Visit, trigger: Trigger, closing: AbortSignal): Promise<void> {
  // It may have been closed while this code was fetched.
  if (closing.aborted) return;
  const isAsked = trigger === "click" || trigger === "manual";
  const hurry = open.get(closing);
  if (hurry) {
    if (isAsked) hurry();
    return;
  }
  let isWanted = isAsked;
  open.set(closing, () => {
    isWanted = true;
  });
  const show = () => askAndShow(visit, trigger, closing, () => isWanted);
  await withFreshDecision(visit, closing, () => isWanted, show).finally(() => {
    open.delete(closing);
    // The next time new ones are asked for.
    delete visit.offers;
  });
}

/**
 * Nothing is put into the page before the offers' answer is there and makes sense, so whatever fails leaves
 * the page as it was.
 */
async function askAndShow(
  visit: Visit,
  trigger: Trigger,
  closing: AbortSignal,
  isWanted: () => boolean,
): Promise<void> {
  const { tag, tell } = visit;
  const { website } = tag;
  const decision = readDecision(visit.decision);
  if (!decision) throw decision;
  const { dismissible, frequency } = decision;
  const watching = new AbortController();
  const mayInterrupt = watchReader(watching.signal, trigger);
  // What lies in the page is looked for last: it makes the browser lay the page out, in the midst of the reader's scrolling.
  const mayOpen = () => (dismissible ? (isWanted() || mayInterrupt()) && isViewClear() : hasRoomForOurs());
  const url = offersUrl(tag, decision);
  const prepare = async () => {
    // Offers that are asked for before a pause would be handed out to everybody who does not wait for one.
    if (trigger === "pause" && !(await untilViewClear(closing, mayOpen))) return null;
    const asked = askOffers(url, tag.base, closing, visit.offers).catch((error: unknown) => {
      if (isTooOld(error)) throw error;
      // Ends the attempt that began with the visit, too.
      visit.closing.abort();
      visit.closing = new AbortController();
      throw error;
    });
    const [offers, spoken, logo] = await Promise.all([
      asked,
      speech(tag, decision.language),
      loadLogo(decision.logo),
    ]);
    if (closing.aborted) return null;
    if (!offers) throw offers;
    return { offers, logo, ...spoken };
  };
  const prepared = await prepare().catch((problem) => {
    watching.abort();
    throw problem;
  });
  // Between the last look and the dialog nothing can come, such as another website's that was ready in the same turn.
  while (prepared && !mayOpen()) if (!(await untilViewClear(closing, mayOpen))) break;
  watching.abort();
  if (!prepared || closing.aborted) return;

  const { offers, logo, words, language, direction, langOf } = prepared;
  const report = reporter(visit, decision, "overlay");
  const { title, message } = blockedWords(words, decision.reason, dismissible);
  const ending = await new Promise<Ending>((resolve) => {
    const panel = {
      logo,
      title: decision.title || title,
      message: decision.message || message,
      textLangs: {
        title: langOf(decision.title),
        message: langOf(decision.message),
        label: langOf,
      },
      support: decision.support,
      dismissible,
      offers,
      fallback: decision.fallback,
      words,
      language,
      wayOut: dismissible ? words.goOn : words.back,
      place: placeName(language, decision.country, decision.region),
      onOfferClick: report.clicked,
    };
    const theme = String(tag.options.theme || decision.theme);
    const dialog = showDialog(
      { language, direction, theme, look: decision.look, dismissible, closing, onClosed: resolve },
      (onClose) => Panel({ ...panel, onClose }),
    );
    report.shown(dialog.elements(), offers);
    if (dismissible && frequency === "day") report.dismissed();
  });
  report.ended();
  if (dismissible && frequency === "closed" && ending === "visitor") report.dismissed();
  tell("closed", { website, surface: "overlay", reason: ending });
}

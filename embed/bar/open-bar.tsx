import type { Trigger } from "@offers/contract/words";
import { render } from "preact";
import { askOffers } from "../overlay/ask-offers.ts";
import { isViewClear, untilViewClear } from "../overlay/clear-view.ts";
import { CloseButton } from "../overlay/close-button.tsx";
import { OfferCard } from "../overlay/offer-card.tsx";
// This import tells the build that the overlay's file is there first, and holds the code that the two share.
import { openOverlay } from "../overlay/open-overlay.ts";
import { readDecision } from "../overlay/read-decision.ts";
import type { Offers } from "../overlay/read-offers.ts";
import { watchReader } from "../overlay/reader.ts";
import { reporter } from "../overlay/report.ts";
import { adopt, hostElement, onLeft, restMs, sheets } from "../overlay/show-dialog.tsx";
import { speech } from "../overlay/speech.ts";
import { withFreshDecision } from "../overlay/with-fresh-decision.ts";
import { offersUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";
import { blockedWords } from "../words/blocked-words.ts";
import barCss from "./bar.css?inline";

/** Of each bar that stands or is about to, by what closes it: has it wait for no pause any more. */
const open = new Map<AbortSignal, () => void>();

/** Beside another bar there is no room for one, either. */
const isPageClear = () => isViewClear("*");

/**
 * Opens a bar with the best offer at the bottom of the page, once at a time; settles when it has closed again. An offer that has
 * no room there, as one with the texts that the law asks for may have none, is shown by the overlay.
 */
export async function openBar(visit: Visit, trigger: Trigger, closing: AbortSignal): Promise<void> {
  const hurry = open.get(closing);
  // It takes neither the focus nor the page away, so of the triggers only a pause has to be one.
  let isAsked = trigger === "click" || trigger === "manual";
  if (hurry) {
    if (isAsked) hurry();
    return;
  }
  open.set(closing, () => {
    isAsked = true;
  });
  const show = () => askAndShow(visit, trigger, closing, () => isAsked);
  await withFreshDecision(visit, closing, () => isAsked, show).finally(() => open.delete(closing));
}

async function askAndShow(
  visit: Visit,
  trigger: Trigger,
  closing: AbortSignal,
  isAsked: () => boolean,
): Promise<void> {
  const { tag, tell } = visit;
  const { website, options } = tag;
  const decision = readDecision(visit.decision);
  if (!decision) throw decision;
  const watching = new AbortController();
  const mayInterrupt = watchReader(watching.signal, trigger);
  // In this order, as the overlay asks: the page need not be laid out while its reader is busy.
  const mayOpen = () => (trigger !== "pause" || isAsked() || mayInterrupt()) && isPageClear();
  const isClear = await untilViewClear(closing, mayOpen).finally(() => watching.abort());
  if (!isClear) return;
  const [offers, spoken] = await Promise.all([
    // The premium one, and as few beside it as can be asked for.
    askOffers(`${offersUrl(tag, decision)}&limit=1`, tag.base, closing),
    speech(tag, decision.language),
  ]);
  if (closing.aborted) return;
  // Fails where the answer makes no sense, as the overlay does.
  const [offer] = offers as Offers;
  const report = reporter(visit, decision, "overlay");
  if (!offer) return report.shown([], []);
  // Something may have come into the page meanwhile; between this look and the bar nothing can.
  while (!isPageClear()) if (!(await untilViewClear(closing, isPageClear))) return;

  const { words, language, direction } = spoken;
  const title = decision.title || blockedWords(words, decision.reason, true).title;
  const { host, root } = hostElement(
    // On phones a whole window is one without the browser's own bars. A style sheet of the build keeps one of the two alone.
    `${barCss}.bar{max-block-size:33vh;max-block-size:33svh}`,
    decision.look,
  );
  let giveFocusBack = () => {};
  // Of moves within the bar its host hears nothing, so this is where the focus came from.
  host.addEventListener("focusin", ({ relatedTarget: from }) => {
    // From nowhere it comes when the visitor returns to this window.
    if (from instanceof HTMLElement) giveFocusBack = () => from.focus({ preventScroll: true });
  });
  // What the keyboard comes to in the page is scrolled to above the bar, which is no higher, as far as the page can be scrolled.
  const release = adopt(sheets("html{scroll-padding-block-end:33vh;scroll-padding-block-end:33svh}"));
  const reason = await new Promise<string>((close) => {
    const byVisitor = () => close("visitor");
    const byPage = () => close("page");
    // The next bar that it closes takes the place of this one.
    closing.onabort = byPage;
    const openedAtMs = performance.now();
    const waitForRest = (event: Event) => {
      if (performance.now() - openedAtMs > restMs) return;
      event.preventDefault();
      event.stopPropagation();
    };
    render(
      <section
        class="bar"
        aria-label={title}
        lang={language}
        dir={direction}
        data-theme={(options.theme || decision.theme) as string}
        onClickCapture={waitForRest}
        onAuxClickCapture={waitForRest}
        onKeyDown={({ key }) => key === "Escape" && byVisitor()}
      >
        <div>
          <CloseButton label={words.close} onClose={byVisitor} />
          <h2>
            <bdi lang={spoken.langOf(decision.title)}>{title}</bdi>
          </h2>
          <span class="label" dir="auto">
            {words.sponsored}
          </span>
          {/* biome-ignore lint/a11y/noRedundantRoles: WebKit takes a list without bullets for none. */}
          <ul role="list">
            <OfferCard
              offer={offer}
              words={words}
              language={language}
              level="h3"
              isPrimary
              onClick={() => report.clicked(offer)}
            />
          </ul>
          <p class="fine" dir="auto">
            {words.commission}
          </p>
        </div>
      </section>,
      root,
    );
    document.body.append(host);
    // Nobody is to press what an offer leads to while what it must say beside that is out of sight.
    const list = root.querySelector("ul") as HTMLElement;
    if (list.offsetTop + list.offsetHeight > (list.offsetParent as Element).clientHeight) return close("");
    onLeft(host, byPage);
    report.shown([...root.querySelectorAll("article")], [offer]);
    if (decision.frequency === "day") report.dismissed();
  });
  report.ended();
  if (decision.frequency === "closed" && reason === "visitor") report.dismissed();
  release();
  const hasFocus = root.activeElement;
  render(null, root);
  host.remove();
  if (!reason) {
    // From here on a press hurries the overlay.
    open.delete(closing);
    return openOverlay(visit, isAsked() ? "manual" : trigger, closing);
  }
  if (hasFocus) giveFocusBack();
  tell("closed", { website, surface: "overlay", reason });
}

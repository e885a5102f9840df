import { barFile } from "virtual:built-files";
import type { DecisionAnswer } from "@offers/contract/decision";
import type { Trigger } from "@offers/contract/words";
import type { openBar } from "../bar/open-bar.tsx";
import type { Loader } from "../wire/loader-and-commands.ts";
import type { Visit } from "../wire/visit.ts";
import { chunkFrom } from "./chunk-from.ts";
import { isPageRuledIn } from "./page-rules.ts";
import { chooseTrigger, isOpener, onTrigger } from "./trigger.ts";

/**
 * Opens overlays when their trigger fires or when the page says `open`, whichever comes first, and again with each press of
 * what a tag names as their opener. `visits` are those of the page view.
 */
export function overlayOpener(loader: Pick<Loader, "openOverlay" | "load">, visits: readonly Visit[]) {
  const barChunk = chunkFrom<{ openBar: typeof openBar }>(loader, barFile);
  /** How to open each overlay that waits for its trigger without waiting any longer. */
  const waiting = new Map<Visit, () => void>();
  /** The page may say `open` before the decision is there. */
  let isWanted = false;
  /** The visit of each website for which that has been done. */
  const opened = new Map<string, Visit>();

  async function openInPlace(visit: Visit, trigger: Trigger, closing: AbortSignal): Promise<void> {
    const { tag, decision } = visit;
    // What may not be dismissed is no bar beside which the page goes on.
    const isBar = (tag.options.placement || decision?.settings.placement) === "bottom" && !isFirm(decision);
    if (!isBar) return loader.openOverlay(visit, trigger, closing);
    await (await barChunk(tag.base)).openBar(visit, trigger, closing);
  }

  /** Opens a blocked visitor's overlay without waiting any longer, or once more. */
  function openAtOnce(visit: Visit): void {
    const { tag, decision, tell } = visit;
    if (decision?.allowed !== false) return;
    opened.set(tag.website, visit);
    const open = waiting.get(visit);
    if (open) open();
    else
      openInPlace(visit, "manual", visit.closing.signal).catch((problem) =>
        tell("error", { website: tag.website, mode: tag.mode, problem }),
      );
  }

  /** Visits whose opener the page's visitor may press as often as they like (decisions.md#opened-by-its-opener). */
  const pressable = new WeakSet<Visit>();
  function press(event: Event): void {
    for (const visit of visits) {
      // What the page has closed stays so until it says `open`.
      const isOver = visit.closing.signal.aborted;
      if (!isOver && pressable.has(visit) && isOpener(event.composedPath(), visit.tag.options.opener))
        openAtOnce(visit);
    }
  }

  /** Visits of which it was told that they are not shown by themselves. */
  const told = new WeakSet<Visit>();
  function tellHidden(visit: Visit, { settings }: DecisionAnswer): void {
    if (told.has(visit)) return;
    told.add(visit);
    const { website, mode } = visit.tag;
    visit.tell("withheld", { website, mode, reason: settings.hidden });
  }

  return {
    /** Tells of what the loader, which had no word for it, has left closed before there were commands. */
    tellLeftClosed(): void {
      for (const visit of visits) {
        const { tag, decision } = visit;
        if (
          tag.mode === "overlay" &&
          decision?.allowed === false &&
          !decision.settings.show &&
          !decision.settings.pages
        )
          tellHidden(visit, decision);
      }
    },

    /** Settles when the overlay has closed again, or when the visit was closed before it could open. */
    openOnTrigger(visit: Visit, decision: DecisionAnswer, closing: AbortSignal): Promise<void> {
      const { options, website, mode } = visit.tag;
      const { settings } = decision;
      return new Promise((resolve) => {
        // It may have been closed while this code was fetched.
        if (closing.aborted) return resolve();
        const stop = new AbortController();
        const named = isFirm(decision) ? "immediate" : chooseTrigger(options.trigger, settings.trigger);
        const open = (trigger: Trigger) => {
          stop.abort();
          waiting.delete(visit);
          resolve(openInPlace(visit, trigger, closing));
        };
        closing.addEventListener("abort", () => {
          stop.abort();
          waiting.delete(visit);
          resolve();
        });
        const isRuledIn = isPageRuledIn(settings.pages, location.pathname);
        const hasOpener = named === "click" && options.opener;
        if (isRuledIn && hasOpener) {
          pressable.add(visit);
          // Heard before the page, which may keep its presses to itself. A listener that is there already is not added again.
          addEventListener("click", press, true);
        }
        if (isWanted && (opened.get(website) ?? visit) === visit) {
          opened.set(website, visit);
          return open("manual");
        }
        if (!isRuledIn) {
          visit.tell("withheld", { website, mode, reason: "page_rules", path: location.pathname });
          return resolve();
        }
        waiting.set(visit, () => open("manual"));
        if (!settings.show) return tellHidden(visit, decision);
        if (!hasOpener) onTrigger(named, stop.signal, () => open(named));
      });
    },

    /** Opens overlays that wait for their trigger or were closed; a visitor who was let through gets none. */
    openNow(): void {
      isWanted = true;
      opened.clear();
      for (const visit of visits) {
        if (visit.tag.mode !== "overlay") continue;
        // What was closed is over; this is another one, which the decision may still have to come for.
        if (visit.closing.signal.aborted) visit.closing = new AbortController();
        openAtOnce(visit);
      }
    },

    /** Forgets that the page has said `open`. */
    forget(): void {
      isWanted = false;
    },
  };
}

const isFirm = (decision: DecisionAnswer | null): boolean => decision?.blocked?.dismissible === false;

import type { DecisionAnswer } from "@offers/contract/decision";
import type { Loader } from "../wire/loader-and-commands.ts";
import type { Visit } from "../wire/visit.ts";
import { chooseTrigger, onTrigger } from "./trigger.ts";

/** Opens overlays when their trigger fires or when the page says `open`, whichever comes first. */
export function overlayOpener({ openOverlay }: Pick<Loader, "openOverlay">) {
  /** How to open each overlay that waits for its trigger without waiting any longer. */
  const waiting = new Map<Visit, () => void>();
  /** The page may say `open` before the decision is there. */
  let isWanted = false;

  return {
    /** Settles when the overlay has closed again, or when the visit was closed before it could open. */
    openOnTrigger(visit: Visit, { settings }: DecisionAnswer): Promise<void> {
      const { options } = visit.tag;
      return new Promise((resolve) => {
        const stop = new AbortController();
        const named = chooseTrigger(options.trigger, settings.trigger);
        const open = (isAsked: boolean) => {
          stop.abort();
          waiting.delete(visit);
          resolve(openOverlay(visit, isAsked));
        };
        visit.closing.signal.addEventListener("abort", () => {
          stop.abort();
          resolve();
        });
        if (isWanted) return open(true);
        waiting.set(visit, () => open(true));
        if (settings.show === false) return;
        onTrigger(named, options.opener, stop.signal, () => open(named === "click"));
      });
    },

    /** Opens overlays that wait for their trigger or were closed; a visitor who was let through gets none. */
    openNow(visits: readonly Visit[]): void {
      isWanted = true;
      for (const visit of visits) {
        const { tag, decision, tell } = visit;
        if (tag.mode !== "overlay" || decision?.allowed !== false) continue;
        const open = waiting.get(visit);
        if (open) open();
        else openOverlay(visit, true).catch(() => tell("error", { website: tag.website, mode: tag.mode }));
      }
    },

    /** Forgets the overlays that wait, and that the page has said `open`. */
    forget(): void {
      waiting.clear();
      isWanted = false;
    },
  };
}

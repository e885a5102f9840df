import type { Loader } from "../loader/embed.ts";
import type { Visit } from "../wire/visit.ts";
import { chooseTrigger, onTrigger } from "./trigger.ts";

/** Opens overlays when their trigger fires or when the page says so, whichever comes first. */
export function overlayOpener(loader: Pick<Loader, "openOverlay">) {
  const waiting = new Map<Visit, () => void>();
  /** The page may say so before the decision is there. */
  let isWanted = false;

  /** Settles when the overlay has closed again, or was never to open. */
  function show(visit: Visit): Promise<void> {
    const { trigger, options } = visit.tag;
    const { settings } = Object(visit.decision) as { settings?: { trigger?: unknown } };
    const { signal } = visit.closing;
    return new Promise((resolve) => {
      const open = () => {
        waiting.delete(visit);
        resolve(loader.openOverlay(visit));
      };
      signal.addEventListener("abort", () => resolve());
      if (isWanted) return open();
      const stop = new AbortController();
      signal.addEventListener("abort", () => stop.abort());
      waiting.set(visit, () => {
        stop.abort();
        open();
      });
      onTrigger(chooseTrigger(trigger, settings?.trigger), options.opener, stop.signal, open);
    });
  }

  const failed = ({ tag, tell }: Visit) => tell("error", { website: tag.website, mode: tag.mode });

  return {
    show,
    /** Forgets what waits, and the page's wish. */
    forget(): void {
      waiting.clear();
      isWanted = false;
    },
    /** Opens what was kept back, or was closed; a visitor who was let through is shown nothing. */
    open(visits: readonly Visit[]): void {
      isWanted = true;
      for (const visit of visits) {
        const { allowed } = Object(visit.decision) as { allowed?: unknown };
        if (visit.tag.mode !== "overlay" || allowed !== false) continue;
        const kept = waiting.get(visit);
        if (kept) kept();
        else if (!visit.isOpen) loader.openOverlay(visit).catch(() => failed(visit));
      }
    },
  };
}

import type { Frequency, HiddenReason, Surface } from "@offers/contract/words";
import { isLoopbackHost } from "./loopback-host.ts";

/**
 * How many visitors of a day are remembered as having closed the overlay, over all websites: some 25 MB in memory. When
 * more come, the oldest are shown it again.
 */
export const dismissalsKept = 250_000;

/** Whether the overlay of a visitor who is blocked is to open by itself. */
export type Showing = { show: true } | { show: false; hidden: HiddenReason };

const shown: Showing = { show: true };

/**
 * Decides whether the overlay opens by itself; the verdict on the visitor is another matter, and stays what it is.
 * @param args.hasDismissed whether this visitor closed it, or was shown it where that is enough, on this day.
 * @param args.origin the page's, in its canonical form.
 */
export function showingFor(args: {
  frequency: Frequency;
  hasDismissed: boolean;
  surface: Surface;
  website: { development: boolean; settings: { dismissible: boolean } };
  origin: string;
}): Showing {
  const { frequency, hasDismissed, surface, website, origin } = args;
  if (!hasDismissed || frequency === "page" || surface !== "overlay") return shown;
  // Whoever must not serve a place says so on every page; and who builds a page wants to see it each time.
  if (!website.settings.dismissible || website.development || isOnLoopback(origin)) return shown;
  return { show: false, hidden: frequency === "day" ? "shown_today" : "closed_today" };
}

const isOnLoopback = (origin: string): boolean => isLoopbackHost(URL.parse(origin)?.hostname ?? "");

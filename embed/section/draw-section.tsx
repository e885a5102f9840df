import { render } from "preact";
// This import tells the build that the overlay's file is there first, and holds the code that the two share.
import "../overlay/open-overlay.ts";
import { askOffers } from "../overlay/ask-offers.ts";
import baseCss from "../overlay/base.css?inline";
import { readGranted } from "../overlay/read-decision.ts";
import type { Offers } from "../overlay/read-offers.ts";
import { reporter } from "../overlay/report.ts";
import { sheets } from "../overlay/show-dialog.tsx";
import { speech } from "../overlay/speech.ts";
import { offersUrl } from "../wire/service-urls.ts";
import type { Visit } from "../wire/visit.ts";
import placeCss from "./place.css?inline";
import { type Place, placeAttribute, untilSeen } from "./reserve-place.ts";
import { Section } from "./section.tsx";

/** Draws offers in the place that is kept free for them; settles when they are gone, or when there are none. */
export async function drawSection(visit: Visit, place: Place, closing: AbortSignal): Promise<void> {
  // It may have been closed while this code was fetched.
  if (closing.aborted) return;
  const { tag, tell } = visit;
  const { website } = tag;
  const closed = new Promise((resolve) => closing.addEventListener("abort", resolve, { once: true }));
  const granted = readGranted(visit.decision);
  if (!granted) throw granted;
  // So many standard ones, beside the premium one.
  const url = `${offersUrl(tag, granted)}&limit=${Math.max(1, place.limit - 1)}`;
  const [answer, spoken] = await Promise.all([
    askOffers(url, tag.base, closing),
    speech(tag, granted.language),
  ]);
  // In a place that is not displayed all of them would fit.
  await untilSeen(place, closing);
  if (closing.aborted) return;
  if (!answer) throw answer;
  const offers = answer.slice(0, place.limit);
  const report = reporter(visit, granted, "section");
  if (offers.length === 0) return report.shown([], offers);

  const { host, root } = place;
  root.adoptedStyleSheets = [
    ...sheets(baseCss, placeCss),
    ...root.adoptedStyleSheets,
    ...sheets(granted.look),
  ];
  const theme = String(tag.options.theme || pageTheme(granted.theme, host));
  const places = Array.from(document.querySelectorAll(`[${placeAttribute}]`));
  const draw = (some: Offers, isDense: boolean) =>
    render(
      <Section
        {...spoken}
        offers={some}
        isDense={isDense}
        theme={theme}
        number={places.indexOf(host) + 1}
        onOfferClick={report.clicked}
      />,
      root,
    );
  // Not the host's own height: a row of the page may stretch it.
  const isTooHigh = () => (root.querySelector("section")?.offsetHeight ?? 0) > place.heightPx;
  const drawn = fitting(offers, draw, isTooHigh);
  report.shown(Array.from(root.querySelectorAll("article")), drawn);
  await closed;
  report.ended();
  render(null, root);
  host.remove();
  tell("closed", { website, surface: "section", reason: "page" });
}

/**
 * Draws as many offers as fit whole, and returns them. Where not even one does, the first is drawn dense. All of it
 * happens before the browser paints.
 */
export function fitting(
  offers: Offers,
  draw: (some: Offers, isDense: boolean) => void,
  isTooHigh: () => boolean,
): Offers {
  for (let count = offers.length; count > 0; count--) {
    const some = offers.slice(0, count);
    draw(some, false);
    if (!isTooHigh()) return some;
  }
  const first = offers.slice(0, 1);
  draw(first, true);
  return first;
}

/**
 * `auto` follows the page rather than the visitor's system: a dark box in a page that has no dark colours
 * would look broken.
 */
function pageTheme(theme: string, host: Element): string {
  if (theme !== "auto") return theme;
  const { colorScheme } = getComputedStyle(host.parentElement ?? host);
  // Where no style says it, it is as the page's head says.
  const ofPage = document.querySelector<HTMLMetaElement>('meta[name="color-scheme" i]')?.content.trim();
  const schemes = colorScheme === "normal" ? (ofPage ?? "") : colorScheme;
  const isDark = schemes.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches;
  return isDark || schemes === "dark" ? "dark" : "light";
}

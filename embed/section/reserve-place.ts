import { isDrawn, pause } from "../overlay/clear-view.ts";
import type { LoaderTag } from "../wire/visit.ts";

/** Marks the element of a section in the page; its name is as plain as the overlay's. */
export const placeAttribute = "data-visit-place";

/** How many offers a section shows when the tag does not say: a row on a wide page, a few lines on a phone. */
const usualLimit = 3;

/** The narrowest place in which an offer can be read, in CSS pixels. */
const leastWidth = 240;

/** The padding and the border at both sides of a section, in CSS pixels, as in place.css. */
export const frame = 30;

/** The width from which an offer's link stands beside its text, in CSS pixels; offers.css has it without the frame. */
export const wideFrom = 550;

/** The place of a section: an element with an open root, which has its full height from the start. */
export type Place = { host: HTMLElement; root: ShadowRoot; heightPx: number; limit: number };

/** Why a section has no place, in the words of its `error` event. */
export type NoPlace = { reason: "no_container" } | { reason: "too_narrow"; widthPx: number; leastPx: number };

/** The number that an option names, when it lies within the bounds; else the usual one. */
export function numberWithin(value: unknown, least: number, most: number, usual: number): number {
  const number = Math.round(Number.parseFloat(String(value)));
  return number >= least && number <= most ? number : usual;
}

/**
 * The height to keep free, in CSS pixels: the one that the tag names, else the room that the container keeps free, else
 * the usual height of so many offers at such a width.
 */
export function heightToReserve(
  height: unknown,
  place: { widthPx: number; roomPx: number },
  limit: number,
): number {
  const { widthPx } = place;
  // Measured: the head, and for each offer what does not depend on the width and its lines of text, which do.
  const usual =
    widthPx >= wideFrom ? 140 + limit * (130 + 33_000 / widthPx) : 180 + limit * (140 + 38_000 / widthPx);
  return numberWithin(height, 80, 2000, place.roomPx >= 120 ? Math.floor(place.roomPx) : Math.round(usual));
}

/**
 * Puts the section's element into its container, or after the tag, and keeps its height free at once, so that
 * nothing moves when the offers come. A place that is not displayed is waited for: it has no width yet.
 * Returns the reason when there is no such container, or too little room in it; then nothing is left in the page.
 * `onHost` is told the element once it is in the page.
 */
export async function reservePlace(
  { options }: LoaderTag,
  script: Element | null,
  onHost: (host: Element) => void,
): Promise<Place | NoPlace> {
  let container = containerOf(options.container);
  if (options.container && !container && document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
    container = containerOf(options.container);
  }
  const neighbour = options.container ? null : script;
  const around = container ?? neighbour?.parentElement;
  if (!around || around === document.head) return { reason: "no_container" };
  await untilStyled();
  const host = document.createElement("div");
  host.setAttribute(placeAttribute, "");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const keepFree = (heightPx: number) => sheet.replaceSync(placeStyle(heightPx));
  root.adoptedStyleSheets = [sheet];
  keepFree(0);
  if (neighbour) neighbour.after(host);
  else container?.append(host);
  onHost(host);
  await untilDisplayed(host);
  const widthPx = host.clientWidth;
  if (widthPx < leastWidth) {
    host.remove();
    return { reason: "too_narrow", widthPx, leastPx: leastWidth };
  }
  const heightBefore = around.clientHeight;
  keepFree(tall);
  // What is no block has neither height, and no room of its own.
  const hasRoom = container && around.scrollHeight >= tall;
  const roomPx = hasRoom ? tall - (around.scrollHeight - heightBefore) : 0;
  const limit = numberWithin(options.limit, 1, 7, usualLimit);
  const heightPx = heightToReserve(options.height, { widthPx, roomPx }, limit);
  keepFree(heightPx);
  return { host, root, heightPx, limit };
}

/** Taller than any place, in CSS pixels: what it lets the container grow by shows how much it keeps free. */
const tall = 9999;

/**
 * The style of a section's element, which takes the width that there is in whatever its parent is, and next to others
 * in a row what they leave. Its width may depend on its content (in a row, a column that centres, a float), and offers
 * would fit into any: so it begins with a line of two letters, invisible and without height, which would like to be as
 * wide as the window and can be broken. It is as invisible, and as little to be pressed, as what it stands in.
 */
function placeStyle(heightPx: number): string {
  const host = `all:initial;display:block;box-sizing:border-box;contain:layout;flex:0 9999 auto;grid-column:1/-1;visibility:inherit;pointer-events:inherit;min-block-size:${heightPx}px`;
  const strut =
    'all:initial;content:". .";display:block;block-size:0;overflow:hidden;visibility:hidden;font-size:1px;word-spacing:100vw';
  const firm = (declarations: string) => declarations.replaceAll(/;|$/g, "!important;");
  return `:host{${firm(host)}--room:${heightPx}px}:host::before{${firm(strut)}}`;
}

/** Resolves once the element has a box, in the same turn when it has one, or with the end of `until`. */
async function untilDisplayed(host: Element, until?: AbortSignal): Promise<void> {
  if (until?.aborted || host.getClientRects().length > 0) return;
  await new Promise<void>((resolve) => {
    const observer = new ResizeObserver(() => host.getClientRects().length > 0 && end());
    const end = () => {
      observer.disconnect();
      resolve();
    };
    observer.observe(host);
    until?.addEventListener("abort", end);
  });
}

/**
 * Resolves once the place can be seen, or `until` is aborted. One that has left the page is not seen before it is back; in a
 * panel that is closed by its opacity it has its height all the while, and nothing tells of such a panel when it opens.
 */
export async function untilSeen({ host }: Pick<Place, "host">, until: AbortSignal): Promise<void> {
  for (;;) {
    await untilDisplayed(host, until);
    if (until.aborted || isDrawn(host)) return;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * An async script may run before the page's style sheets are there, when nothing in the page has its size yet. A
 * style sheet that never comes is waited for until the page has loaded.
 */
async function untilStyled(): Promise<void> {
  if (document.readyState === "complete") return;
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel~="stylesheet"]');
  const pending = Array.from(links).filter(({ sheet }) => !sheet);
  const settled = pending.map(
    (link) =>
      new Promise((resolve) => {
        link.addEventListener("load", resolve, { once: true });
        link.addEventListener("error", resolve, { once: true });
        addEventListener("load", resolve, { once: true });
      }),
  );
  await Promise.all(settled);
}

export function containerOf(selector: unknown): Element | null {
  try {
    return selector ? document.querySelector(String(selector)) : null;
  } catch {
    return null;
  }
}

/**
 * Takes a section's element out of the page. To take it away above or amid the text that the visitor reads would move
 * that text, so it stays, empty, until it lies below the window. When the page asked for it (`isRequested`), it goes
 * at once.
 */
export function releasePlace({ host, root }: Place, isRequested: boolean): void {
  if (isRequested) {
    host.remove();
    return;
  }
  root.replaceChildren();
  if (!host.isConnected) return;
  new IntersectionObserver((_entries, observer) => {
    if (host.getBoundingClientRect().top < innerHeight) return;
    observer.disconnect();
    host.remove();
  }).observe(host);
}

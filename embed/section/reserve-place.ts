import type { LoaderTag } from "../wire/visit.ts";

/** Marks the element of a section in the page; its name is as plain as the overlay's. */
export const placeAttribute = "data-visit-place";

/** How many offers a section shows when the tag does not say: a row on a wide page, a few lines on a phone. */
const usualLimit = 3;

/** The width from which a section's offers stand side by side, in CSS pixels; place.css has the same number. */
const wideFrom = 640;

/** The place of a section: an element with an open root, which has its full height from the start. */
export type Place = { host: HTMLElement; root: ShadowRoot; heightPx: number; limit: number };

/** The number that an option names, when it lies within the bounds; else the usual one. */
export function numberWithin(value: unknown, least: number, most: number, usual: number): number {
  const number = Math.round(Number.parseFloat(String(value)));
  return number >= least && number <= most ? number : usual;
}

/**
 * The height to keep free, in CSS pixels: the one that the tag names, else the container's own, else the usual height
 * of so many offers at such a width.
 */
export function heightToReserve(
  height: unknown,
  container: { widthPx: number; heightPx: number },
  limit: number,
): number {
  const usual = container.widthPx >= wideFrom ? 140 + limit * 112 : 160 + limit * 206;
  const measured = container.heightPx >= 120 ? Math.floor(container.heightPx) : usual;
  return numberWithin(height, 80, 2000, measured);
}

/**
 * Puts the section's element into its container, or after the tag, and keeps its height free at once, so that
 * nothing moves when the offers come. Null when there is no such container.
 */
export async function reservePlace({ options }: LoaderTag, script: Element | null): Promise<Place | null> {
  let container = containerOf(options.container);
  if (options.container && !container && document.readyState === "loading") {
    await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
    container = containerOf(options.container);
  }
  const neighbour = options.container ? null : script;
  const around = container ?? neighbour?.parentElement;
  if (!around || around === document.head) return null;
  if (container) await untilStyled();
  const limit = numberWithin(options.limit, 1, 7, usualLimit);
  const heightPx = heightToReserve(
    options.height,
    { widthPx: around.clientWidth, heightPx: container ? innerHeightOf(container) : 0 },
    limit,
  );
  const host = document.createElement("div");
  host.setAttribute(placeAttribute, "");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:host{all:initial!important;display:block!important;box-sizing:border-box!important;min-block-size:${heightPx}px!important;--room:${heightPx}px}`,
  );
  root.adoptedStyleSheets = [sheet];
  if (neighbour) neighbour.after(host);
  else container?.append(host);
  return { host, root, heightPx, limit };
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

/** The container's height without its padding, in CSS pixels. */
function innerHeightOf(container: Element): number {
  const { paddingTop, paddingBottom } = getComputedStyle(container);
  return container.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
}

function containerOf(selector: unknown): Element | null {
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

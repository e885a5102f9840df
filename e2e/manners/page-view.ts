import type { Watch } from "./watch-page.ts";

/** The state of a page at one moment, as far as the tests judge it. */
export type PageView = {
  /** How many elements of ours are in the page. */
  hosts: number;
  dialog: DialogView | null;
  /** How many offers in sections of the page can be seen and clicked. */
  placed: number;
  /** Id of the element that has the focus in the page. */
  focused: string;
  markup: string;
  /** Names of stored values, each with its store, such as `local theme`. */
  stored: string[];
  /** Names that the window has gained since before any script ran. */
  newNames: string[];
  isolated: boolean;
  watch: Omit<Watch, "fetch" | "names">;
};

type DialogView = {
  isModal: boolean;
  /** The whole of it is within the window. */
  fits: boolean;
  widthPx: number;
  heightPx: number;
  /** The dialog itself lies at its middle, above whatever the page has put there. */
  isOnTop: boolean;
  hasFocus: boolean;
  offers: number;
  /** Background of the panel, as computed. */
  ground: string;
  fontPx: number;
  direction: string;
  language: string;
  /** Name of the panel's animation, `none` where it does not move. */
  animation: string;
  text: string;
};

/** Runs in the page, so it can use nothing else of this file. */
export async function viewPage(watchName: string): Promise<PageView> {
  const { fetch: _, names, ...watch } = Reflect.get(window, Symbol.for(watchName)) as Watch;
  const hosts = document.querySelectorAll("[data-visit-panel], [data-visit-place]");
  const host = document.querySelector("[data-visit-panel]");
  const root = host?.shadowRoot ?? null;
  const dialog = root?.querySelector("dialog") ?? null;

  const viewDialog = async (): Promise<DialogView | null> => {
    if (root === null || dialog === null || !dialog.open) return null;
    const moving = dialog.getAnimations({ subtree: true });
    await Promise.all(moving.map(({ finished }) => finished.catch(() => null)));
    const { top, left, bottom, right, width, height } = dialog.getBoundingClientRect();
    const panel = root.querySelector("h2")?.closest(".panel") ?? dialog;
    const grounds = [panel, dialog].map((each) => getComputedStyle(each).backgroundColor);
    return {
      isModal: dialog.matches(":modal"),
      fits: top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1,
      widthPx: Math.round(width),
      heightPx: Math.round(height),
      isOnTop: document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === host,
      hasFocus: root.activeElement !== null,
      offers: root.querySelectorAll("article").length,
      ground: grounds.find((colour) => colour !== "rgba(0, 0, 0, 0)") ?? "none",
      fontPx: Number.parseFloat(getComputedStyle(root.querySelector("h2") ?? dialog).fontSize),
      direction: getComputedStyle(dialog).direction,
      language: dialog.lang,
      animation: getComputedStyle(panel).animationName,
      text: dialog.textContent ?? "",
    };
  };

  const isHit = (offer: Element, place: Element): boolean => {
    offer.scrollIntoView({ block: "center", behavior: "instant" });
    const { top, left, width, height } = offer.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === place && width > 100;
  };
  const places = Array.from(document.querySelectorAll("[data-visit-place]"));
  const placed = places.flatMap((place) =>
    Array.from(place.shadowRoot?.querySelectorAll("article") ?? []).filter((offer) => isHit(offer, place)),
  );

  const storedNames = async (): Promise<string[]> => {
    const databases = (await indexedDB.databases?.()) ?? [];
    return [
      ...(document.cookie === "" ? [] : ["cookie"]),
      ...Object.keys(localStorage).map((key) => `local ${key}`),
      ...Object.keys(sessionStorage).map((key) => `session ${key}`),
      ...databases.map(({ name }) => `database ${name}`),
    ];
  };

  const copy = document.documentElement.cloneNode(true) as Element;
  for (const script of copy.querySelectorAll("script")) script.remove();
  return {
    hosts: hosts.length,
    dialog: await viewDialog(),
    placed: placed.length,
    focused: document.activeElement?.id ?? "",
    markup: copy.outerHTML,
    stored: await storedNames(),
    newNames: Object.getOwnPropertyNames(window).filter((name) => !names.includes(name)),
    isolated: globalThis.crossOriginIsolated,
    watch,
  };
}

/** Makes a round trip from the page to the service and back, and lets two frames pass. */
export async function passBarrier(watchName: string, url: string): Promise<null> {
  const { fetch: send } = Reflect.get(window, Symbol.for(watchName)) as Watch;
  await send(url, { mode: "no-cors" }).catch(() => null);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return null;
}

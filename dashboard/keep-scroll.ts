/** How far each address was scrolled. */
const depths = new Map<string, number>();

/**
 * Brings a page back to where it was left. The browser would do so at once, when what is fetched is not drawn yet and the
 * page is too short: here it is tried again while the page grows, until somebody moves.
 */
export function keepScroll(): void {
  history.scrollRestoration = "manual";
  let isComingBack = false;
  addEventListener(
    "scroll",
    () => {
      if (!isComingBack) depths.set(location.href, scrollY);
    },
    { passive: true },
  );
  addEventListener("popstate", () => {
    const depth = depths.get(location.href) ?? 0;
    isComingBack = true;
    const grown = new ResizeObserver(() => scrollTo(0, depth));
    grown.observe(document.body);
    const done = new AbortController();
    const end = () => {
      isComingBack = false;
      grown.disconnect();
      done.abort();
    };
    for (const moved of ["wheel", "touchstart", "keydown", "pointerdown"]) {
      addEventListener(moved, end, { signal: done.signal, passive: true });
    }
    setTimeout(end, 3000);
  });
}

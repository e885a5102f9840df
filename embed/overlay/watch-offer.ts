import { isOnTop, pause } from "./clear-view.ts";
import { isEnough, look, missingMs, unseen } from "./sight.ts";

/** How an offer was seen: the largest share of its pixels, and for how many milliseconds without a break. */
export type Seen = { visibleRatio: number; visibleMs: number };

/** Tells once when the element has been seen long enough. Returns the end of the watching. */
export function watchOffer(element: Element, onSeen: (seen: Seen) => void): () => void {
  let sight = unseen;
  let ratio = 0;
  let areaPx = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const glance = () => {
    const atMs = performance.now();
    clearTimeout(timer);
    const isPageVisible = !document.hidden;
    // Of too little the observer tells when it becomes more.
    const mayCount = isPageVisible && isEnough(ratio, areaPx);
    sight = look(sight, { ratio: mayCount && isOnTop(element) ? ratio : 0, areaPx, isPageVisible, atMs });
    const missing = missingMs(sight, atMs);
    if (missing === 0) {
      stop();
      onSeen({ visibleRatio: sight.bestRatio, visibleMs: Math.round(atMs - (sight.sinceMs ?? atMs)) });
    }
    // The browser does not tell when something is laid over the element, or makes it invisible, or does so no more.
    else if (mayCount) timer = setTimeout(glance, Math.min(missing ?? pause, pause));
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { intersectionRatio, boundingClientRect } of entries) {
        ratio = intersectionRatio;
        areaPx = boundingClientRect.width * boundingClientRect.height;
        glance();
      }
    },
    { threshold: [0, 0.3, 0.5, 0.75, 1] },
  );
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", glance);
  };

  document.addEventListener("visibilitychange", glance);
  observer.observe(element);
  return stop;
}

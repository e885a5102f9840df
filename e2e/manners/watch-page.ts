import { bePatient } from "../patient-page.ts";

/** The events that a host page records about itself, in the same way in every engine. */
export type Watch = {
  /** Uncaught errors and unhandled rejections. */
  errors: string[];
  /** Texts that a script has written into the console as errors. */
  complaints: string[];
  /** The directives of the page's own policy that were violated. */
  violations: string[];
  /**
   * Every layout shift, with what moved from where to where in pixels; empty where the engine cannot tell. Left out are
   * those of a page that is painted while it is still parsed, before anything of ours stands in it.
   */
  shifts: string[];
  /** How often the page came back out of the back-forward cache. */
  returns: number;
  /** The page's markup without scripts, when it had been parsed. */
  markup: string;
  /** The window's own names before any other script ran. */
  names: string[];
  fetch: typeof fetch;
};

/** What the layout instability API reports; the types of the DOM do not know it. */
type LayoutShift = {
  value: number;
  startTime: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

/** The symbol under which the window holds it. */
export const watchName = "host-page.watch";

/** The script that each host page runs first. One that has `data-limits` on it waits as long as the embed does, and no longer. */
export function watchScript(): string {
  return `(${watchPage})(${JSON.stringify(watchName)});
if (!("limits" in document.currentScript.dataset)) (${bePatient})();`;
}

/** Runs in the page, so it can use nothing else of this file. */
const watchPage = (name: string): void => {
  const watch: Watch = {
    errors: [],
    complaints: [],
    violations: [],
    shifts: [],
    returns: 0,
    markup: "",
    names: Object.getOwnPropertyNames(window),
    fetch: window.fetch.bind(window),
  };
  Object.defineProperty(window, Symbol.for(name), { value: watch });
  addEventListener("error", ({ message }) => watch.errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => watch.errors.push(`unhandled: ${reason}`));
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    watch.violations.push(effectiveDirective);
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) watch.returns += 1;
  });
  addEventListener("DOMContentLoaded", () => {
    const copy = document.documentElement.cloneNode(true) as Element;
    for (const script of copy.querySelectorAll("script")) script.remove();
    watch.markup = copy.outerHTML;
    // WebKit gives an `autofocus` only with a frame, which a busy machine may draw after an overlay has opened.
    document.getElementById("host-button")?.focus();
  });
  const write = console.error.bind(console);
  console.error = (...words: unknown[]) => {
    watch.complaints.push(words.map(String).join(" "));
    write(...words);
  };
  if (!PerformanceObserver.supportedEntryTypes.includes("layout-shift")) return;
  const text = ({ x, y, width, height }: DOMRectReadOnly) => `${width} x ${height} at ${x}, ${y}`;
  let parsedAt = Number.POSITIVE_INFINITY;
  addEventListener("DOMContentLoaded", () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        parsedAt = performance.now();
      }),
    ),
  );
  const isOurs = () => document.querySelector("[data-visit-panel], [data-visit-place]") !== null;
  new PerformanceObserver((list) => {
    for (const { value, sources, startTime } of list.getEntries() as unknown as LayoutShift[]) {
      if (startTime < parsedAt && !isOurs()) continue;
      const moved = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.nodeName}: ${text(previousRect)} to ${text(currentRect)}`,
      );
      watch.shifts.push(`${value}: ${moved.join("; ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
};

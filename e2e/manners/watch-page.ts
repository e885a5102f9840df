/** What a host page notices by itself of what happens to it; the same in every engine. */
export type Watch = {
  /** Uncaught errors and unhandled rejections. */
  errors: string[];
  /** What somebody wrote into the console as an error. */
  complaints: string[];
  /** The page's own policy as it was violated, by directive. */
  violations: string[];
  /** Sum of all layout shifts; null where the engine cannot tell. */
  shift: number | null;
  /** How often the page came back out of the back-forward cache. */
  returns: number;
  /** The page's markup, scripts aside, as it was when it had been read. */
  markup: string;
  /** The window's own names before any other script ran. */
  names: string[];
  fetch: typeof fetch;
};

/** Where the page keeps it. */
export const watchName = "host-page.watch";

/** The script that each host page runs first. */
export function watchScript(): string {
  return `(${watchPage})(${JSON.stringify(watchName)});`;
}

/** Runs in the page: nothing from this file is within reach. */
const watchPage = (name: string): void => {
  const canTell = PerformanceObserver.supportedEntryTypes.includes("layout-shift");
  const watch: Watch = {
    errors: [],
    complaints: [],
    violations: [],
    shift: canTell ? 0 : null,
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
  });
  const write = console.error.bind(console);
  console.error = (...words: unknown[]) => {
    watch.complaints.push(words.map(String).join(" "));
    write(...words);
  };
  if (!canTell) return;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
      watch.shift = (watch.shift ?? 0) + entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
};

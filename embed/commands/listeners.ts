import type { PageRecord } from "../loader/page-record.ts";
import type { Detail, PublicEvent } from "../wire/public-events.ts";

type Callback = (detail: Detail) => unknown;

/**
 * Lets the page listen from now on, and returns what adds a listener and what takes it away. A listener first gets the events
 * that this page view has already had, so it may come later than the decision. One that is there already is not added again.
 */
export function listeners(page: PageRecord) {
  const heard = new Map<unknown, Set<unknown>>();
  const of = (event: unknown): Set<unknown> => {
    const all = heard.get(event) ?? new Set();
    heard.set(event, all);
    return all;
  };
  page.tell = (event: PublicEvent, detail: Detail) => {
    page.log.push([event, detail]);
    const all = of(event);
    // A listener that is added meanwhile has this event from the log, and one that is taken away meanwhile has it no more.
    for (const callback of [...all]) if (all.has(callback)) call(callback as Callback, detail);
  };
  return {
    listen(event: unknown, callback: unknown): void {
      const all = of(event);
      if (typeof callback !== "function" || all.has(callback)) return;
      all.add(callback);
      for (const [name, detail] of [...page.log])
        if (name === event && all.has(callback)) call(callback as Callback, detail);
    },
    unlisten(event: unknown, callback: unknown): void {
      of(event).delete(callback);
    },
  };
}

/** An error of the page's callback ends here, and a callback that changes the details changes a copy. */
function call(callback: Callback, detail: Detail): void {
  new Promise((resolve) => resolve(callback({ ...detail }))).catch(() => {});
}

import type { PageRecord } from "../loader/page-record.ts";
import type { Detail, PublicEvent } from "../wire/public-events.ts";

type Callback = (detail: Detail) => unknown;

/**
 * Lets the page listen from now on, and returns what adds a listener, what takes it away and what begins a new view of the
 * page. A listener first gets the events that this page view has already had, so it may come later than the decision. One
 * that is there already is not added again.
 */
export function listeners(page: PageRecord) {
  const heard = new Map<unknown, Set<unknown>>();
  const heardOf = (event: unknown): Set<unknown> => {
    const all = heard.get(event) ?? new Set();
    heard.set(event, all);
    return all;
  };
  /** What belongs to a view of the page that is over. */
  const over = new WeakSet<object>();
  page.tell = (event: PublicEvent, detail: Detail, of: object = page) => {
    // What has failed for a view that is over has failed for nobody. Of what goes with it those hear who listened to it.
    const isOver = over.has(of);
    if (isOver && event === "error") return;
    if (!isOver) page.log.push([event, detail]);
    const all = heardOf(event);
    // A listener that is added meanwhile has this event from the log, and one that is taken away meanwhile has it no more.
    for (const callback of [...all]) if (all.has(callback)) call(callback as Callback, detail);
  };
  return {
    listen(event: unknown, callback: unknown): void {
      const all = heardOf(event);
      if (typeof callback !== "function" || all.has(callback)) return;
      all.add(callback);
      for (const [name, detail] of [...page.log])
        if (name === event && all.has(callback)) call(callback as Callback, detail);
    },
    unlisten(event: unknown, callback: unknown): void {
      heardOf(event).delete(callback);
    },
    /** A new view of the page has had no events yet; these belong to the one before. */
    beginView(former: readonly object[]): void {
      page.log.length = 0;
      for (const one of former) over.add(one);
    },
  };
}

/** An error of the page's callback ends here, and a callback that changes the details changes a copy. */
function call(callback: Callback, detail: Detail): void {
  new Promise((resolve) => resolve(callback({ ...detail }))).catch(() => {});
}

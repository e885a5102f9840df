import type { PageRecord } from "../loader/page-record.ts";
import type { Detail, PublicEvent } from "../wire/public-events.ts";

type Callback = (detail: Detail) => unknown;

/**
 * Lets the page listen from now on. A listener first gets what has already happened on this page view, so
 * that nobody has to win a race against the decision. Returns the way to add one.
 */
export function listeners(page: PageRecord): (event: unknown, callback: unknown) => void {
  const heard: [event: unknown, callback: Callback][] = [];
  page.tell = (event: PublicEvent, detail: Detail) => {
    page.log.push([event, detail]);
    for (const [name, callback] of heard) if (name === event) call(callback, detail);
  };
  return (event, callback) => {
    if (typeof callback !== "function") return;
    heard.push([event, callback as Callback]);
    for (const [name, detail] of [...page.log]) if (name === event) call(callback as Callback, detail);
  };
}

/** Whatever a callback of the page throws or rejects with stays in here; a copy is all that it can change. */
function call(callback: Callback, detail: Detail): void {
  new Promise((resolve) => resolve(callback({ ...detail }))).catch(() => {});
}

import type { PageRecord } from "../loader/page-record.ts";
import type { Detail, PublicEvent } from "../wire/public-events.ts";

type Callback = (detail: Detail) => unknown;

/**
 * Lets the page listen from now on, and returns the function that adds a listener. A listener first gets the events
 * that this page view has already had, so it may come later than the decision.
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

/** An error of the page's callback ends here, and a callback that changes the details changes a copy. */
function call(callback: Callback, detail: Detail): void {
  new Promise((resolve) => resolve(callback({ ...detail }))).catch(() => {});
}

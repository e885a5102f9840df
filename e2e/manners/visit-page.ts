import { expect } from "@playwright/test";
import { barrierPath, type Wire, type WireRequest } from "../wire.ts";
import { ask, type Tab } from "./engine.ts";
import { type PageView, passBarrier, viewPage } from "./page-view.ts";
import { watchName } from "./watch-page.ts";

/** One page in one browser, and everything that it asks of the service. */
export type Visit = {
  tab: Tab;
  wire: Wire;
  url: string;
  /** In the order of arrival. */
  requests: () => WireRequest[];
  /** Waits until `count` requests on that path have ended with that status. */
  untilRequest: (path: string, status: WireRequest["status"], count?: number) => Promise<void>;
  /** Waits until no request is under way and none follows from the last ones. */
  settle: () => Promise<void>;
  view: () => Promise<PageView>;
  run: <T>(action: () => T) => Promise<T>;
};

/** Loads the page and records its requests from then on. */
export async function visitPage(tab: Tab, wire: Wire, url: string, addressTail: string): Promise<Visit> {
  const first = wire.requests.length;
  const requests = (): WireRequest[] => wire.requests.slice(first);
  const untilRequest: Visit["untilRequest"] = (path, status, count = 1) =>
    until(
      () => requests().filter((each) => each.path === path && each.status === status).length >= count,
      true,
      `${count} requests of ${path} that ended with ${status}`,
    );

  const settle = async (): Promise<void> => {
    // A request that sets off another does it within one round trip: three without news are the end.
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const before = wire.requests.length;
      await ask(tab, passBarrier, watchName, wire.url + barrierPath);
      const isWaiting = requests().some(({ status }) => status === null);
      if (wire.requests.length > before || isWaiting) quiet = -1;
    }
  };
  await tab.goto(url + addressTail);
  return {
    tab,
    wire,
    url,
    requests,
    untilRequest,
    settle,
    view: () => ask(tab, viewPage, watchName),
    run: (action) => ask(tab, action),
  };
}

/** Waits for the wanted value. It looks often: pages are quick, and there are many of them. */
export async function until<T>(value: () => T | Promise<T>, wanted: T, message: string): Promise<void> {
  await expect.poll(value, { message, intervals: [20, 20, 50, 50, 100], timeout: 15_000 }).toEqual(wanted);
}

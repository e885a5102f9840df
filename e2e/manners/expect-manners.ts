import { expect } from "@playwright/test";
import type { WireRequest } from "../wire.ts";
import type { HostPageCase } from "./host-page.ts";
import type { PageView } from "./page-view.ts";
import { until, type Visit } from "./visit-page.ts";

/** Messages of the browsers themselves about requests that failed or were forbidden: no page can prevent them. */
const ownWordsOfBrowsers = [
  /^Failed to load resource/,
  /blocked by CORS policy/,
  /Cross-Origin Request Blocked/,
  /Content[- ]Security[- ]Policy/,
  /violates the following/,
  /Refused to/,
  /net::ERR_/,
  /^Loading (module|failed)/,
];

/** The overlay stands: whole, on top, in its own style, with the focus, and the page behind it untouched. */
export async function expectOverlay(visit: Visit): Promise<void> {
  await until(async () => (await visit.view()).dialog?.offers ?? 0, 3, "offers in the overlay");
  const { hosts, dialog } = await visit.view();
  expect(hosts, "elements of ours in the page").toBe(1);
  expect(dialog).toMatchObject({ isModal: true, fits: true, isOnTop: true, hasFocus: true });
  expect(dialog?.widthPx, "width of the overlay").toBeGreaterThan(400);
  expect(dialog?.heightPx, "height of the overlay").toBeGreaterThan(300);
  expect(dialog?.ground, "the overlay's own style is in force").toMatch(/^(rgb|color|oklch|oklab)\b/);
  expect(dialog?.fontPx, "size of the heading").toBeGreaterThan(16);
}

/** The page itself holds that many offers, keeps its focus, and has no dialog over it. */
export async function expectSection(visit: Visit, offers: number): Promise<void> {
  await until(async () => (await visit.view()).placed, offers, "offers in the page");
  const { dialog, focused } = await visit.view();
  expect(dialog).toBeNull();
  expect(focused, "the focus is where it was").toBe("host-button");
}

/** Nothing more is to come, and the page is as its author wrote it. */
export async function expectPageAsItWas(visit: Visit, page: HostPageCase): Promise<PageView> {
  await visit.settle();
  const view = await visit.view();
  expect(view.hosts, "elements of ours in the page").toBe(0);
  if (!page.changesItself) expect(view.markup, "the page's own markup").toBe(view.watch.markup);
  expect(view.focused, "the focus is where it was").toBe(page.focused ?? "host-button");
  return view;
}

/** Checks what holds on every page, shown offers or not; `drawn` is the page while our elements stood in it. */
export function expectManners(visit: Visit, page: HostPageCase, view: PageView, drawn: PageView): void {
  const { watch } = view;
  expect(watch.errors, "uncaught errors").toEqual([]);
  expect(watch.complaints, "complaints in the console").toEqual([]);
  expect([...new Set(watch.violations)], "the page's policy").toEqual(page.violations ?? []);
  expect(drawn.watch.shifts, "layout shifts").toEqual([]);
  expect(view.stored, "what was stored").toEqual([]);
  const known = ["offerService", ...(page.globals ?? [])];
  // A window names its frames by numbers.
  const newNames = view.newNames.filter((name) => !known.includes(name) && !/^\d+$/.test(name));
  expect(newNames, "names in the window").toEqual([]);
  const unexplained = (visit.tab.faults() ?? []).filter(
    (text) => !(page.browserComplains && ownWordsOfBrowsers.some((known) => known.test(text))),
  );
  expect(unexplained, "what the browser calls an error").toEqual([]);
  expectRequests(visit.requests(), page);
}

const expectRequests = (requests: readonly WireRequest[], page: HostPageCase): void => {
  const count = (path: string) => requests.filter((request) => request.path === path).length;
  const decisions = page.decisions ?? 1;
  const isShown = page.sees !== "nothing";
  expect(count("/v1/decision"), "decisions").toBe(decisions);
  expect(count("/v1/events/snippet-ping"), "pings").toBe(page.pings ?? (isShown ? decisions : 0));
  const { length: preflights } = requests.filter(({ method }) => method === "OPTIONS");
  expect(preflights, "preflights").toBe(0);
  for (const { method, path, search, body, headers } of requests) {
    expect(headers.cookie, path).toBeUndefined();
    if (method !== "POST") continue;
    expect(search, `query of ${path}`).toBe("");
    expect(headers["content-type"], path).toMatch(/^text\/plain/);
    expect(body.length, `length of ${path}`).toBeLessThan(4096);
  }
};

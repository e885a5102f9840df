import { FiltersEngine, Request, type RequestType } from "@ghostery/adblocker";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { findFilterLists } from "./find-filter-lists.ts";
import { scriptTag } from "./host-site.ts";
import { untilAtRest } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

const lists = findFilterLists();
const engine = FiltersEngine.parse((lists ?? []).join("\n"));
test.skip(lists === null, "the filter lists are not on this machine");

/** Whether somebody with the lists would be without that request, made by a page of another site than the service's. */
const isBlocked = (type: RequestType, url: string): boolean =>
  engine.match(Request.fromRawDetails({ type, url, sourceUrl: "https://journal.example/article" })).match;

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "overlay", geo: everybodyBlocked },
      { name: "bar", geo: everybodyBlocked, settings: ["--placement", "bottom"] },
      { name: "section", geo: everybodyBlocked },
      { name: "decline", geo: { mode: "blocklist", entries: [], unknown: "allow" } },
    ],
  });
  for (const name of ["overlay", "bar", "decline"]) world.publish(`/${name}`, name);
  const section = scriptTag(world.wire.url, {
    ...world.website("section"),
    attributes: { "data-mode": "section", "data-container": "#place" },
  });
  world.host.pages.set("/section", {
    html: `<!doctype html><html lang="en"><title>Section</title><body><div id="place"></div>${section}</body></html>`,
  });
});
test.afterAll(() => world?.close());

const visits: Record<string, { act: (page: Page) => Promise<void>; paths: readonly string[] }> = {
  overlay: {
    act: async (page) => {
      await expect(page.getByRole("dialog")).toBeVisible();
      await untilAtRest(page);
      const opened = page.context().waitForEvent("page");
      await page.getByRole("article").first().getByRole("link").first().click();
      await (await opened).close();
      await page.keyboard.press("Escape");
    },
    paths: [
      "/v1/events/snippet-ping",
      "/v1/events/drawn",
      "/v1/events/impression",
      "/v1/events/click",
      "/v1/r",
      "/v1/events/dismiss",
    ],
  },
  bar: {
    act: (page) => expect(page.getByRole("article")).toHaveCount(1),
    paths: ["/v1/offers", "/v1/events/impression"],
  },
  section: {
    act: (page) => expect(page.getByRole("article").first()).toBeVisible(),
    paths: ["/v1/offers", "/v1/events/drawn"],
  },
  decline: {
    act: async (page) => {
      await page.evaluate(() => void Reflect.get(window, "offerService")("decline"));
      await expect(page.getByRole("dialog")).toBeVisible();
    },
    paths: ["/v1/widget-decline/session"],
  },
};

for (const [name, { act, paths }] of Object.entries(visits)) {
  test(`${name}: EasyList and EasyPrivacy block nothing that the page asks of the service`, async ({
    page,
  }) => {
    const made: { type: RequestType; url: string }[] = [];
    page.context().on("request", (request) => {
      const { origin, pathname, search } = new URL(request.url());
      if (origin !== world.wire.url) return;
      const type = request.isNavigationRequest() ? "main_frame" : (request.resourceType() as RequestType);
      made.push({ type, url: `https://offers.example${pathname}${search}` });
    });
    await openVisit(page, world, `/${name}`);
    await act(page);
    for (const path of paths) {
      await expect.poll(() => made.map(({ url }) => new URL(url).pathname), path).toContain(path);
    }
    expect(made.filter(({ type, url }) => isBlocked(type, url))).toEqual([]);
  });
}

// Each is what the embed could do in place of what it does.
for (const [type, url] of [
  ["ping", "https://offers.example/v1/events/click"],
  ["fetch", "https://offers.example/v1/events/impression?website=ws_journal"],
  ["script", "https://offers.example/beacon.js"],
  ["script", "https://ads.example/embed.js"],
  ["script", "https://affiliate.example/embed.js"],
  ["script", "https://affiliates.example/embed.js"],
  ["script", "https://promo.example/embed.js"],
] as const) {
  test(`they would block the ${type} ${url}`, () => {
    expect(isBlocked(type, url)).toBe(true);
  });
}

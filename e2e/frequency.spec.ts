import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { atNoon } from "../bench/machine/at-noon.ts";
import { overlayRequests, passThroughRequests } from "./expected-requests.ts";
import { articlePage, scriptTag } from "./host-site.ts";
import {
  holdTime,
  letPass,
  openBehind,
  turn,
  untilAtRestInHeldTime,
  untilOpenInHeldTime,
} from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

/** On a loopback host the overlay always opens, so these pages have a name of the internet. */
const origin = "https://journal.example";
const pageViews = 20;

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked, origins: [origin] },
      { name: "gate", geo: everybodyBlocked, origins: [origin], settings: ["--not-dismissible"] },
    ],
    // At midnight, UTC, the service forgets who has closed the overlay.
    environment: { RATE_LIMIT_FACTOR: "100", ...atNoon() },
  });
});
test.afterAll(() => world?.close());

// Each test has a visitor of its own, who is told apart by the browser.
let visitors = 0;
test.use({
  // Chromium asks its visitor before a page of the internet may speak to this machine, where the service is.
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, args: ["--disable-features=LocalNetworkAccessChecks"] });
    },
    { scope: "worker" },
  ],
  userAgent: async ({ userAgent }, use) => {
    visitors += 1;
    await use(`${userAgent} Visitor/${visitors}`);
  },
});

/** The journal answers each path with the article and that website's tag. */
async function publish(page: Page, name: string, attributes: Record<string, string> = {}): Promise<void> {
  const { html } = articlePage(scriptTag(world.wire.url, { ...world.website(name), attributes }));
  await page.route(`${origin}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
}

const open = (page: Page, view: number) =>
  openVisit(page, { wire: world.wire, host: { origin } }, `/page-${view}`);

const dismissRequest = "POST /v1/events/dismiss 204";

async function viewAndClose(page: Page, view: number) {
  const visit = await open(page, view);
  await untilOpenInHeldTime(page);
  await untilAtRestInHeldTime(page);
  await page.getByRole("button", { name: "Continue to the page" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return visit;
}

test("twenty page views of a visitor who closes the first show one overlay, and the browser keeps nothing", async ({
  page,
}) => {
  await publish(page, "closed");
  await holdTime(page);
  const first = await viewAndClose(page, 1);
  await first.expectMade([...overlayRequests, dismissRequest]);
  expect(JSON.parse(first.only("/v1/events/dismiss").body)).toEqual({
    requestId: expect.stringMatching(/^req_/),
    surface: "overlay",
    pub: world.website("closed").publicKey,
    website: world.website("closed").websiteKey,
  });
  for (let view = 2; view <= pageViews; view += 1) {
    const visit = await open(page, view);
    await visit.untilMade(passThroughRequests);
    await letPass(page, 10_000);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await visit.expectMade(passThroughRequests);
  }
  expect(await keptByBrowser(page)).toEqual({ cookies: "", local: 0, session: 0, databases: 0, caches: 0 });
  expect(await page.context().cookies()).toEqual([]);
});

test("whoever closes it is not shown it in a tab that was opened behind before that", async ({
  page,
  context,
}) => {
  const behind = await context.newPage();
  for (const tab of [page, behind]) {
    await publish(tab, "closed");
    await holdTime(tab);
  }
  await openBehind(behind);
  await open(behind, 2);
  const { requests, untilMade } = await viewAndClose(page, 1);
  await untilMade([...overlayRequests, dismissRequest]);
  const before = requests().length;
  await turn(behind, "visible");
  const since = () =>
    requests()
      .slice(before)
      .map(({ path }) => path);
  await expect.poll(since).toEqual(["/v1/decision", "/v1/events/snippet-ping"]);
  await letPass(behind, 10_000);
  expect(since()).toHaveLength(2);
  await expect(behind.getByRole("dialog")).toHaveCount(0);
});

test("`open` opens it again", async ({ page }) => {
  await publish(page, "closed");
  await holdTime(page);
  await viewAndClose(page, 1);
  const visit = await open(page, 2);
  await visit.untilMade(passThroughRequests);
  await page.evaluate(() => (Reflect.get(window, "offerService") as (command: string) => void)("open"));
  await untilOpenInHeldTime(page);
});

test("the publisher's own button opens it as often as it is pressed, also after it was closed", async ({
  page,
}) => {
  await publish(page, "closed", { "data-trigger": "click", "data-opener": "offer-button" });
  await page.addInitScript(() => {
    // A component with a root of its own, whose page keeps presses to itself.
    const define = () => {
      const host = document.createElement("offer-button");
      host.attachShadow({ mode: "open" }).innerHTML = "<button>Show offers</button>";
      document.body.append(host);
      host.addEventListener("click", (event) => event.stopPropagation());
    };
    addEventListener("DOMContentLoaded", define);
  });
  await holdTime(page);
  const press = async (made: number) => {
    await page.getByRole("button", { name: "Show offers" }).click();
    await untilOpenInHeldTime(page);
    await untilAtRestInHeldTime(page);
    await page.getByRole("button", { name: "Continue to the page" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect
      .poll(() => visit.requests().filter(({ path }) => path === "/v1/events/dismiss").length)
      .toBe(made);
  };
  let visit = await open(page, 1);
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
  await press(1);
  await press(2);
  visit = await open(page, 1);
  await visit.untilMade([...passThroughRequests]);
  await letPass(page, 10_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await press(1);
});

test("with the frequency `page` every view shows it, and closing it is told to nobody", async ({ page }) => {
  await publish(page, "closed", { "data-frequency": "page" });
  await holdTime(page);
  for (let view = 1; view <= pageViews; view += 1) {
    const visit = await viewAndClose(page, view);
    await visit.untilArrived();
    expect(visit.requests().filter(({ path }) => path === "/v1/events/dismiss")).toEqual([]);
  }
});

test("with the frequency `day` the second view shows none, though the first was not closed", async ({
  page,
}) => {
  await publish(page, "closed", { "data-frequency": "day" });
  await holdTime(page);
  const first = await open(page, 1);
  await untilOpenInHeldTime(page);
  await first.untilMade([...overlayRequests, dismissRequest]);
  const second = await open(page, 2);
  await second.untilMade(passThroughRequests);
  await letPass(page, 10_000);
  await second.expectMade(passThroughRequests);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("one that may not be dismissed stands on every view", async ({ page }) => {
  await publish(page, "gate");
  for (let view = 1; view <= pageViews; view += 1) {
    await open(page, view);
    await expect(page.getByRole("dialog")).toBeVisible();
  }
});

test("with Global Privacy Control the page view alone counts", async ({ page }) => {
  await page.setExtraHTTPHeaders({ "Sec-GPC": "1" });
  await publish(page, "closed");
  await holdTime(page);
  for (let view = 1; view <= 3; view += 1) await viewAndClose(page, view);
});

function keptByBrowser(page: Page) {
  return page.evaluate(async () => ({
    cookies: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
  }));
}

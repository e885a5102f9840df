import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { scriptTag } from "./host-site.ts";
import { tagPutIn } from "./tag-put-in.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({ websites: [{ name: "closed", geo: everybodyBlocked }] });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

test("the interface can be read without any other host, and nothing in it is against the page's own policy", async ({
  page,
}) => {
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const { service } = world;
  await page.goto(`${service.url}/docs`);
  await expect(page.getByRole("heading", { name: /Affiliate Offer Service/ })).toBeVisible();
  const report = page.getByRole("button", { name: /POST\s*\/v1\/events\s*Report what a visitor saw or did/ });
  await report.click();
  await expect(page.getByText("Makes a repetition within 24 hours the same event.")).toBeVisible();
  await expect(page.getByText("Try it out")).toHaveCount(0);
  // In the service's own letters, and in lines that can be read.
  await page.setViewportSize({ width: 1600, height: 900 });
  const texts = await page.locator("#docs :is(h2, h3, h4, .markdown > p)").evaluateAll((all) =>
    all.map((text) => {
      const { fontFamily, fontSize } = getComputedStyle(text);
      const isLong = text.matches("p") && text.clientWidth > 48 * Number.parseFloat(fontSize);
      return { family: fontFamily, isLong };
    }),
  );
  expect(texts.length).toBeGreaterThan(20);
  expect(new Set(texts.map(({ family }) => family))).toEqual(new Set(["system-ui, sans-serif"]));
  expect(texts.filter(({ isLong }) => isLong)).toEqual([]);
  await expect(page.getByRole("button", { name: /authoriz/i })).toHaveCount(0);
  expect([...hosts]).toEqual([new URL(service.url).host]);
  expect(complaints).toEqual([]);
});

/** The form of the tag that the page on it gives for slow hosts. */
const behindLoad = () => {
  const { publicKey: pub, websiteKey: website } = world.website("closed");
  return `<script>${tagPutIn({ service: world.wire.url, pub, website })}</script>`;
};
const newsPage = (tag: string) => ({
  html: `<!doctype html><title>Harbour news</title><main>It is late.</main>${tag}`,
});

test("the form of the tag that the page on it gives for slow hosts keeps no page's `load` waiting, and works", async ({
  page,
}) => {
  world.host.pages.set("/slow", newsPage(behindLoad()));
  const { promise, resolve } = Promise.withResolvers<void>();
  world.wire.tamper = ({ path }) => (path === "/embed.js" ? promise : null);
  // This resolves with the page's `load`.
  const visit = await openVisit(page, world, "/slow");
  await expect.poll(() => visit.requests().map(({ path }) => path)).toEqual(["/embed.js"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  resolve();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("that form works where it is run after the page's `load`, too", async ({ page }) => {
  world.host.pages.set("/late", newsPage(""));
  await openVisit(page, world, "/late");
  await page.evaluate((html) => {
    const late = document.createRange().createContextualFragment(html);
    document.body.append(late);
  }, behindLoad());
  await expect(page.getByRole("dialog")).toBeVisible();
});

/** The function that the page on it gives to single-page sites. */
const pageShown = () => {
  const text = readFileSync(new URL("../docs/embed.md", import.meta.url), "utf8");
  return text.match(/```js\n([^`]*function pageShown[^`]*)```/)?.[1] ?? "";
};

test("the function that the page on it gives to routers has each page decided once, whenever and how often it is called", async ({
  page,
}) => {
  const { publicKey, websiteKey } = world.website("closed");
  const tag = (attributes: Record<string, string>) =>
    scriptTag(world.wire.url, { publicKey, websiteKey, attributes });
  world.host.pages.set(
    "/single",
    newsPage(`<script>
      window.offerService = function () { return (offerService.q = offerService.q || []).push(arguments) };
      window.heard = [];
      for (const event of ["shown", "closed"]) {
        offerService("on", event, ({ surface, reason }) => heard.push([surface, event, reason].join(" ").trim()));
      }
      ${pageShown()}
      pageShown();
      addEventListener("load", pageShown);
      window.go = (address) => {
        history.pushState(null, "", address);
        document.querySelector("main").innerHTML = "It is late.<div id=offers></div>";
        pageShown();
        pageShown();
      };
    </script>${tag({ "data-trigger": "immediate" })}${tag({ "data-mode": "section", "data-container": "#offers" })}`),
  );
  const visit = await openVisit(page, world, "/single");
  const decided = () =>
    visit
      .requests()
      .filter(({ path }) => path === "/v1/events/snippet-ping")
      .map(({ body }) => JSON.parse(body))
      .map(({ surface, url }) => `${surface} ${url.replace(world.host.origin, "")}`)
      .sort();
  const heard = () => page.evaluate(() => (Reflect.get(window, "heard") as string[]).toSorted());
  const go = (address: string) => page.evaluate((to) => Reflect.get(window, "go")(to), address);
  const decisions = ["overlay /single"];
  const events = ["overlay shown"];
  await expect.poll(heard).toEqual(events);
  for (const [address, closed] of [
    ["/single/1", ["overlay closed page"]],
    ["/single/2", ["overlay closed page", "section closed page"]],
  ] as const) {
    await go(address);
    events.push(...closed, "overlay shown", "section shown");
    decisions.push(`overlay ${address}`, `section ${address}`);
    await expect.poll(heard).toEqual(events.toSorted());
  }
  // The same page, by another query and fragment.
  await go("/single/2?more#part");
  await visit.untilArrived();
  expect(decided()).toEqual(decisions.toSorted());
  expect(await heard()).toEqual(events.toSorted());
});

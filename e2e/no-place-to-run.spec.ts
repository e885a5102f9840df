import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { articlePage, scriptTag } from "./host-site.ts";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [{ name: "gate", geo: everybodyBlocked, settings: ["--not-dismissible"] }],
  });
});
test.afterAll(() => world?.close());

const tag = () => scriptTag(world.wire.url, world.website("gate"));

/** Nothing of ours stands in the page. */
const expectNothing = async (page: Page): Promise<void> => {
  await expect(page.getByRole("heading", { name: "The ferry is late again" })).toBeVisible();
  expect(await page.locator("[data-visit-panel], [data-visit-place]").count()).toBe(0);
};

test("a tag that comes by innerHTML is run by no browser", async ({ page }) => {
  const text = JSON.stringify(tag()).replaceAll("</", "<\\/");
  const script = `<script>document.querySelector("p").innerHTML += ${text}</script>`;
  world.host.pages.set("/by-text", articlePage(script));
  const visit = await openVisit(page, world, "/by-text");
  await visit.expectMade([]);
  await expectNothing(page);
});

test("a tag within a shadow root asks for nothing", async ({ page }) => {
  const component = `<div><template shadowrootmode="open">${tag()}</template></div>`;
  world.host.pages.set("/component", articlePage(component));
  const visit = await openVisit(page, world, "/component");
  await visit.expectMade(["GET /embed.js 200"]);
  await expectNothing(page);
});

test("a page that its policy puts into a sandbox without an origin is refused, and stays as it was", async ({
  page,
}) => {
  const headers = { "content-security-policy": "sandbox allow-scripts" };
  world.host.pages.set("/sandbox", articlePage(tag(), { headers }));
  const visit = await openVisit(page, world, "/sandbox");
  await visit.expectMade(["GET /embed.js 200", "GET /v1/decision 403"], [/CORS policy/, /Failed to load/]);
  expect(visit.only("/v1/decision").headers.origin).toBe("null");
  await expectNothing(page);
});

test("a page with an origin of its own in a sandbox gets its overlay", async ({ page }) => {
  const headers = { "content-security-policy": "sandbox allow-scripts allow-same-origin" };
  world.host.pages.set("/own-sandbox", articlePage(tag(), { headers }));
  await openVisit(page, world, "/own-sandbox");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a page out of a file is refused, and stays as it was", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "no-place-"));
  try {
    const file = join(folder, "page.html");
    await writeFile(file, articlePage(tag()).html);
    const first = world.wire.requests.length;
    await page.goto(pathToFileURL(file).href);
    const requests = () => world.wire.requests.slice(first).map(({ path, status }) => `${path} ${status}`);
    await expect.poll(requests).toEqual(["/embed.js 200", "/v1/decision 403"]);
    await expectNothing(page);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a browser without scripts shows the page, firm or not", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const first = world.wire.requests.length;
  world.publish("/plain", "gate");
  await page.goto(`${world.host.origin}/plain`);
  await expect(page.getByRole("button", { name: "Read on" })).toBeVisible();
  expect(world.wire.requests.length).toBe(first);
  await context.close();
});

test("a page whose script is blocked stays as it was, and what it says is kept for nobody", async ({
  page,
}) => {
  await page.addInitScript(
    `window.offerService=function(){return(offerService.q=offerService.q||[]).push(arguments)};offerService("open")`,
  );
  await page.route("**/embed.js", (route) => route.abort("blockedbyclient"));
  const visit = await openVisit(page, world, world.publish("/blocked", "gate"));
  expect(await page.evaluate(() => Reflect.get(window, "offerService")("open"))).toBe(2);
  await visit.expectMade([], [/ERR_BLOCKED_BY_CLIENT/]);
  await expectUntouched(page);
});

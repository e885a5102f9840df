import { expect, test } from "@playwright/test";
import { passThroughRequests } from "./expected-requests.ts";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [{ name: "open", geo: { mode: "blocklist", entries: ["FR"], unknown: "allow" } }],
    offers: [],
  });
});
test.afterAll(() => world?.close());

test("a visitor who is let through fetches embed.js and nothing else, then and later", async ({ page }) => {
  await page.clock.install();
  const visit = await openVisit(page, world, world.publish("/article", "open"));
  await visit.untilMade(passThroughRequests);
  await page.clock.runFor(120_000);
  await visit.expectMade(passThroughRequests);
  await expectUntouched(page);
});

test("the ping says where the tag stands, without the page's query", async ({ page }) => {
  const visit = await openVisit(page, world, `${world.publish("/article", "open")}?utm_source=letter#top`);
  await visit.expectMade(passThroughRequests);
  const { websiteKey, publicKey } = world.website("open");
  expect(JSON.parse(visit.only("/v1/events/snippet-ping").body)).toEqual({
    websiteKey,
    pub: publicKey,
    url: `${world.host.origin}/article`,
    scriptVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    surface: "overlay",
  });
  expect(visit.only("/v1/decision").search).toBe(`?pub=${publicKey}&website=${websiteKey}`);
});

test("no request carries a cookie, and only the page's origin is told as the referrer", async ({ page }) => {
  const visit = await openVisit(page, world, world.publish("/deep/secret-article", "open"));
  await visit.expectMade(passThroughRequests);
  for (const { path, headers, answerHeaders } of visit.requests()) {
    expect(headers.cookie, path).toBeUndefined();
    expect(headers.referer, path).toBe(`${world.host.origin}/`);
    expect(answerHeaders["set-cookie"], path).toBeUndefined();
  }
});

test("the decision and the ping come over the connection that the script came over", async ({ page }) => {
  const visit = await openVisit(page, world, world.publish("/article", "open"));
  await visit.expectMade(passThroughRequests);
  const [first, ...more] = visit.requests().map(({ connection }) => connection);
  expect(more).toEqual([first, first]);
});

test("the same tag twice on a page is one visit", async ({ page }) => {
  world.publish("/twice", "open");
  const html = world.host.pages.get("/twice")?.html ?? "";
  const tag = /<script async.*<\/script>/.exec(html)?.[0] ?? "";
  world.host.pages.set("/twice", { html: html.replace("<h1>", `${tag}<h1>`) });
  const visit = await openVisit(page, world, "/twice");
  await visit.expectMade(passThroughRequests);
});

import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { dismissedRequests } from "./expected-requests.ts";
import { groundOf, holdTime, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({ websites: [{ name: "closed", geo: everybodyBlocked }] });
});
test.afterAll(() => world?.close());

const nonce = "c2VhLWJyZWV6ZQ";
/** Allows scripts by nonce, and what they load in turn. */
const strictest = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${scripts}`,
    `connect-src ${world.wire.url}`,
    "style-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

test("a page that allows scripts by nonce alone needs no exception but the connection", async ({ page }) => {
  world.publish("/strict", "closed", {
    attributes: { nonce },
    headers: { "content-security-policy": strictest("") },
  });
  await holdTime(page);
  const visit = await openVisit(page, world, "/strict");
  await untilOpenInHeldTime(page);
  const ground = await groundOf(page.getByRole("dialog").getByRole("heading").first());
  expect(ground, "the overlay's own style is in force").not.toBe("none");
  await page.keyboard.press("Escape");
  await visit.expectMade(dismissedRequests);
});

const surfaces = [
  ["a bar", { "data-placement": "bottom" }, "open", (page: Page) => page.getByRole("region")],
  ["a declined application", { "data-mode": "none" }, "decline", (page: Page) => page.getByRole("dialog")],
  ["other words", { "data-lang": "de" }, "open", (page: Page) => page.getByText("Weiter zur Seite")],
] as const;
for (const scripts of ["", "'strict-dynamic'"]) {
  for (const [surface, attributes, command, drawn] of surfaces) {
    test(`that page has ${surface} too, whose files are loaded by others ${scripts}`, async ({ page }) => {
      const headers = { "content-security-policy": strictest(scripts) };
      world.publish("/strict", "closed", { attributes: { nonce, ...attributes }, headers });
      await openVisit(page, world, "/strict");
      await page.evaluate((said) => void Reflect.get(window, "offerService")(said), command);
      await expect(drawn(page)).toBeVisible();
    });
  }
}

test("a page that does not allow the connection stays as it was", async ({ page }) => {
  world.publish("/closed-off", "closed", {
    headers: { "content-security-policy": `default-src 'none'; script-src ${world.wire.url}` },
  });
  const visit = await openVisit(page, world, "/closed-off");
  await visit.untilMade(["GET /embed.js 200"]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(visit.requests().map(({ path }) => path)).toEqual(["/embed.js"]);
});

test("a page that isolates itself still gets the overlay", async ({ page }) => {
  world.publish("/isolated", "closed", {
    headers: {
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    },
  });
  await holdTime(page);
  const visit = await openVisit(page, world, "/isolated");
  await untilOpenInHeldTime(page);
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  await page.keyboard.press("Escape");
  await visit.expectMade(dismissedRequests);
});

import { readFileSync } from "node:fs";
import { devices, expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let pageUrl: string;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [{ name: "closed", geo: everybodyBlocked, settings: ["--trigger", "immediate"] }],
  });
  pageUrl = world.host.origin + world.publish("/article", "closed");
});
test.afterAll(() => world?.close());

// From here to the end of the second test it stands in docs/embed.md.
test.use({ userAgent: devices["Desktop Chrome"].userAgent });

test("a blocked visitor is shown offers", async ({ page }) => {
  await page.goto(pageUrl);
  const overlay = page.locator("[data-visit-panel]").getByRole("dialog");
  await expect(overlay.getByRole("link").first()).toBeVisible();
  await expect(overlay.getByText("Sponsored")).toBeVisible();
});

test("the page without offers", async ({ page }) => {
  await page.route("**/embed.js", (route) => route.abort());
  await page.goto(pageUrl);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
// The end of the sample.

test("the guide has the sample that these tests are", () => {
  const own = readFileSync(new URL(import.meta.url), "utf8");
  const sample = own.slice(own.indexOf("test.use("), own.indexOf("// The end of the sample."));
  const guide = readFileSync(new URL("../docs/embed.md", import.meta.url), "utf8");
  expect(guide).toContain(sample.trim());
});

import { expect, test } from "@playwright/test";
import { dismissedRequests, passThroughRequests } from "./expected-requests.ts";
import { holdTime, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

const rule = { mode: "allowlist", entries: ["DE", "US-NJ"], unknown: "block" } as const;
let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "development", development: true, geo: rule },
      { name: "live", geo: rule },
    ],
  });
  world.publish("/development", "development");
  world.publish("/live", "live");
});
test.afterAll(() => world?.close());

for (const query of ["?dev-country=DE", "?dev-country=de", "?dev-country=US&dev-region=NJ"]) {
  test(`a development website lets ${query} through`, async ({ page }) => {
    const visit = await openVisit(page, world, `/development${query}`);
    await visit.expectMade(passThroughRequests);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("a development website shows the overlay of a simulated country", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/development?dev-country=US&dev-region=WA");
  await untilOpenInHeldTime(page);
  const offers = new URLSearchParams(visit.only("/v1/offers").search);
  expect([offers.get("country"), offers.get("region")]).toEqual(["US", "WA"]);
  await page.keyboard.press("Escape");
  await visit.expectMade(dismissedRequests);
});

test("the tag's own attributes simulate as well, and win over the page's query", async ({ page }) => {
  world.publish("/attributes", "development", { attributes: { "data-dev-country": "DE" } });
  const visit = await openVisit(page, world, "/attributes?dev-country=FR");
  await visit.expectMade(passThroughRequests);
});

for (const query of ["?dev-country=DE", "?dev-country=US&dev-region=NJ", "?dev-country=nonsense"]) {
  test(`a live website takes no notice of ${query}`, async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, `/live${query}`);
    await untilOpenInHeldTime(page);
    const offers = new URLSearchParams(visit.only("/v1/offers").search);
    expect([offers.get("country"), offers.get("region")]).toEqual(["ZZ", ""]);
    await page.keyboard.press("Escape");
    await visit.expectMade(dismissedRequests);
  });
}

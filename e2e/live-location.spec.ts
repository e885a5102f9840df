import { expect, test } from "@playwright/test";
import { dismissedRequests, passThroughRequests } from "./expected-requests.ts";
import { holdTime, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

/**
 * Addresses that have belonged to the same networks for decades, as any location data has them:
 * Deutsche Telekom, Orange, Rutgers University in New Jersey, the University of Washington.
 */
const addresses = {
  DE: "84.128.0.1",
  FR: "90.0.0.1",
  "US-NJ": "128.6.1.1",
  "US-WA": "128.95.1.1",
  unknown: "192.0.2.1",
} as const;

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    environment: { TRUST_PROXY_HOPS: "1" },
    websites: [{ name: "live", geo: { mode: "allowlist", entries: ["DE", "US-NJ"], unknown: "allow" } }],
    offers: [
      { brand: "Anchor Bank", geo: ["*"], payoutMicros: 900_000 },
      { brand: "Buoy Mobile", geo: ["FR"], payoutMicros: 400_000 },
      { brand: "Compass Travel", geo: ["US-WA"], payoutMicros: 100_000 },
      { brand: "Dock Insurance", geo: ["US-NJ", "DE"], payoutMicros: 100_000 },
    ],
  });
  world.publish("/article", "live");
});
test.afterAll(() => world?.close());

for (const place of ["DE", "US-NJ", "unknown"] as const) {
  test(`a visitor from ${place} is let through`, async ({ page }) => {
    world.wire.visitorAddress = addresses[place];
    const visit = await openVisit(page, world, "/article");
    await visit.expectMade(passThroughRequests);
  });
}

const blocked = [
  { place: "FR", region: expect.any(String), title: "Meant for readers elsewhere", also: "Buoy Mobile" },
  { place: "US-WA", region: "WA", title: "Meant for readers elsewhere", also: "Compass Travel" },
] as const;

for (const { place, region, title, also } of blocked) {
  test(`a visitor from ${place} gets the overlay with the offers for there`, async ({ page }) => {
    world.wire.visitorAddress = addresses[place];
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog).toBeVisible();
    await expect(dialog.getByRole("link")).toHaveCount(2);
    await expect(dialog.getByText("Anchor Bank").first()).toBeVisible();
    await expect(dialog.getByText(also).first()).toBeVisible();
    const asked = new URLSearchParams(visit.only("/v1/offers").search);
    expect([asked.get("country"), asked.get("region") ?? ""]).toEqual([place.slice(0, 2), region]);
    await page.keyboard.press("Escape");
    await visit.expectMade(dismissedRequests);
  });
}

test("what a visitor writes into the forwarding header himself is not believed", async ({ request }) => {
  world.wire.visitorAddress = `${addresses.DE}, ${addresses.FR}`;
  const answer = await request.get(`${world.wire.url}/v1/whats-my-ip`);
  expect(await answer.json()).toMatchObject({ ip: addresses.FR, country: "FR", proxyHops: 1 });
});

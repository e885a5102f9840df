import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { impressionRequests, overlayRequests } from "./expected-requests.ts";
import { holdTime, letPass, turn, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  const names = ["Anchor", "Buoy", "Compass", "Dock", "Ebb", "Ferry", "Gull"];
  world = await openWorld({
    websites: [{ name: "closed", geo: everybodyBlocked }],
    offers: names.map((brand) => ({ brand })),
  });
  world.publish("/article", "closed");
  const { html } = world.host.pages.get("/article") ?? { html: "" };
  const faded = "<style>body { opacity: 0 }</style><main>";
  world.host.pages.set("/faded", { html: html.replace("<main>", faded) });
});
test.afterAll(() => world?.close());

test.describe("with room for all seven offers", () => {
  test.use({ viewport: { width: 1280, height: 1800 } });

  test("each offer is an impression after one second in view, and only once", async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    await letPass(page, 900);
    await visit.expectMade(overlayRequests);
    await letPass(page, 200);
    await visit.untilMade([...overlayRequests, impressionRequests(7)]);
    await letPass(page, 60_000);
    await visit.expectMade([...overlayRequests, impressionRequests(7)]);

    const bodies = visit
      .requests()
      .filter(({ path }) => path === "/v1/events/impression")
      .map(({ body }) => JSON.parse(body));
    expect(new Set(bodies.map(({ offerId }) => offerId)).size).toBe(7);
    expect(bodies.filter(({ placement }) => placement === "premium")).toHaveLength(1);
    for (const { clientHints } of bodies) {
      expect(clientHints.visibleMs).toBeGreaterThanOrEqual(1000);
      expect(clientHints.visibleRatio).toBeGreaterThanOrEqual(0.5);
    }
  });

  test("an overlay that is opened again makes none of them again", async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    await letPass(page, 1100);
    await visit.untilMade([...overlayRequests, impressionRequests(7)]);
    const command = (name: string) =>
      page.evaluate((said) => Reflect.get(window, "offerService")(said), name);
    await command("close");
    await command("open");
    await untilOpenInHeldTime(page);
    await letPass(page, 2000);
    await visit.untilArrived();
    expect(impressionsOf(visit.requests())).toHaveLength(7);
  });

  test("over a page that has faded out itself they are seen all the same", async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/faded");
    await untilOpenInHeldTime(page);
    await letPass(page, 1100);
    await visit.expectMade([...overlayRequests, impressionRequests(7)]);
  });

  test("while the tab is hidden no second passes, and the one that had begun starts anew", async ({
    page,
  }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    await letPass(page, 900);
    await turn(page, "hidden");
    await letPass(page, 60_000);
    await visit.expectMade(overlayRequests);
    await turn(page, "visible");
    await letPass(page, 900);
    await visit.expectMade(overlayRequests);
    await letPass(page, 200);
    await visit.expectMade([...overlayRequests, impressionRequests(7)]);
  });
});

test.describe("on a small screen", () => {
  test.use({ viewport: { width: 360, height: 640 } });

  test("an offer below the fold is no impression until it has been scrolled into view", async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    await letPass(page, 60_000);
    await visit.untilArrived();
    const seenAtFirst = impressionsOf(visit.requests());
    expect(seenAtFirst.length).toBeLessThan(7);

    const last = page.getByRole("dialog").getByRole("article").last();
    const lastBrand = await last.innerText();
    await last.scrollIntoViewIfNeeded();
    await letPass(page, 900);
    await visit.untilArrived();
    expect(impressionsOf(visit.requests())).toEqual(seenAtFirst);
    await letPass(page, 200);
    // The offer's neighbours come into view with it, and their impressions may arrive first.
    const seenLater = () => impressionsOf(visit.requests()).slice(seenAtFirst.length);
    await expect.poll(seenLater, { message: lastBrand }).toContain("standard 6");
  });
});

const impressionsOf = (requests: readonly { path: string; body: string }[]): string[] =>
  requests
    .filter(({ path }) => path === "/v1/events/impression")
    .map(({ body }) => JSON.parse(body))
    .map(({ placement, position }) => `${placement} ${position}`);

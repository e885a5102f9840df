import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { impressionRequests, overlayRequests } from "./expected-requests.ts";
import { openVisit, type Visit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

test.use({ viewport: { width: 1280, height: 1200 } });

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "twice", geo: everybodyBlocked },
      { name: "development", geo: everybodyBlocked, development: true },
    ],
  });
});
test.afterAll(() => world?.close());

const clickRequests = ["POST /v1/events/click 204", "GET /v1/r 302"] as const;

test("a click opens the advertiser's page with its click id, and is billed once", async ({
  page,
  context,
}) => {
  const before = await billed();
  const visit = await openSeenOverlay(page, "/article", "closed");
  const link = page.getByRole("article").filter({ hasText: "Buoy Mobile" }).getByRole("link");
  const popup = await follow(context, () => link.click());
  await expect(popup.getByRole("heading", { name: "Welcome aboard" })).toBeVisible();

  const arrived = new URL(popup.url());
  const offerId = world.catalogue.offers.find(({ brand }) => brand === "Buoy Mobile")?.offerId;
  expect(arrived.origin).toBe(world.landing.origin);
  expect(arrived.searchParams.get("click_id")).toMatch(/^[\w-]{22}$/);
  expect(arrived.searchParams.get("offer")).toBe(offerId);
  expect(arrived.searchParams.get("country")).toBe("ZZ");
  expect(world.landing.referrers.at(-1), "the publisher's origin, and not its page").toBe(
    `${world.host.origin}/`,
  );

  await expect(page.getByRole("dialog"), "the page it left from").toBeVisible();
  await visit.expectMade([...overlayRequests, impressionRequests(3), clickRequests]);
  const hop = visit.only("/v1/r").answerHeaders;
  expect(hop["cache-control"]).toBe("no-store");
  expect(hop["referrer-policy"]).toBe("origin");
  expect(hop["x-robots-tag"]).toContain("noindex");
  expect(await billedSince(before)).toEqual({ "Buoy Mobile": { clicks: 1, micros: 400_000 } });
  await expectBooksInOrder();
});

test("clicking the same offer again takes the visitor there again, unbilled", async ({ page, context }) => {
  const before = await billed();
  const visit = await openSeenOverlay(page, "/again", "twice");
  const link = page.getByRole("article").filter({ hasText: "Compass Travel" }).getByRole("link");
  const first = await follow(context, () => link.press("Enter"));
  await visit.untilMade([...overlayRequests, impressionRequests(3), clickRequests]);
  await page.waitForFunction((since) => performance.now() >= since + 1000, await now(page));
  const second = await follow(context, () => link.click());
  expect(second.url()).toBe(first.url());
  await visit.expectMade([...overlayRequests, impressionRequests(3), clickRequests, clickRequests]);
  expect(await billedSince(before)).toEqual({ "Compass Travel": { clicks: 1, micros: 100_000 } });
  await expectBooksInOrder();
});

test("a click on a development website arrives and costs nobody anything", async ({ page, context }) => {
  const before = await billed();
  const visit = await openSeenOverlay(page, "/development", "development");
  const link = page.getByRole("article").first().getByRole("link");
  const popup = await follow(context, () => link.click());
  expect(new URL(popup.url()).searchParams.get("click_id")).toMatch(/^[\w-]{22}$/);
  await visit.expectMade([...overlayRequests, impressionRequests(3), clickRequests]);
  expect(await billedSince(before)).toEqual({});
  await expectBooksInOrder();
});

test("a link that was altered leads nowhere", async ({ page, request }) => {
  await openSeenOverlay(page, "/altered", "closed");
  const link: Locator = page.getByRole("article").first().getByRole("link");
  const href = (await link.getAttribute("href")) ?? "";
  const before = world.landing.visits.length;
  for (const altered of [`${href}A`, href.slice(0, -2), href.replace("t=", "u="), `${href}&t=again`]) {
    const answer = await request.get(altered, { maxRedirects: 0 });
    expect(answer.status(), altered).toBe(400);
    expect(answer.headers().location).toBeUndefined();
  }
  const redirected = await request.get(`${href}&url=https://evil.example/`, { maxRedirects: 0 });
  expect(redirected.headers().location).toContain(world.landing.origin);
  expect(world.landing.visits).toHaveLength(before);
});

/** Opens the page and waits until every offer was seen. */
const openSeenOverlay = async (page: Page, path: string, website: string): Promise<Visit> => {
  const visit = await openVisit(page, world, world.publish(path, website));
  await visit.untilMade([...overlayRequests, impressionRequests(3)]);
  return visit;
};

const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

const follow = async (context: BrowserContext, act: () => Promise<void>): Promise<Page> => {
  const [popup] = await Promise.all([context.waitForEvent("page"), act()]);
  await popup.waitForURL(`${world.landing.origin}/**`);
  return popup;
};

type Billed = Record<string, { clicks: number; micros: number }>;
type ListedOffer = { brand: string; spentMicros: number; billedClicks: number };

/** The billed clicks and the spending of each brand, as the operator sees them. */
const billed = async (): Promise<Billed> => {
  const offers = await world.service.admin<ListedOffer[]>("offer", "list");
  return Object.fromEntries(
    offers.map(({ brand, billedClicks, spentMicros }) => [
      brand,
      { clicks: billedClicks, micros: spentMicros },
    ]),
  );
};

const billedSince = async (before: Billed): Promise<Billed> => {
  const changes = Object.entries(await billed()).map(([brand, now]) => {
    const then = before[brand] ?? { clicks: 0, micros: 0 };
    return [brand, { clicks: now.clicks - then.clicks, micros: now.micros - then.micros }] as const;
  });
  return Object.fromEntries(changes.filter(([, { clicks, micros }]) => clicks !== 0 || micros !== 0));
};

/** Both commands end with 1, and so throw here, when anything does not add up. */
const expectBooksInOrder = async (): Promise<void> => {
  await world.service.admin("audit");
  await world.service.admin("recount");
};

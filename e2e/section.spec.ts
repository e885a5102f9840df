import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { drawnRequest, impressionRequests } from "./expected-requests.ts";
import { scriptTag } from "./host-site.ts";
import { holdTime, letPass, untilOpenInHeldTime } from "./page-state.ts";
import { makePatient } from "./patient-page.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

test.use({ viewport: { width: 1280, height: 1400 } });

/** Offers that say all that an offer can say, and more than two lines hold. */
const wordy = {
  description:
    "Open it in ten minutes from any harbour, and pay nothing for the whole first year of the journey.",
  disclosure: "18+. Capital at risk. Terms apply.",
  terms: "New customers only. Fees may apply after twelve months.",
};

/** Widths at which an offer's parts begin to stand otherwise, and beside them. */
const widths = [240, 320, 549, 550, 768, 1250];

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "open", geo: { mode: "blocklist", entries: [], unknown: "allow" } },
      { name: "closed", geo: everybodyBlocked },
    ],
    offers: [
      {
        brand: "Anchor Bank",
        title: "An account that floats, with no fee at sea at all",
        payoutMicros: 900_000,
        premium: true,
      },
      { brand: "Buoy Mobile", title: "Calls at sea, no roaming, in forty countries", payoutMicros: 400_000 },
      { brand: "Compass Travel", title: "Find the way back by train, ferry and bus", payoutMicros: 100_000 },
    ].map((offer) => ({ ...offer, caps: wordy })),
  });
  const places = widths.map((width) => `<div id="w${width}" style="width: ${width}px"></div>`);
  const tags = widths.map((width) => sectionTag("open", `#w${width}`));
  world.host.pages.set("/widths", { html: storyPage(tags).replace("<main>", `<main>${places.join("")}`) });
  for (const name of ["open", "closed"]) {
    world.host.pages.set(`/${name}`, { html: storyPage([sectionTag(name, "#first")]) });
    world.host.pages.set(`/${name}/below`, { html: storyPage([sectionTag(name, "#second")]) });
  }
  const panel = `<div id="panel" style="position: fixed; inset: 0"><div id="first"></div></div>`;
  world.host.pages.set("/panel", {
    html: storyPage([sectionTag("open", "#first")]).replace(`<div id="first"></div>`, panel),
  });
  world.host.pages.set("/tab", {
    html: storyPage([sectionTag("open", "#first", 3, { "data-height": "300", "data-consent": "manual" })]),
  });
  const overlayTag = scriptTag(world.wire.url, {
    ...world.website("closed"),
    attributes: { "data-trigger": "immediate" },
  });
  world.host.pages.set("/both", { html: storyPage([overlayTag, sectionTag("closed", "#first")]) });
  world.host.pages.set("/two", {
    html: storyPage([sectionTag("open", "#first", 1), sectionTag("open", "#second", 2)]),
  });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

/** The section's own files and its offers come at once, and so in any order. */
const sectionRequests = [
  "GET /embed.js 200",
  "GET /c/*.js 200",
  "GET /v1/decision 200",
  ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200", "GET /c/*.js 200", "GET /v1/offers 200"],
  drawnRequest,
] as const;

for (const name of ["open", "closed"]) {
  test(`on the ${name} website offers stand in the page's own place, and nothing moves`, async ({ page }) => {
    await observeShifts(page);
    const visit = await openVisit(page, world, `/${name}`);
    const section = page.locator("#first").getByRole("region", { name: "Offers for you" });
    await expect(section.getByRole("article")).toHaveCount(3);
    await expect(section.getByText("Sponsored", { exact: true })).toBeVisible();
    await visit.untilMade([...sectionRequests, impressionRequests(3)]);
    expect(await shiftsOf(page), "layout shifts").toEqual([]);
    await expect(page.getByRole("dialog")).toHaveCount(0);

    const [place, drawn] = [await page.locator("#first").boundingBox(), await section.boundingBox()];
    expect(place).not.toBeNull();
    expect(drawn?.height).toBeLessThanOrEqual(place?.height ?? 0);
    expect(drawn?.width).toBeLessThanOrEqual(place?.width ?? 0);
    await visit.expectMade([...sectionRequests, impressionRequests(3)]);
    expect(new URLSearchParams(visit.only("/v1/decision").search).get("mode")).toBe("section");
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

test("each offer is an impression of the section after a second in view, and not before", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/open/below");
  const articles = page.locator("#second").getByRole("article");
  await expect(articles).toHaveCount(3);
  await letPass(page, 60_000);
  await visit.expectMade(sectionRequests);

  await page.locator("#second").scrollIntoViewIfNeeded();
  await letPass(page, 900);
  await visit.expectMade(sectionRequests);
  await letPass(page, 200);
  await visit.expectMade([...sectionRequests, impressionRequests(3)]);
  const bodies = visit
    .requests()
    .filter(({ path }) => path === "/v1/events/impression")
    .map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ surface }) => surface)).toEqual(["section", "section", "section"]);
  expect(new Set(bodies.map(({ offerId }) => offerId)).size).toBe(3);
  for (const { clientHints } of bodies) expect(clientHints.visibleMs).toBeGreaterThanOrEqual(1000);
});

test("a style that an extension puts in front of the offers keeps none from counting", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/open");
  await visit.untilMade(sectionRequests);
  await page.locator("[data-visit-place]").evaluate((host) => {
    host.shadowRoot?.prepend(document.createElement("style"));
  });
  await letPass(page, 1500);
  await visit.expectMade([...sectionRequests, impressionRequests(3)]);
});

for (const [closed, isPressed] of [
  ["opacity: 0; pointer-events: none", false],
  ["visibility: hidden", false],
  ["opacity: 0", true],
] as const) {
  test(`in a panel that is closed by \`${closed}\` a section waits, is not seen, and takes no press that the panel does not`, async ({
    page,
  }) => {
    const path = `/panel/${closed.split(":")[0]}`;
    const { html } = world.host.pages.get("/panel") ?? { html: "" };
    world.host.pages.set(path, { html: html.replace("inset: 0", `inset: 0; ${closed}`) });
    await holdTime(page);
    const visit = await openVisit(page, world, path);
    const turn = (style: string) =>
      page.locator("#panel").evaluate((panel, text) => panel.setAttribute("style", text), style);
    const isInTheWay = () =>
      page.evaluate(() => !!document.elementFromPoint(600, 300)?.hasAttribute("data-visit-place"));
    await expect(page.locator("[data-visit-place]")).toHaveCount(1);
    await letPass(page, 5000);
    await visit.expectMade(["GET /embed.js 200", "GET /c/*.js 200"]);
    expect(await isInTheWay()).toBe(isPressed);

    await turn("position: fixed; inset: 0");
    const articles = page.locator("#panel").getByRole("article");
    await expect
      .poll(async () => {
        await letPass(page, 250);
        return articles.count();
      })
      .toBe(3);
    await turn(`position: fixed; inset: 0; ${closed}`);
    await letPass(page, 5000);
    expect(await isInTheWay()).toBe(isPressed);
    await visit.expectMade(sectionRequests);

    await turn("position: fixed; inset: 0");
    await letPass(page, 1500);
    await visit.expectMade([...sectionRequests, impressionRequests(3)]);
  });
}

for (const [what, meanwhile, isAsked] of [
  ["is closed", "its visitor consents in another", false],
  ["is closed", "its offers are on their way", true],
  ["leaves the page", "its visitor consents in another", false],
  ["leaves the page", "its offers are on their way", true],
] as const) {
  test(`a section whose tab ${what} while ${meanwhile} holds what fits once that is back`, async ({
    page,
  }) => {
    await holdTime(page);
    const offers = Promise.withResolvers<void>();
    world.wire.tamper = ({ path }) => (path === "/v1/offers" ? offers.promise : null);
    const visit = await openVisit(page, world, "/tab");
    const asked = (path: string) => visit.requests().filter((request) => request.path === path);
    const tab = await page.locator("#first").elementHandle();
    const main = page.locator("main");
    const leave = () =>
      tab?.evaluate((panel, how) => {
        if (how === "is closed") panel.setAttribute("hidden", "");
        else panel.remove();
      }, what);
    const comeBack = () =>
      main.evaluate((around, panel) => {
        panel?.removeAttribute("hidden");
        if (panel && !panel.isConnected) around.prepend(panel);
      }, tab);
    await expect(page.locator("[data-visit-place]")).toHaveCount(1);
    if (!isAsked) await leave();
    await page.evaluate(() => Reflect.get(window, "offerService")("consent", true));
    if (isAsked) {
      await expect.poll(() => asked("/v1/offers").length).toBe(1);
      await leave();
    }
    offers.resolve();
    await letPass(page, 1000);
    await visit.untilArrived();
    expect(asked("/v1/decision")).toHaveLength(isAsked ? 1 : 0);
    await expect.poll(() => asked("/v1/offers").map(({ status }) => status)).toEqual(isAsked ? [200] : []);

    await comeBack();
    const section = page.locator("#first").getByRole("region");
    await expect
      .poll(async () => {
        await letPass(page, 250);
        return section.isVisible();
      })
      .toBe(true);
    expect(await keptFree(section)).toBe(300);
    expect((await section.boundingBox())?.height).toBeLessThanOrEqual(300);
  });
}

test("offers that the overlay lies over are no impression before it has gone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await holdTime(page);
  const visit = await openVisit(page, world, "/both");
  await untilOpenInHeldTime(page);
  await expect(page.locator("#first article")).not.toHaveCount(0);
  const surfaces = () =>
    new Set(
      visit
        .requests()
        .filter(({ path }) => path === "/v1/events/impression")
        .map(({ body }) => JSON.parse(body).surface),
    );
  await letPass(page, 5000);
  await visit.untilArrived();
  expect(surfaces()).toEqual(new Set(["overlay"]));

  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await letPass(page, 1500);
  await expect.poll(surfaces).toEqual(new Set(["overlay", "section"]));
});

test("a click leads through the hop to the advertiser, and is billed once", async ({ page, context }) => {
  const visit = await openVisit(page, world, "/open");
  await visit.untilMade([...sectionRequests, impressionRequests(3)]);
  const before = await spentOn("Buoy Mobile");
  const link = page.getByRole("article").filter({ hasText: "Buoy Mobile" }).getByRole("link");
  await expect(link).toHaveAttribute("rel", /sponsored.*nofollow.*noopener/);
  const [popup] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await popup.waitForURL(`${world.landing.origin}/**`);
  expect(new URL(popup.url()).searchParams.get("click_id")).toMatch(/^[\w-]{22}$/);
  await visit.expectMade([
    ...sectionRequests,
    impressionRequests(3),
    ["POST /v1/events/click 204", "GET /v1/r 302"],
  ]);
  expect(JSON.parse(visit.only("/v1/events/click").body)).toMatchObject({ surface: "section" });
  expect((await spentOn("Buoy Mobile")) - before).toBe(400_000);
  await world.service.admin("audit");
});

test("a place without a height of its own holds the three offers that were asked for, at any width", async ({
  page,
}) => {
  await makePatient(page);
  await page.goto(`${world.host.origin}/widths`);
  for (const width of widths) {
    const section = page.locator(`#w${width}`).getByRole("region");
    await expect(section.getByRole("listitem"), `offers at ${width} px`).toHaveCount(3);
    const [spare, overflow] = await section.evaluate((element) => {
      const last = element.lastElementChild?.getBoundingClientRect().bottom ?? 0;
      const place = (element.getRootNode() as ShadowRoot).host;
      return [place.getBoundingClientRect().bottom - last, element.scrollWidth - element.clientWidth];
    });
    // Less than an offer takes, in whatever letters the machine has: Noto Sans leaves 142 px at 240.
    expect(spare, `spare height at ${width} px`).toBeLessThan(160);
    expect(overflow).toBe(0);
  }
});

test("two places of one page are filled apart, each with as many as it has room for", async ({ page }) => {
  await observeShifts(page);
  await openVisit(page, world, "/two");
  await expect(page.locator("#first").getByRole("article")).toHaveCount(1);
  await expect(page.locator("#second").getByRole("article")).toHaveCount(2);
  const regions = page.getByRole("region");
  await expect(regions).toHaveCount(2);
  const names = await regions.evaluateAll((all) => all.map((region) => region.getAttribute("aria-label")));
  expect(new Set(names).size, "two landmarks, two names").toBe(2);
  // Of a place with more room than its offers need, all is kept free, and the frame ends below the offers.
  const first = page.locator("#first").getByRole("region");
  expect(await keptFree(first)).toBe(700);
  const below = await first.evaluate(
    (element) =>
      element.getBoundingClientRect().bottom -
      (element.lastElementChild?.getBoundingClientRect().bottom ?? 0),
  );
  expect(below).toBeLessThan(40);
  expect(await shiftsOf(page)).toEqual([]);
});

test("`init` after the script is about the page's one section, and opens no overlay beside it", async ({
  page,
}) => {
  const visit = await openVisit(page, world, "/closed");
  const section = page.locator("#first").getByRole("region");
  await expect(section.getByRole("article")).toHaveCount(3);
  const command = (...said: unknown[]) =>
    page.evaluate((all) => Reflect.get(window, "offerService")(...all), said);
  await command("init", { theme: "dark" });
  await command("init", { mode: "section", container: "#first", lang: "de" });
  await visit.untilArrived();
  expect(visit.only("/v1/decision").search).toContain("mode=section");
  await command("page");
  await expect(section).toHaveAttribute("data-theme", "dark");
  await expect(section).toHaveAttribute("lang", "de");
  await expect(page.getByRole("region")).toHaveCount(1);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

for (const [name, wanted] of [
  ["decision", "/v1/decision"],
  ["offers", "/v1/offers"],
] as const) {
  test(`without ${name} the place stays empty, and nothing moves either`, async ({ page }) => {
    world.wire.tamper = ({ path }) => (path === wanted ? "drop" : null);
    await observeShifts(page);
    await page.goto(`${world.host.origin}/open`);
    await expect
      .poll(() => world.wire.requests.some(({ path, status }) => path === wanted && status === "dropped"))
      .toBe(true);
    await expect(page.getByRole("region")).toHaveCount(0);
    expect(await shiftsOf(page)).toEqual([]);
    expect((await page.locator("#first").boundingBox())?.height).toBe(700);
  });
}

/** The height of the element in which a section is drawn. */
const keptFree = (section: Locator): Promise<number> =>
  section.evaluate((element) => (element.getRootNode() as ShadowRoot).host.getBoundingClientRect().height);

const sectionTag = (name: string, container: string, limit = 3, more: Record<string, string> = {}): string =>
  scriptTag(world.wire.url, {
    ...world.website(name),
    attributes: {
      "data-mode": "section",
      "data-container": container,
      "data-limit": String(limit),
      ...more,
    },
  });

/** Text, a place that keeps its height, more text, and another place below the fold. */
const storyPage = (tags: readonly string[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Harbour news</title>
<style>
body { max-width: 700px; margin: 40px auto; }
#first, #second { min-height: 700px; }
.long { min-height: 1500px; }
</style>
<main>
<h1>The ferry is late again</h1>
<p>Everybody waits on the quay.</p>
<div id="first"></div>
<p class="long">Then it came.</p>
<div id="second"></div>
<p>Nobody waved.</p>
</main>
${tags.join("\n")}
</html>`;

type Shift = { value: number; nodes: string[] };

/** Notes every shift of the page's layout from its first paint on, whoever asked for it. */
const observeShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const shifts: Shift[] = [];
    Reflect.set(window, "layoutShifts", shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Node }[];
      })[]) {
        shifts.push({ value: entry.value, nodes: entry.sources.map(({ node }) => node.nodeName) });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });

/** The shifts so far. After two frames the observer has been called for every shift that was painted. */
const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return Reflect.get(window, "layoutShifts");
  });

const spentOn = async (brand: string): Promise<number> => {
  const offers = await world.service.admin<{ brand: string; spentMicros: number }[]>("offer", "list");
  return offers.find((offer) => offer.brand === brand)?.spentMicros ?? Number.NaN;
};

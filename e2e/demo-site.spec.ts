import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { type Demo, startDemo } from "./demo.ts";
import { makePatient } from "./patient-page.ts";

test.use({ viewport: { width: 1440, height: 1200 }, contextOptions: { reducedMotion: "reduce" } });

let demo: Demo;
test.beforeAll(async () => {
  demo = await startDemo();
});
test.beforeEach(({ page }) => makePatient(page));
test.afterAll(async () => {
  expect(await demo.stop(), "exit code after SIGTERM").toBe(0);
});

/** Notes everything that the browser reports as wrong, and its requests to the service. */
const watch = (page: Page) => {
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === demo.service) asked.push(`${request.method()} ${pathname.replace(/^\/c\/.*/, "/c/*.js")}`);
  });
  return { faults, asked };
};

test("who starts it is told where to look", () => {
  const pages = ["/", "/article", "/magazine", "/loan", "/preview"].map((path) => demo.site + path);
  for (const address of [...pages, demo.service]) expect(demo.printed()).toContain(address);
});

test("the first page explains the demo and asks nothing of the service", async ({ page }) => {
  const { faults, asked } = watch(page);
  await page.goto(`${demo.site}/`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: /preview panel/i }).first()).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page
    .getByRole("link", { name: /article/i })
    .first()
    .click();
  await expect(page).toHaveURL(`${demo.site}/article`);
  expect(faults).toEqual([]);
  expect(
    asked.filter((line) => line === "GET /v1/decision").length,
    "asked by the article alone",
  ).toBeLessThan(2);
});

test("the article carries the tag alone: a visitor from nowhere gets offers, and a click arrives", async ({
  page,
  context,
}) => {
  const { faults, asked } = watch(page);
  await page.goto(`${demo.site}/article`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Paid placement")).toHaveCount(1);
  expect(await dialog.getByRole("article").count(), "enough to choose from").toBeGreaterThan(3);
  await expect(page.locator(`script[src^="${demo.service}"]`)).toHaveCount(1);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  const link = dialog.getByRole("article").first().getByRole("link");
  const [popup] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await popup.waitForURL(`${demo.site}/advertisers/**`);
  const clickId = new URL(popup.url()).searchParams.get("click_id") ?? "";
  expect(clickId).toMatch(/^[\w-]{22}$/);
  await expect(popup.getByText(clickId, { exact: true })).toBeVisible();
  expect((await new AxeBuilder({ page: popup }).analyze()).violations).toEqual([]);

  await page.bringToFront();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect.poll(() => asked).toContain("POST /v1/events/click");
  const once = ["/embed.js", "/v1/decision", "/c/*.js", "/v1/offers"].map((path) => `GET ${path}`);
  expect(asked.filter((line) => line.startsWith("GET ")).toSorted()).toEqual(once.toSorted());
  expect(faults).toEqual([]);
});

test("the preview panel shows the decision of a place, and each call as it is made", async ({
  page,
  context,
}) => {
  const { faults } = watch(page);
  await page.goto(`${demo.site}/preview?dev-country=DE`);
  const verdict = page.locator("#decision");
  const step = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(verdict).toContainText("Allowed: the page as it is");
  await expect(verdict).toContainText("Germany (DE)");
  await expect(step("Decision")).toContainText("/v1/decision");
  await expect(step("Presence")).toContainText("204");
  await expect(step("Offers")).toHaveCount(0);
  expect((await new AxeBuilder({ page }).exclude("iframe").analyze()).violations).toEqual([]);

  await page.getByRole("link", { name: "Blocked: France" }).click();
  await expect(verdict).toContainText("Blocked: offers over the page");
  await expect(verdict).toContainText("France (FR)");
  await expect(verdict).toContainText("country_not_allowed");
  await expect(step("Offers")).toContainText("premium");
  await expect(step("Impressions")).toContainText("Stored on disk");
  await expect(step("Clicks")).toHaveCount(0);

  const offer = page.frameLocator("#frame").getByRole("dialog").getByRole("article").first();
  const [popup] = await Promise.all([context.waitForEvent("page"), offer.getByRole("link").click()]);
  await popup.waitForURL(`${demo.site}/advertisers/**`);
  const clickId = new URL(popup.url()).searchParams.get("click_id") ?? "";
  await expect(popup.getByText(clickId, { exact: true })).toBeVisible();
  await page.bringToFront();
  await expect(step("Clicks")).toContainText("/v1/events/click");
  await expect(step("Clicks")).toContainText(`with click id ${clickId}`);
  expect(faults).toEqual([]);
});

test("the panel shows another website by its own rule and in its own words", async ({ page }) => {
  const { faults } = watch(page);
  await page.goto(`${demo.site}/preview?dev-country=DE`);
  const verdict = page.locator("#decision");
  await expect(verdict).toContainText("Allowed: the page as it is");
  await page.getByLabel("Website", { exact: true }).selectOption("Harbour Weekly");
  await expect(page).toHaveURL(`${demo.site}/preview?website=harbour&dev-country=DE`);
  await expect(verdict).toContainText("Blocked: offers over the page");
  const overlay = page.frameLocator("#frame").getByRole("dialog");
  await expect(overlay).toContainText("Harbour Weekly stays on these shores");
  expect((await new AxeBuilder({ page }).exclude("iframe").analyze()).violations).toEqual([]);
  await page.getByRole("link", { name: "Allowed: Britain" }).click();
  await expect(page).toHaveURL(`${demo.site}/preview?website=harbour&dev-country=GB`);
  await expect(verdict).toContainText("Allowed: the page as it is");
  expect(faults).toEqual([]);
});

test("the magazine carries a section in its column, and no line of it moves", async ({ page }) => {
  const { faults } = watch(page);
  await page.addInitScript(() => {
    Reflect.set(window, "shifted", 0);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        Reflect.set(window, "shifted", Reflect.get(window, "shifted") + Reflect.get(entry, "value"));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${demo.site}/magazine`);
    const section = page.getByRole("region", { name: "Offers for you" });
    await section.scrollIntoViewIfNeeded();
    await expect(section.getByRole("article")).toHaveCount(width === 320 ? 1 : 2);
    expect(await page.evaluate(() => Reflect.get(window, "shifted")), `at ${width} px`).toBe(0);
  }
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(faults).toEqual([]);
});

test("the panel follows a declined applicant's session from its opening to the offers", async ({ page }) => {
  const { faults, asked } = watch(page);
  // The lender's server triggers the session only after the waiting has been looked at.
  const looked = Promise.withResolvers<void>();
  await page.route("**/preview/loan/offers", async (route) => {
    await looked.promise;
    await route.continue();
  });
  await page.goto(`${demo.site}/preview`);
  await page.getByRole("link", { name: "Loan application" }).click();
  await page.getByRole("link", { name: "Britain" }).click();
  await expect(page).toHaveURL(`${demo.site}/preview?page=loan&dev-country=GB`);
  const session = page.locator("#session");
  const step = (name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
  await expect(step("Presence")).toContainText("204");
  await expect(session.getByRole("status")).toHaveText("No session yet");
  expect((await new AxeBuilder({ page }).exclude("iframe").analyze()).violations).toEqual([]);

  const loan = page.frameLocator("#frame");
  await loan.getByLabel("How much would you like to borrow?").fill("20000");
  await loan.getByLabel("What are you paid a month?").fill("1500");
  await loan.getByLabel("What describes you best?").selectOption("employed");
  await loan.getByRole("button", { name: "Ask for the loan" }).click();
  await expect(session.getByRole("status")).toHaveText("Pending");
  await expect(session).toContainText(/Session iddcl_/);
  await expect(session).toContainText(/Time left14:\d\d/);
  looked.resolve();
  await expect(step("Application")).toContainText("has told the service");
  await expect(session.getByRole("status")).toHaveText(/^\d offers are shown$/);
  await expect(session.locator("[aria-current=step]")).toHaveText("Offers");
  await expect(step("Decline session")).toContainText("Ready: this visitor may be shown offers.");
  await expect(step("Offers")).toContainText("premium");
  await expect(loan.getByRole("dialog", { name: "Other options for you" })).toBeVisible();
  expect((await new AxeBuilder({ page }).exclude("iframe").analyze()).violations).toEqual([]);
  expect(asked, "what only the lender's own server may do").not.toContain("POST /v1/widget-decline/trigger");
  expect(faults).toEqual([]);

  await page.getByRole("button", { name: "Reload" }).click();
  await expect(session.getByRole("status")).toHaveText("No session yet");
});

test("the panel tells a session that was never triggered from one that was", async ({ page }) => {
  // The lender's server takes the session's id and never triggers the session.
  await page.route("**/preview/loan/offers", (route) => route.fulfill({ json: { offers: "ready" } }));
  await page.clock.install();
  await page.goto(`${demo.site}/preview?page=loan`);
  const loan = page.frameLocator("#frame");
  await loan.getByLabel("How much would you like to borrow?").fill("20000");
  await loan.getByLabel("What are you paid a month?").fill("1500");
  await loan.getByLabel("What describes you best?").selectOption("employed");
  await loan.getByRole("button", { name: "Ask for the loan" }).click();
  const session = page.locator("#session");
  await expect(session.getByRole("status")).toHaveText("Pending");
  await expect(session).toContainText(/Asked (once|\d+ times) so far\./);
  await page.clock.fastForward("15:00");
  await expect(session.getByRole("status")).toHaveText("Expired");
  await expect(loan.getByRole("dialog")).toHaveCount(0);
  await expect(loan.locator("#offers-text")).toHaveText(/Nobody answered in time/);
});

for (const width of [320, 768, 1280]) {
  test(`at ${width} px no page needs sideways scrolling`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 });
    const preview = ["/preview", "/preview?page=magazine", "/preview?page=loan"];
    const advertiser = "/advertisers/brightwave-energy?click_id=abc";
    for (const path of ["/", "/article", "/magazine", "/loan", ...preview, advertiser]) {
      await page.goto(demo.site + path);
      const { scrollWidth, clientWidth } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return { scrollWidth, clientWidth };
      });
      expect(scrollWidth, path).toBeLessThanOrEqual(clientWidth);
    }
  });
}

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { drawnRequest, impressionRequests } from "./expected-requests.ts";
import { type Lender, openLender } from "./lender.ts";
import { holdTime, letPass, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit, type Visit } from "./visit.ts";
import type { WireRequest } from "./wire.ts";

test.use({ viewport: { width: 1280, height: 2200 }, contextOptions: { reducedMotion: "reduce" } });

let lender: Lender;
test.beforeAll(async () => {
  lender = await openLender({ TRUST_PROXY_HOPS: "1" });
});
test.beforeEach(() => {
  lender.wire.tamper = null;
  lender.wire.visitorAddress = null;
});
test.afterAll(() => lender?.close());

const triggerPath = "/v1/widget-decline/trigger";
const sessionPath = "/v1/widget-decline/session";

/** A tag that begins nothing by itself asks for no decision. */
const tagRequests = ["GET /embed.js 200", "GET /c/*.js 200", "POST /v1/events/snippet-ping 204"] as const;

/** The tag, then the files that a session needs, then the session. */
const sessionRequests = [
  ...tagRequests,
  ["GET /c/*.js 200", "GET /c/*.js 200"],
  "POST /v1/widget-decline/session 201",
] as const;

test("a declined applicant waits, the lender's server says its word, and offers are shown", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, lender, "/loan");
  await visit.expectMade(tagRequests);

  await apply(page, { amount: "20,000", income: "1,500" });
  await expect(page.getByRole("heading", { name: "Sorry, we can’t lend you that." })).toBeVisible();
  await expect(page.getByText("The most we could lend you is £6,000.")).toBeVisible();
  await untilOpenInHeldTime(page);
  const waiting = page.getByRole("dialog", { name: "One moment, please" });
  await letPass(page, 300);
  await expect(waiting.getByRole("status")).toHaveText(/looking for something/);
  // The word is said at once, but the page does not ask for it while its time stands still.
  await expect.poll(() => statusOf(visit, triggerPath)).toBe(200);
  await expect(waiting.getByRole("status")).toHaveText(/looking for something/);
  await expect(page.locator("#offers-text")).toHaveText(/asking whether another company/);

  await letPass(page, 2500);
  const ready = page.getByRole("dialog", { name: "Other options for you" });
  await expect(ready.getByRole("status")).toHaveText("Offers are ready.");
  const offers = await ready.getByRole("article").count();
  expect(offers).toBeGreaterThan(2);
  await letPass(page, 1100);
  await visit.expectMade([
    ...sessionRequests,
    `POST ${triggerPath} 200`,
    "GET /v1/widget-decline/session/* 200",
    "GET /v1/offers 200",
    drawnRequest,
    impressionRequests(offers),
  ]);
  expect(bodiesOf(visit, "/v1/events/impression").map(({ surface }) => surface)).toEqual(
    Array(offers).fill("decline"),
  );
  expectServerToServer(visit.only(triggerPath), visit, "amount_above_income");
  expect(await page.content()).not.toMatch(/its_\w{32}/);

  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("#offers-text")).toHaveText(/You have closed the offers/);
  await expect(page.getByRole("heading", { name: "Sorry, we can’t lend you that." })).toBeFocused();
});

test("an approved applicant opens nothing", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, lender, "/loan");
  await apply(page, { amount: "3000", income: "1500" });
  await expect(page.getByRole("heading", { name: "Yes, we can lend you that." })).toBeFocused();
  await expect(page.getByText("£136.92 a month")).toBeVisible();
  await letPass(page, 60_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await visit.expectMade(tagRequests);
});

test("the application, the waiting, the offers and both answers have no accessibility violation", async ({
  page,
}) => {
  // The lender's server waits four seconds for its word to be taken, and looking at a page may take longer: the
  // browser is told to wait instead.
  lender.wire.tamper = ({ method, path }) => {
    if (method !== "GET" || !path.startsWith(`${sessionPath}/`)) return null;
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const sessionId = path.slice(sessionPath.length + 1);
    return {
      status: 200,
      headers: { "access-control-allow-origin": "*", "content-type": "application/json" },
      body: JSON.stringify({ sessionId, expiresAt, pollAfterMs: 1000, language: "", status: "pending" }),
    };
  };
  await openVisit(page, lender, "/loan");
  await expectAccessible(page);
  await apply(page, { amount: "20000", income: "1500" });
  await expect(page.getByRole("dialog", { name: "One moment, please" })).toBeVisible();
  await expectAccessible(page);
  lender.wire.tamper = null;
  await expect(page.getByRole("dialog", { name: "Other options for you" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Change my application" }).click();
  await apply(page, { amount: "500", income: "1500" });
  await expect(page.getByRole("heading", { name: "Yes, we can lend you that." })).toBeVisible();
  await expectAccessible(page);
});

test("who is on the register is shown nothing to borrow, to bet or to trade with", async ({ page }) => {
  // The University of Cambridge: in Britain loans and trading are advertised.
  lender.wire.visitorAddress = "131.111.8.1";
  // The page waits a few seconds for its session, which a machine that stands still may take.
  await holdTime(page);
  const verticalsAfter = async (onRegister: boolean): Promise<string[]> => {
    const visit = await openVisit(page, lender, "/loan");
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/offers");
    await apply(page, { amount: "20000", income: "1500", onRegister });
    await expect(page.locator("#offers-text")).toHaveText(/asking whether another company/);
    await expect.poll(() => statusOf(visit, triggerPath)).toBe(200);
    await letPass(page, 2500);
    // As many as there are: which six stand first is drawn.
    const all = new URL((await answer).url());
    all.searchParams.set("limit", "20");
    const { premium, standard } = await page.evaluate(async (url) => (await fetch(url)).json(), all.href);
    await expect(page.getByRole("dialog", { name: "Other options for you" })).toBeVisible();
    expectServerToServer(
      visit.only(triggerPath),
      visit,
      onRegister ? "self_excluded" : "amount_above_income",
    );
    return [...premium, ...standard].map(({ vertical }) => vertical);
  };
  const [free, protectedOnes] = [await verticalsAfter(false), await verticalsAfter(true)];
  const delicate = ["gambling", "loans", "trading"];
  expect(free.filter((vertical) => delicate.includes(vertical)).length).toBeGreaterThan(0);
  expect(protectedOnes.filter((vertical) => delicate.includes(vertical))).toEqual([]);
  expect(protectedOnes.length).toBeGreaterThan(2);
});

test("a lender's server that is not heard leaves nobody waiting", async ({ page }) => {
  lender.wire.tamper = ({ path }) => (path === triggerPath ? { status: 503, body: "{}" } : null);
  await holdTime(page);
  const visit = await openVisit(page, lender, "/loan");
  await visit.untilMade(tagRequests);
  await apply(page, { amount: "20000", income: "1500" });
  await expect(page.locator("#offers-text")).toHaveText(/nothing else to show you/);
  await letPass(page, 60_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await visit.expectMade([...sessionRequests, `POST ${triggerPath} 503`]);
});

test("who has closed the offers while they were looked for is told of no other end", async ({ page }) => {
  const word = Promise.withResolvers<void>();
  await page.route("**/loan/offers", async (route) => {
    await word.promise;
    await route.fulfill({ json: { offers: "none" } });
  });
  await holdTime(page);
  await openVisit(page, lender, "/loan");
  await apply(page, { amount: "20000", income: "1500" });
  await untilOpenInHeldTime(page);
  await page.keyboard.press("Escape");
  await expect(page.locator("#offers-text")).toHaveText(/You have closed the offers/);
  const reply = page.waitForResponse("**/loan/offers");
  word.resolve();
  await (await reply).finished();
  await letPass(page, 60_000);
  await expect(page.locator("#offers-text")).toHaveText(/You have closed the offers/);
});

for (const [what, waitMs, isSoon] of [
  ["gets its offers", 5000, true],
  ["gets none where that takes too long", 6000, false],
] as const) {
  test(`an application that is sent before the tag's script has come ${what}`, async ({ page }) => {
    const script = Promise.withResolvers<void>();
    lender.wire.tamper = ({ path }) => (path === "/embed.js" ? script.promise : null);
    await holdTime(page);
    const visit = await openVisit(page, lender, "/loan", "domcontentloaded");
    await apply(page, { amount: "20000", income: "1500" });
    await expect(page.locator("#offers-text")).toHaveText(/asking whether another company/);
    await letPass(page, waitMs);
    script.resolve();
    if (isSoon) {
      await expect.poll(() => statusOf(visit, triggerPath)).toBe(200);
      await letPass(page, 2500);
      await expect(page.getByRole("dialog", { name: "Other options for you" })).toBeVisible();
      expectServerToServer(visit.only(triggerPath), visit, "amount_above_income");
    } else {
      await visit.untilMade(tagRequests);
      await letPass(page, 60_000);
      await expect(page.locator("#offers-text")).toHaveText(/nothing else to show you/);
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await visit.expectMade(tagRequests);
    }
  });
}

test("the application is sent once, and a refusal that the lender no longer knows ends in nothing", async ({
  page,
}) => {
  const sent: unknown[] = [];
  await page.route("**/loan/offers", async (route) => {
    const body = route.request().postDataJSON();
    sent.push(body);
    await route.continue({ postData: JSON.stringify({ ...body, reference: "of-another-day" }) });
  });
  await holdTime(page);
  const visit = await openVisit(page, lender, "/loan");
  await apply(page, { amount: "20000", income: "1500" });
  await expect(page.locator("#offers-text")).toHaveText(/nothing else to show you/);
  await letPass(page, 60_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(sent).toEqual([
    { reference: expect.stringMatching(/^[\w-]{36}$/), sessionId: expect.stringMatching(/^dcl_/) },
  ]);
  // Browsers report every answer of 404 in their console.
  await visit.expectMade(sessionRequests, [/status of 404/]);
});

test("without the service the page declines in its own words alone", async ({ page }) => {
  lender.wire.tamper = () => "drop";
  await holdTime(page);
  await page.goto(`${lender.host.origin}/loan`);
  await apply(page, { amount: "20000", income: "1500" });
  await expect(page.getByRole("heading", { name: "Sorry, we can’t lend you that." })).toBeFocused();
  await letPass(page, 5900);
  await expect(page.locator("#offers-text")).toHaveText(/asking whether another company/);
  await letPass(page, 100);
  await expect(page.locator("#offers-text")).toHaveText(/nothing else to show you/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Change my application" }).click();
  await expect(page.getByLabel("How much would you like to borrow?")).toBeFocused();
  await expect(page.getByLabel("How much would you like to borrow?")).toHaveValue("20000");
});

test("what is missing is said at its field, and the first of them has the focus", async ({ page }) => {
  const visit = await openVisit(page, lender, "/loan");
  await page.getByLabel("How much would you like to borrow?").fill("3000");
  await page.getByRole("button", { name: "Ask for the loan" }).click();
  const income = page.getByLabel("What are you paid a month?");
  await expect(income).toBeFocused();
  await expect(income).toHaveAccessibleDescription(/Enter what you are paid a month/);
  await expect(page.getByLabel("What describes you best?")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("How much would you like to borrow?")).not.toHaveAttribute("aria-invalid");
  await expectAccessible(page);
  // Browsers report every answer of 400 in their console.
  await visit.expectMade(tagRequests, [/status of 400/]);
});

type Wish = { amount: string; income: string; onRegister?: boolean };

const apply = async (page: Page, { amount, income, onRegister = false }: Wish): Promise<void> => {
  await page.getByLabel("How much would you like to borrow?").fill(amount);
  await page.getByLabel("What are you paid a month?").fill(income);
  await page.getByLabel("What describes you best?").selectOption({ label: "Employed" });
  if (onRegister) await page.getByLabel(/I am on a register/).check();
  await page.getByRole("button", { name: "Ask for the loan" }).click();
};

/** The call came from the lender's own server, with its secret and no sign of a browser, about the page's session. */
const expectServerToServer = ({ headers, body }: WireRequest, visit: Visit, reason: string): void => {
  expect(headers.authorization).toMatch(/^Bearer its_\w+$/);
  expect(headers.origin).toBeUndefined();
  expect(headers["user-agent"]).not.toContain("Mozilla");
  const polled = visit.requests().find(({ path }) => path.startsWith("/v1/widget-decline/session/dcl_"));
  expect(JSON.parse(body)).toEqual({ sessionId: polled?.path.split("/").at(-1), reason });
};

const statusOf = (visit: Visit, wanted: string) =>
  visit.requests().find(({ path }) => path === wanted)?.status;

const bodiesOf = (visit: Visit, wanted: string) =>
  visit
    .requests()
    .filter(({ path }) => path === wanted)
    .map(({ body }) => JSON.parse(body));

const expectAccessible = async (page: Page): Promise<void> => {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
};

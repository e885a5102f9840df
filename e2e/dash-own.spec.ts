import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, expect, type Locator, type Page, type Response, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { hold, signIn, testPassword } from "./dash.ts";
import { makePatient } from "./patient-page.ts";
import { openWorld, type World } from "./world.ts";

test.use({ viewport: { width: 1280, height: 1000 } });

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "Pier Times", geo: everybodyBlocked },
      { name: "Open Sea", geo: { mode: "blocklist", entries: ["FR"], unknown: "allow" } },
    ],
  });
});
test.afterAll(() => world?.close());

/** Somebody of the publisher, who goes to a page of the dashboard. */
const arrive = async (
  { context, page }: { context: BrowserContext; page: Page },
  path: string,
  email: string,
  role: "viewer" | "owner" = "owner",
): Promise<void> => {
  const { publisherId } = world.catalogue;
  await signIn(context, { service: world.service, url: world.wire.url }, { email, publisherId, role });
  await page.goto(`${world.wire.url}/dash${path}`);
};

const expectNoViolations = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
};

const statusWith = async (context: BrowserContext, key: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await context.request.get(`${world.service.url}/v1/reports/aggregate`, { headers })).status();
};

/** What a page and its browser hold, as text. */
const heldBy = async (page: Page): Promise<string> => {
  const stored = await page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      history.state,
      document.cookie,
      location.href,
    ]),
  );
  return `${await page.content()} ${stored} ${JSON.stringify(await page.context().cookies())}`;
};

/** The card whose content answers another question than the page asks by now. */
const busy = (page: Page): Locator => page.locator('.card[aria-busy="true"]');

const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });

test("a key is seen once, works, and is nowhere once its page was left", async ({ page, context }) => {
  await arrive({ page, context }, "/team", "keys@pier.example");
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await expect(page.getByRole("heading", { name: "No key yet" })).toBeVisible();
  await expectNoViolations(page);

  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("This is required.");
  await dialog.getByLabel("Name").fill("Nightly report");
  const scopes = dialog.getByRole("group", { name: "It may" });
  for (const box of await scopes.getByRole("checkbox").all()) await box.uncheck();
  await dialog.getByRole("button", { name: "Create the key" }).click();
  await expect(scopes.getByRole("alert")).toHaveText("Choose at least one.");
  await expect(scopes).toHaveAccessibleDescription("Choose at least one.");
  for (const box of await scopes.getByRole("checkbox").all()) await box.check();
  await expectNoViolations(page);
  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await dialog.getByRole("button", { name: "Create the key" }).click();
  expect((await answered).headers()["cache-control"]).toBe("no-store");
  const shown = page.getByRole("region", { name: "The new key" }).locator("code");
  const key = (await shown.textContent()) ?? "";
  expect(key).toMatch(/^sk_/);
  await expect(page.getByRole("region", { name: "A call with the key" })).toContainText("/v1/decision");
  await expectNoViolations(page);
  await expect.poll(() => statusWith(context, key)).toBe(200);

  const later: Promise<string>[] = [];
  const note = (answer: Response) => {
    if (answer.status() !== 304) later.push(answer.text().catch(() => ""));
  };
  page.on("response", note);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Team" })).toBeVisible();
  expect(await heldBy(page)).not.toContain(key);
  await page.goForward();
  await expect(row(page, "Nightly report")).toContainText(key.slice(-4));
  await page.reload();
  await expect(row(page, "Nightly report")).toBeVisible();
  expect(await heldBy(page)).not.toContain(key);
  expect(later.length).toBeGreaterThan(3);
  for (const text of await Promise.all(later)) expect(text).not.toContain(key.slice(20, 40));

  await row(page, "Nightly report").getByRole("button", { name: /^Roll/ }).click();
  await page.getByRole("button", { name: "Roll the key" }).click();
  const second = (await shown.textContent()) ?? "";
  expect(second).not.toBe(key);
  await page.getByRole("button", { name: "I saved it" }).click();
  expect(await heldBy(page)).not.toContain(second);
  await expect.poll(() => statusWith(context, second)).toBe(200);
  expect(await statusWith(context, key)).toBe(200);
  await row(page, second.slice(-4))
    .getByRole("button", { name: /^Revoke/ })
    .click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await expect(page.getByRole("link", { name: "Ended 1" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Working" })).toBeFocused();
  await expect.poll(() => statusWith(context, second)).toBe(401);
  expect(await statusWith(context, key)).toBe(200);

  await page.getByRole("link", { name: "Activity" }).click();
  await expect(row(page, "Revoked")).toContainText("keys");
  await expect(page.getByText("A file has the newest 10,000 changes.")).toBeVisible();
  await expectNoViolations(page);
});

test("a call that needs the password again asks for it in front of the page, and goes on", async ({
  page,
  context,
}) => {
  await arrive({ page, context }, "/keys", "late@pier.example");
  // As it is a quarter of an hour after the sign-in, but for the wait.
  let isRecent = false;
  await page.route("**/dash/api/publishers/*/keys", (route) =>
    isRecent || route.request().method() === "GET"
      ? route.continue()
      : route.fulfill({
          status: 403,
          contentType: "application/problem+json",
          body: JSON.stringify({ code: "sign_in_again", detail: "Give your password again.", status: 403 }),
        }),
  );
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Late");
  await page.getByRole("button", { name: "Create the key" }).click();
  const question = page.getByRole("dialog", { name: "Your password, please" });
  await question.getByLabel("Password").fill("not this one");
  await question.getByRole("button", { name: "Go on" }).click();
  // Heard at once, though the focus is on the button, and belongs to its field.
  await expect(question.getByRole("alert")).toHaveText("This is not your password.");
  await expect(question.getByLabel("Password")).toHaveAccessibleDescription("This is not your password.");
  await expectNoViolations(page);
  await question.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText("Give your password again.")).toBeVisible();

  await page.getByRole("button", { name: "Create the key" }).click();
  await question.getByLabel("Password").fill(testPassword);
  isRecent = true;
  await question.getByLabel("Password").press("Enter");
  await expect(page.getByRole("heading", { name: "Your new key" })).toBeVisible();
  await expect(question).toBeHidden();
});

test("an invitation's link is shown once, and lets somebody in whose role can be changed and taken", async ({
  page,
  context,
  browser,
}) => {
  await arrive({ page, context }, "/team", "owner@pier.example");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("E-mail").fill("friend@pier.example");
  await page.getByLabel("Role", { exact: true }).selectOption("editor");
  await page.getByRole("button", { name: "Make the link" }).click();
  const shown = page.getByRole("region", { name: "The link of the invitation" }).locator("code");
  const link = (await shown.textContent()) ?? "";
  expect(link).toMatch(/\/dash\/link\/\S{40,}$/);
  await expectNoViolations(page);
  await expect(row(page, "friend@pier.example")).toBeVisible();
  const cookies = await context.cookies();
  await context.clearCookies();
  const read = page.waitForResponse(/\/team\??$/);
  await row(page, "friend@pier.example")
    .getByRole("button", { name: /^Withdraw/ })
    .click();
  expect((await read).status()).toBe(401);
  await expect(page.getByText("Sign in in another tab, then save again.")).toBeVisible();
  await expect(page).toHaveURL(/\/dash\/team$/);
  await expect(shown).toHaveText(link);
  await context.addCookies(cookies);
  await page.reload();
  await expect(row(page, "friend@pier.example")).toContainText("Editor");
  expect(await heldBy(page)).not.toContain(link);

  const theirs = await browser.newContext();
  const friend = await theirs.newPage();
  await friend.goto(link);
  await friend.getByLabel(/password/i).fill("a sentence of a friend");
  await friend.getByRole("button").first().click();
  await friend.goto(`${world.wire.url}/dash/team`);
  await expect(row(friend, "friend@pier.example")).toContainText("You");
  await expect(friend.getByRole("button", { name: "Invite somebody" })).toHaveCount(0);

  await page.reload();
  await page.getByLabel(/^Role of friend/).selectOption("viewer");
  await friend.reload();
  await expect(row(friend, "friend@pier.example")).toContainText("Editor");
  await page.getByRole("button", { name: "Save the role of friend" }).click();
  await expect(page.getByRole("button", { name: /^Save/ })).toHaveCount(0);
  await expect(page.getByLabel(/^Role of friend/)).toBeFocused();
  await friend.reload();
  await expect(row(friend, "friend@pier.example")).toContainText("Viewer");
  await row(page, "friend@pier.example")
    .getByRole("button", { name: /^Remove/ })
    .click();
  await page.getByRole("button", { name: "Remove from the team" }).click();
  await expect(row(page, "friend@pier.example")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "People" })).toBeFocused();
  await friend.reload();
  await expect(friend.getByRole("link", { name: "Team" })).toHaveCount(0);
  await theirs.close();
});

test("an owner who is one no more is offered nothing that an owner does", async ({
  page,
  context,
  browser,
}) => {
  const other = await browser.newContext();
  await arrive({ page: await other.newPage(), context: other }, "/team", "stays@pier.example");
  await other.close();
  await arrive({ page, context }, "/team", "steps@pier.example");
  await page.getByLabel(/^Role of steps/).selectOption("editor");
  await page.getByRole("button", { name: "Save the role of steps" }).click();
  await expect(page.getByRole("button", { name: "Invite somebody" })).toHaveCount(0);
  await expect(row(page, "steps@pier.example")).toContainText("Editor");
  await expect(page.getByRole("button", { name: /^Remove/ })).toHaveCount(0);
});

test("an owner who is shut out can be removed by the only other one, who stays", async ({
  page,
  context,
  browser,
}) => {
  const { publisherId } = await world.service.admin<{ publisherId: string }>(
    ...["publisher", "create", "--name", "Buoys"],
  );
  const at = { service: world.service, url: world.wire.url };
  const other = await browser.newContext();
  await signIn(other, at, { email: "out@buoys.example", publisherId });
  await other.close();
  await signIn(context, at, { email: "only@buoys.example", publisherId });
  await world.service.admin("user", "disable", "--email", "out@buoys.example");
  await page.goto(`${world.wire.url}/dash/team`);
  await expect(row(page, "only@buoys.example")).toContainText("The last owner stays");
  await row(page, "out@buoys.example")
    .getByRole("button", { name: /^Remove/ })
    .click();
  await page.getByRole("button", { name: "Remove from the team" }).click();
  await expect(row(page, "out@buoys.example")).toHaveCount(0);
});

test("a real visit is explained, and the same visit simulated", async ({ page, context }) => {
  const decided = page.waitForResponse(/\/v1\/decision/);
  const seen = page.waitForResponse(/\/v1\/events\/impression/);
  await makePatient(page);
  await page.goto(`${world.host.origin}${world.publish("/explained", "Pier Times")}`);
  const { requestId } = await (await decided).json();
  await expect(page.getByRole("dialog")).toBeVisible();
  await seen;

  await arrive({ page, context }, "/explain", "reader@pier.example", "viewer");
  await expect(page.getByRole("heading", { name: "Which visit?" })).toBeVisible();
  await page.getByLabel("The id of a visit, an event or a click").fill(requestId);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByRole("heading", { name: "Blocked, 3 offers handed out" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "3 offers handed out" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "seen" })).toBeVisible();
  await expect(row(page, "Anchor Bank")).toContainText("Premium, seen");
  await expect(page.getByText(/payout|budget had/i)).toHaveCount(0);
  await expectNoViolations(page);
  await page.getByLabel("The id of a visit, an event or a click").fill("req_nobodys");
  const explain = await hold(page, /\/explain\?/);
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByRole("heading", { name: "Blocked, 3 offers handed out" })).toBeHidden();
  explain();
  await expect(page.getByText("No visit of yours has this id")).toBeVisible();

  const { websiteKey } = world.website("Open Sea");
  await page.goto(`${world.wire.url}/dash/websites/${websiteKey}/simulate`);
  await page.getByLabel("Country").fill("fr");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByRole("heading", { name: "Blocked, 3 offers shown" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Simulate" })).toBeFocused();
  await expect(row(page, "Anchor Bank")).toContainText("Premium");
  await expectNoViolations(page);
  const drawn = () => new URL(page.url()).searchParams.get("draw");
  await expect.poll(drawn).toMatch(/^[\w-]{16}$/);
  const draw = drawn();
  const simulate = await hold(page, /\/simulate\?/);
  await page.getByRole("button", { name: "From an unknown place" }).click();
  await expect(busy(page)).toContainText("Blocked, 3 offers shown");
  simulate();
  await expect(page.getByRole("heading", { name: "Let through to the page, 0 offers shown" })).toBeVisible();
  await expect(busy(page)).toHaveCount(0);
  expect(drawn()).toBe(draw);
  await expect(page.getByLabel("Country")).toHaveValue("");
  await page.goBack();
  await expect(page.getByLabel("Country")).toHaveValue("fr");
  await page.getByLabel("Country").fill("XX");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText("must be a country of ISO 3166-1 such as DE")).toBeVisible();
});

test("figures of another question are marked, or not drawn, while those of this one are awaited", async ({
  page,
  context,
}) => {
  const decided = page.waitForResponse(/\/v1\/decision/);
  await makePatient(page);
  await page.goto(`${world.host.origin}${world.publish("/counted", "Pier Times")}`);
  await (await decided).finished();
  // Days that the page does not choose itself: midnight may come between it and the test.
  const now = Date.now();
  const [yesterday, today] = [now - 24 * 60 * 60 * 1000, now].map((moment) =>
    new Date(moment).toISOString().slice(0, 10),
  );
  await arrive({ page, context }, `/?range=${yesterday}..${today}`, "figures@pier.example", "viewer");
  const before = page.getByText(/^Period before, /);
  await expect(before).toBeVisible();
  const earlier = await hold(
    page,
    /\/report\?/,
    (call) => new URL(call.url()).searchParams.get("to") !== today,
  );
  await page.getByLabel("Website", { exact: true }).selectOption({ label: "Pier Times" });
  await expect(page.getByText("Live traffic of Pier Times")).toBeVisible();
  await expect(before).toBeHidden();
  earlier();
  await expect(before).toBeVisible();
  const figures = await hold(page, /\/report\?/);
  await page.getByLabel("Website", { exact: true }).selectOption({ label: "All websites" });
  for (const card of ["Places", "Verticals", "What did not count"]) {
    await expect(busy(page).filter({ has: page.getByRole("heading", { name: card }) })).toHaveCount(1);
  }
  figures();
  await expect(busy(page)).toHaveCount(0);

  await page.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("table", { name: "The report" })).toBeVisible();
  const report = await hold(page, /\/report\?/);
  await page.getByLabel("Rows are told apart by").getByRole("link", { name: "Country" }).click();
  await expect(busy(page)).toContainText("Blocked");
  report();
  await expect(busy(page)).toHaveCount(0);

  for (const [name, call, choice, holds] of [
    ["Offers", /\/offers\?/, { label: "Vertical", value: "travel" }, "Buoy Mobile"],
    ["Activity", /\/activity\?/, { label: "About", value: "website" }, "figures@pier.example"],
  ] as const) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect(row(page, holds).first()).toBeVisible();
    const goOn = await hold(page, call);
    await page.getByLabel(choice.label).selectOption(choice.value);
    await expect(busy(page)).toContainText(holds);
    goOn();
    await expect(row(page, holds)).toHaveCount(0);
    await expect(busy(page)).toHaveCount(0);
  }

  // That there is nothing is not said of another choice either.
  const nothing = page.getByRole("heading", { name: "No offer fits" });
  await page.goto(`${world.wire.url}/dash/offers?search=nothing-like-it`);
  await expect(nothing).toBeVisible();
  const offers = await hold(page, /\/offers\?/);
  await page.getByLabel("Vertical").selectOption("travel");
  await expect(nothing).toBeHidden();
  offers();
  await expect(nothing).toBeVisible();
});

/** What the service answers of days of which so many visits were blocked. */
const reportOf = (counts: Record<string, number>, query: URLSearchParams) => {
  const [from = "", to = ""] = [query.get("from"), query.get("to")].map(String);
  const none = { served: 0, drawn: 0, impressions: 0, clicks: 0, billableClicks: 0, filtered: 0 };
  const rowOf = (blocked: number) => ({ blocked, ...none, spend: 0, earnings: 0, currency: null });
  const days = Object.entries(counts).filter(([date]) => date >= from && date <= to);
  const sum = rowOf(days.reduce((all, [, blocked]) => all + blocked, 0));
  const items = days.map(([date, blocked]) => ({ date, ...rowOf(blocked) }));
  return { items, from, to, totals: sum, totalsByCurrency: [sum] };
};

test("today, which is not over, is shown as what it has so far and compared with no whole day", async ({
  page,
  context,
}) => {
  const counts = { "2026-11-26": 10, "2026-11-27": 20, "2026-11-28": 30, "2026-11-29": 40, "2026-11-30": 50 };
  await page.clock.setFixedTime("2026-12-01T05:00:00Z");
  await page.route(/\/report\?/, (route) =>
    route.fulfill({
      json: reportOf({ ...counts, "2026-12-01": 3 }, new URL(route.request().url()).searchParams),
    }),
  );
  await arrive(
    { page, context },
    "/?range=2026-11-29..2026-12-01&figure=blocked",
    "early@pier.example",
    "viewer",
  );
  const figure = page.getByRole("link", { name: /^Blocked visits/ });
  await expect(figure).toContainText("93");
  await expect(figure).toContainText("+200% vs before");
  await expect(page.getByText("Today so far, left out of what is compared")).toBeVisible();
  const slider = page.getByRole("slider");
  await slider.focus();
  await expect(slider).toHaveAttribute(
    "aria-valuetext",
    "Tuesday 1 December, so far, 3 blocked, 30 on 28 Nov",
  );
  await page.keyboard.press("ArrowLeft");
  await expect(slider).toHaveAttribute(
    "aria-valuetext",
    "Monday 30 November, 50 blocked, 20 on 27 Nov · +150%",
  );
  await page.getByRole("link", { name: "Show as table" }).click();
  await expect(row(page, "so far")).toHaveCount(1);
  await expect(row(page, "so far")).toContainText("Tue 1 Dec 2026");

  // Of one day there is no line, and of the day before no less is to be seen than of it.
  await page.goto(`${world.wire.url}/dash/?range=2026-12-01..2026-12-01&figure=blocked`);
  await expect(figure).toContainText("no whole day yet");
  await expect(page.getByText("Today so far", { exact: true })).toBeVisible();
  await expect(page.locator(".chart circle:not(.before)")).toHaveCount(1);
  await expect(page.locator(".chart circle.before")).toHaveCount(1);
  await page.goto(`${world.wire.url}/dash/?range=2026-11-29..2026-11-30&figure=blocked`);
  await expect(figure).toContainText("+80% vs before");
  await expect(page.getByText(/^Today so far/)).toHaveCount(0);
});

test("a click rate of a day on which nothing was seen is a gap in the line, as it is a dash in the table", async ({
  page,
  context,
}) => {
  await page.clock.setFixedTime("2026-12-01T05:00:00Z");
  await page.route(/\/report\?/, (route) => {
    const report = reportOf(
      { "2026-11-26": 1, "2026-11-27": 1, "2026-11-28": 1, "2026-11-30": 1 },
      new URL(route.request().url()).searchParams,
    );
    const items = report.items.map((row) => ({
      ...row,
      impressions: row.date === "2026-11-28" ? 0 : 100,
      clicks: row.date === "2026-11-28" ? 0 : 5,
    }));
    return route.fulfill({ json: { ...report, items } });
  });
  await arrive(
    { page, context },
    "/?range=2026-11-26..2026-11-30&figure=rate&compare=off",
    "gap@pier.example",
    "viewer",
  );
  const slider = page.getByRole("slider");
  await slider.focus();
  await expect(slider).toHaveAttribute("aria-valuetext", "Monday 30 November, 5.00% click rate");
  // The line of two days, and the day beyond the gap by itself.
  await expect(page.locator(".chart path.line:not(.so-far)")).toHaveAttribute("d", /^M[^ML]+L[^ML]+$/);
  await page.keyboard.press("Home");
  await expect(page.locator(".chart svg > circle")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", "Saturday 28 November, – click rate");
});

test("what cannot be copied, as over plain http, is said to be so", async ({ page, context }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await arrive({ page, context }, "/reports", "copies@pier.example", "viewer");
  await page.getByRole("button", { name: "Copy as API call" }).click();
  await expect(page.getByText("The browser did not let this be copied")).toBeVisible();
});

test("an address that names a publisher of somebody else's shows none of one's own figures", async ({
  page,
  context,
}) => {
  await arrive({ page, context }, "/reports?p=pub_of_others", "guest@pier.example", "viewer");
  await expect(page.getByRole("heading", { name: "Not open to you" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Reports" })).toHaveCount(0);
  await page.getByRole("link", { name: "To Pier" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("offers are looked for by the key /, and one leads to the simulation of a visit", async ({
  page,
  context,
}) => {
  await arrive({ page, context }, "/offers", "offers@pier.example", "viewer");
  await expect(row(page, "Buoy Mobile")).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press("/");
  await page.keyboard.type("compass");
  await expect(row(page, "Buoy Mobile")).toHaveCount(0);
  await expect(page).toHaveURL(/search=compass/);
  await row(page, "Compass Travel").getByRole("button").click();
  await expectNoViolations(page);
  await page.getByRole("dialog").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Simulate a visit" })).toBeVisible();
});

test("the search box follows the address, and what is chosen while somebody types stays chosen", async ({
  page,
  context,
}) => {
  await arrive({ page, context }, "/offers?page=99", "finder@pier.example", "viewer");
  await page.getByRole("link", { name: "Show the first page" }).click();
  await expect(row(page, "Buoy Mobile")).toBeVisible();
  const box = page.getByLabel("Search offers");
  await box.fill("compass");
  await page.getByLabel("Vertical").evaluate(async (select: HTMLSelectElement) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    select.value = "travel";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    // For longer than the pause after which what was typed is looked for: that comes before all this is drawn.
    const from = performance.now();
    while (performance.now() - from < 400);
  });
  await expect(page).toHaveURL(/search=compass/);
  await expect(page).toHaveURL(/vertical=travel/);
  await box.fill("nothing like it");
  await page.getByRole("link", { name: "Show all offers" }).click();
  await expect(box).toHaveValue("");
  await expect(row(page, "Buoy Mobile")).toBeVisible();
  await page.goBack();
  await expect(box).toHaveValue("nothing like it");
});

test("one's own name, colours and sessions are changed", async ({ page, context, browser }) => {
  await arrive({ page, context }, "/me", "self@pier.example", "viewer");
  await page.getByRole("textbox", { name: "Name" }).fill("Ada Keller");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByLabel("Colours").selectOption("dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectNoViolations(page);

  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  const signInElsewhere = async () => {
    await elsewhere.goto(`${world.wire.url}/dash/sign-in`);
    await elsewhere.getByLabel(/e-mail/i).fill("self@pier.example");
    await elsewhere.getByLabel(/password/i).fill(testPassword);
    await elsewhere.getByRole("button", { name: /sign in/i }).click();
    await elsewhere.goto(`${world.wire.url}/dash/me`);
  };
  await signInElsewhere();
  await expect(elsewhere.getByRole("textbox", { name: "Name" })).toHaveValue("Ada Keller");
  await page.reload();
  await expect(page.getByRole("row")).toHaveCount(3);
  await elsewhere.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: /^End the session of/ }).click();
  await expect(page.getByRole("row")).toHaveCount(2);

  await signInElsewhere();
  await page.reload();
  await page.getByLabel("Password now").fill("typed");
  const cookies = await context.cookies();
  await context.clearCookies();
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByText("Sign in in another tab, then save again.")).toBeVisible();
  await context.addCookies(cookies);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByLabel("Password now")).toHaveValue("typed");
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/dash\/sign-in/);
  await other.close();
});

test("whoever has no password is told how to come by one", async ({ page, context }) => {
  let isOperator = false;
  await page.route(/\/dash\/api\/me\??$/, async (route) => {
    const response = await route.fetch();
    const me = await response.json();
    await route.fulfill({ response, json: { ...me, user: { ...me.user, isOperator, hasPassword: false } } });
  });
  await arrive({ page, context }, "/me", "none@pier.example", "viewer");
  await expect(page.getByText("To choose one, ask the operator of this service for a link.")).toBeVisible();
  await expect(page.getByLabel("Password now")).toHaveCount(0);
  await expectNoViolations(page);
  isOperator = true;
  await page.reload();
  await expect(page.getByRole("main").getByRole("link", { name: "Users" })).toBeVisible();
});

test("a password that is sent by pressing Enter twice is changed once, and said to be", async ({
  page,
  context,
}) => {
  await arrive({ page, context }, "/me", "twice@pier.example", "viewer");
  let sent = 0;
  const held = Promise.withResolvers<void>();
  await page.route("**/me/password", async (route) => {
    sent += 1;
    await held.promise;
    await route.continue();
  });
  await page.getByLabel("Password now").fill(testPassword);
  await page.getByLabel("New password").fill("another sentence of this test");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  held.resolve();
  await expect(page.getByText("Saved.")).toBeVisible();
  expect(sent).toBe(1);
});

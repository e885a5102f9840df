import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import { hold, signIn, testPassword } from "./dash.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let context: BrowserContext;
/** Of an operator who is an owner of the publisher too. */
let operators: BrowserContext;
test.beforeAll(async ({ browser }) => {
  world = await openWorld({ websites: [{ name: "Journal" }, { name: "Herald" }] });
  context = await browser.newContext();
  await sign(context, "ada@example.com");
  operators = await browser.newContext();
  await signIn(
    operators,
    { service: world.service, url: world.wire.url },
    { email: "olga@example.com", isOperator: true, publisherId: world.catalogue.publisherId },
  );
});
test.afterAll(async () => {
  await operators.close();
  await context.close();
  await world.close();
});

const sign = (into: BrowserContext, email: string, role: "owner" | "viewer" = "owner") =>
  signIn(
    into,
    { service: world.service, url: world.wire.url },
    { email, publisherId: world.catalogue.publisherId, role },
  );
const path = (end = "") => `${world.wire.url}/dash/websites/${world.website("Journal").websiteKey}${end}`;
const opened = async (end = "", by = context): Promise<Page> => {
  const page = await by.newPage();
  await page.goto(path(end));
  await expect(page.getByRole("heading", { level: 1, name: "Journal" })).toBeVisible();
  return page;
};
/** Changes a website from elsewhere. */
const elsewhere = async (method: "PATCH" | "PUT" | "POST", name: string, end: string, data?: object) => {
  const { wire, catalogue, website } = world;
  const call = `${wire.url}/dash/api/publishers/${catalogue.publisherId}/websites/${website(name).websiteKey}${end}`;
  const headers = { Origin: wire.url, "Sec-Fetch-Site": "same-origin" };
  const answer = await context.request.fetch(call, { method, headers, ...(data && { data }) });
  expect(answer.status(), await answer.text()).toBe(200);
};
/** What was refused, or was changed by somebody else meanwhile, is not saved. */
const saved = async (page: Page): Promise<void> => {
  await expect(page.locator(".unsaved")).toHaveCount(0);
  await expect(page.getByText(/ changed this\b/)).toHaveCount(0);
};

test("places are chosen by the keyboard alone, and the rule is told as a sentence", async () => {
  const page = await opened("/places");
  await page.getByLabel("Places", { exact: true }).focus();
  await page.keyboard.type("germany");
  await page.keyboard.press("Enter");
  await page.keyboard.type("us-nj,");
  await expect(page.getByText(/Germany.* see offers/)).toBeVisible();
  const save = page.getByRole("button", { name: "Save" });
  await expect(save).toBeVisible();
  for (let step = 0; step < 40; step += 1) {
    if (await save.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(save).toBeFocused();
  await page.keyboard.press("Enter");
  await saved(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove Germany" })).toBeVisible();
  await page.close();
});

test("of two who edit at once the second is told, and nothing of either is lost", async ({ browser }) => {
  const other = await browser.newContext();
  await sign(other, "bob@example.com");
  const [ada, bob] = [await opened("/settings"), await opened("/settings", other)];
  await ada.getByLabel("Name").fill("Journal of Ada");
  await bob.getByLabel("Vertical").fill("sport");
  await bob.getByRole("button", { name: "Save" }).click();
  await saved(bob);
  await ada.getByRole("button", { name: "Save" }).click();
  const told = ada.getByRole("alert").filter({ hasText: /bob changed this/i });
  await expect(told).toBeInViewport();
  await expect(told).toBeFocused();
  await expect(told.getByRole("button", { name: "Save my changes over it" })).toBeInViewport();
  await expect(ada.getByRole("row", { name: /Name Journal Journal of Ada/ })).toBeVisible();
  await expect(ada.getByLabel("Name")).toHaveValue("Journal of Ada");
  await ada.getByRole("button", { name: "Save my changes over it" }).click();
  await expect(ada.getByRole("heading", { level: 1, name: "Journal of Ada" })).toBeVisible();
  await expect(ada.getByLabel("Vertical")).toHaveValue("sport");
  await ada.getByLabel("Name").fill("Journal");
  await ada.getByRole("button", { name: "Save" }).click();
  await saved(ada);
  await Promise.all([ada.close(), other.close()]);
});

test("saved over somebody else's, the places of both stay", async () => {
  const page = await opened("/places");
  const rule = { mode: "blocklist", entries: ["DE", "ES"], unknownLocation: "allow" };
  await elsewhere("PATCH", "Journal", "", { geoRule: rule });
  await page.getByLabel("Places", { exact: true }).fill("France");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Save my changes over it" }).click();
  await saved(page);
  for (const place of ["Spain", "France"]) {
    await expect(page.getByRole("button", { name: `Remove ${place}` })).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Remove United States · NJ" })).toHaveCount(0);
  await page.close();
});

test("a place that is added while it is saved over somebody else's takes none of theirs away", async () => {
  const page = await opened("/places");
  const places = page.getByLabel("Places", { exact: true });
  const rule = { mode: "blocklist", entries: ["DE", "ES"], unknownLocation: "allow" };
  const removing = (place: string) => page.getByRole("button", { name: `Remove ${place}` });
  await elsewhere("PATCH", "Journal", "", { geoRule: rule });
  await page.reload();
  await expect(removing("Spain")).toBeVisible();
  await elsewhere("PATCH", "Journal", "", { geoRule: { ...rule, entries: ["DE", "ES", "PT"] } });
  const add = async (place: string) => {
    await places.fill(place);
    await places.press("Enter");
  };
  await add("France");
  await page.getByRole("button", { name: "Save" }).click();
  const over = page.getByRole("button", { name: "Save my changes over it" });
  await expect(over).toBeVisible();
  const goOn = await hold(page, /\/websites\/ws_[^/]*$/, (call) => call.method() === "PATCH");
  await over.click();
  await expect(over).toBeDisabled();
  await add("Italy");
  await removing("Germany").click();
  goOn();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await expect(removing("Portugal")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await saved(page);
  await page.reload();
  for (const place of ["Spain", "Portugal", "France", "Italy"]) await expect(removing(place)).toBeVisible();
  await expect(removing("Germany")).toHaveCount(0);
  await page.close();
});

test("of words that two have changed those that differ are shown, and theirs can be taken", async () => {
  const page = await opened("/look");
  // Its overlay takes the focus for an instant when it opens, which would fall into the middle of filling.
  const preview = page.frameLocator("iframe");
  await expect(preview.getByRole("dialog")).toBeVisible();
  await elsewhere("PATCH", "Journal", "", { settings: { message: "Written elsewhere" } });
  await page.getByLabel("Title", { exact: true }).fill("Written here");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your changes are not saved yet")).toBeInViewport();
  await expect(page.getByRole("row", { name: "Title Empty Written here" })).toBeVisible();
  await expect(page.getByRole("row", { name: "Message Written elsewhere Empty" })).toBeVisible();
  await expect(page.getByRole("row")).toHaveCount(3);
  await page.getByRole("button", { name: "Take what is saved now" }).click();
  await expect(page.getByLabel("Message")).toHaveValue("Written elsewhere");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("");
  await expect(preview.getByText("Written elsewhere")).toBeVisible();

  await elsewhere("PATCH", "Journal", "", { settings: { message: "Written once more" } });
  await page.getByLabel("Title", { exact: true }).fill("Written here");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your changes are not saved yet")).toBeVisible();
  const over = page.getByRole("button", { name: "Save my changes over it" });
  await page.getByLabel("Title", { exact: true }).fill("");
  await expect(page.getByText("Nothing of yours is left to save.")).toBeVisible();
  await expect(over).toBeHidden();
  await page.getByLabel("Title", { exact: true }).fill("Written after all");
  await expect(over).toBeVisible();
  await expect(page.getByLabel("Message")).toHaveValue("Written elsewhere");
  await page.getByLabel("Title", { exact: true }).fill("");
  await page.getByRole("button", { name: "Take what is saved now" }).click();
  await expect(page.getByText("Nothing of yours is left to save.")).toBeHidden();
  await expect(page.getByLabel("Message")).toHaveValue("Written once more");
  await page.close();
});

test("a preview begins where offers are seen, and says where the page is", async () => {
  const herald = `${world.wire.url}/dash/websites/${world.website("Herald").websiteKey}`;
  const geoRule = { mode: "allowlist", entries: ["DE"], unknownLocation: "allow" };
  await elsewhere("PATCH", "Herald", "", { geoRule });
  const page = await context.newPage();
  await page.goto(`${herald}/look`);
  const overlay = page.frameLocator("iframe").getByRole("dialog");
  await expect(overlay).toBeVisible();
  await page.getByLabel("From").selectOption({ label: "Germany" });
  await expect(page.getByText("A visitor from Germany sees the page as it is.")).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  await page.getByRole("link", { name: "Change the rule" }).click();
  await expect(page).toHaveURL(`${herald}/places`);

  await elsewhere("POST", "Herald", "/pause");
  await page.goto(herald);
  await expect(page.getByText("The website is paused: every visitor sees the page as it is.")).toBeVisible();
  await elsewhere("POST", "Herald", "/resume");
  await page.reload();
  await expect(overlay).toBeVisible();
  await page.close();
});

test("what is typed while something is being saved stays, and is saved after it", async () => {
  const page = await opened("/settings");
  const website = /\/websites\/ws_[^/]*$/;
  const goOn = await hold(page, website, (call) => call.method() === "PATCH");
  await page.getByLabel("Own brand").fill("Quay");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByLabel("Vertical").fill("weather");
  const readOn = await hold(page, website, (call) => call.method() === "GET");
  goOn();
  const save = page.getByRole("button", { name: "Save", exact: true });
  await expect(save).toBeVisible();
  await expect(page.getByLabel("Own brand")).toHaveValue("Quay");
  await expect(page.getByLabel("Vertical")).toHaveValue("weather");
  await save.click();
  await saved(page);
  await expect(page.getByLabel("Vertical")).toHaveValue("weather");
  readOn();
  await page.reload();
  await expect(page.getByLabel("Own brand")).toHaveValue("Quay");
  await expect(page.getByLabel("Vertical")).toHaveValue("weather");
  await page.close();
});

test("a website is paused beside what is not saved, and that can be saved afterwards", async () => {
  const page = await opened("/settings");
  await page.getByLabel("Own brand").fill("Mole");
  const goOn = await hold(page, /\/pause$/);
  const pause = page.getByRole("button", { name: "Pause it" });
  await pause.click();
  await expect(pause).toBeDisabled();
  goOn();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Own brand")).toHaveValue("Mole");
  const answered = page.waitForResponse((answer) => answer.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save" }).click();
  expect((await answered).status()).toBe(200);
  await page.getByRole("button", { name: "Resume it" }).click();
  await expect(pause).toBeVisible();
  await expect(page.getByLabel("Own brand")).toHaveValue("Mole");
  await page.close();
});

test("a session that has ended takes nothing with it that was typed", async () => {
  const page = await opened("/settings");
  await page.route(/\/websites\/ws_[^/]*$/, (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ status: 401, json: {} }) : route.fallback(),
  );
  await page.getByLabel("Own brand").fill("Breakwater");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your session has ended. Sign in in another tab")).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Your session has ended.")).toBeHidden();
  await saved(page);
  await expect(page.getByLabel("Own brand")).toHaveValue("Breakwater");
  await page.close();
});

test("a question before something ends says nothing of what was refused before it", async () => {
  const refuse = (page: Page, method: string, url: RegExp) =>
    page.route(url, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 400, json: { detail: `Refused: ${method}.` } })
        : route.fallback(),
    );
  const settings = await opened("/settings");
  await refuse(settings, "POST", /\/pause$/);
  await refuse(settings, "DELETE", /\/websites\/ws_[^/]*$/);
  await settings.getByRole("button", { name: "Pause it" }).click();
  await expect(settings.getByText("Refused: POST.")).toBeVisible();
  await settings.getByRole("button", { name: "Delete it" }).click();
  const dialog = settings.getByRole("dialog");
  await dialog.getByLabel("Type Journal to go on").fill("Journal");
  await expect(settings.getByText(/^Refused: /)).toHaveCount(0);
  await dialog.getByRole("button", { name: "Delete the website" }).click();
  await expect(dialog.getByText("Refused: DELETE.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(settings.getByText(/^Refused: /)).toHaveCount(0);
  await expect(settings.getByRole("button", { name: "Delete it" })).toBeFocused();
  await settings.close();

  const secrets = await opened("/secrets");
  await secrets.getByRole("button", { name: "Make a secret" }).click();
  const revoke = secrets.getByRole("button", { name: "Revoke", exact: true });
  await refuse(secrets, "POST", /\/secrets$/);
  await refuse(secrets, "DELETE", /\/secrets\//);
  await secrets.getByRole("button", { name: "Make another, to roll" }).click();
  await expect(secrets.getByText("Refused: POST.")).toBeVisible();
  await revoke.click();
  const question = secrets.getByRole("dialog");
  await expect(question).toBeVisible();
  await expect(secrets.getByText(/^Refused: /)).toHaveCount(0);
  await question.getByRole("button", { name: "Revoke it" }).click();
  await expect(secrets.getByText("Refused: DELETE.")).toHaveCount(1);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(secrets.getByText(/^Refused: /)).toHaveCount(0);
  await secrets.unrouteAll();
  await revoke.click();
  await question.getByRole("button", { name: "Revoke it" }).click();
  await expect(secrets.getByRole("cell", { name: "Revoked" })).toBeVisible();
  // The button that has asked is gone.
  await expect(secrets.getByRole("heading", { name: "Secrets", exact: true })).toBeFocused();
  await secrets.close();

  const users = await operators.newPage();
  await users.goto(`${world.wire.url}/dash/operator/users`);
  await refuse(users, "POST", /\/links$/);
  await users.getByRole("button", { name: "Link for a new password for ada@example.com" }).click();
  await expect(users.getByText("Refused: POST.")).toBeVisible();
  await users.getByRole("button", { name: "Disable ada@example.com" }).click();
  await expect(users.getByRole("dialog")).toBeVisible();
  await expect(users.getByText(/^Refused: /)).toHaveCount(0);
  await users.close();
});

test("the bars of 48 hours tell how often the tag was loaded, and how often in their greatest hour", async () => {
  const page = await opened("", context);
  const hours = Array.from({ length: 48 }, (_, at) => (at === 7 ? 1234 : at === 9 ? 6 : 0));
  await page.route(/\/health(\?|$)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), hours } });
  });
  await page.reload();
  await expect(page.getByText("The tag was loaded 1,240 times in 48 hours")).toBeVisible();
  await expect(page.getByText("at most 1,234 in an hour")).toBeVisible();
  await page.close();
});

test("what is chosen in a list of choices is read in full", async () => {
  const page = await opened("/look", context);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel("How often").selectOption({ label: "Until it is closed, that day" });
  // As wide as its longest choice would have it, by the browser's own measure.
  const room = await page.getByLabel("How often").evaluate((select) => {
    const given = select.getBoundingClientRect().width;
    select.style.inlineSize = "max-content";
    return given - select.getBoundingClientRect().width;
  });
  expect(room).toBeGreaterThanOrEqual(0);
  await page.close();
});

test("a share that is no number is refused and stays as it was typed", async () => {
  const page = await opened("/settings", operators);
  const share = page.getByLabel("Share in per cent");
  await share.fill("70 %");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".field .wrong")).toHaveText(
    "This must be 0 to 100, with at most two decimals, or empty.",
  );
  await expect(share).toHaveValue("70 %");
  await share.fill("70");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".field .wrong")).toHaveCount(0);
  await page.reload();
  await expect(share).toHaveValue("70");
  await page.close();
});

test("a form is held back by a place that is none", async () => {
  const page = await context.newPage();
  await page.goto(`${world.wire.url}/dash/start`);
  await page.getByLabel("Address").fill("https://places.example");
  await page.getByLabel("Visitors").selectOption({ label: "From everywhere but the places I name" });
  await page.getByLabel("Places").fill("Germny");
  await page.getByLabel("Places").press("Tab");
  await expect(page.getByText("Germny is no country or region")).toBeVisible();
  await page.getByRole("button", { name: "Make the tag" }).click();
  await page.getByLabel("Places").fill("Germany");
  await page.getByRole("button", { name: "Make the tag" }).click();
  await expect(page.getByLabel("Your tag")).toBeVisible();
  const sent = world.wire.requests.filter(
    ({ method, path: asked }) => method === "POST" && asked.endsWith("/websites"),
  );
  expect(sent.map(({ body }) => JSON.parse(body).geoRule)).toEqual([
    { mode: "allowlist", entries: ["DE"], unknownLocation: "allow" },
  ]);
  await page.close();
});

/** Somebody whose browser forgets them and is signed in again at will. */
const forgetful = async (browser: Browser, email: string) => {
  const theirs = await browser.newContext();
  await sign(theirs, email);
  const cookies = await theirs.cookies();
  return { theirs, forget: () => theirs.clearCookies(), remember: () => theirs.addCookies(cookies) };
};

test("a session that ends while a form is filled leaves the form, which is sent once there is another", async ({
  browser,
}) => {
  const { theirs, forget, remember } = await forgetful(browser, "carl@example.com");
  const page = await theirs.newPage();
  await page.clock.install();
  await page.goto(`${world.wire.url}/dash/start`);
  const address = page.getByLabel("Address");
  await address.fill("https://late.example");
  await page.getByLabel("Places").fill("Germany,");
  await expect(page.getByText("Pages of https://late.example")).toBeVisible();
  await forget();
  await page.clock.runFor(61_000);
  const ended = page.getByRole("alert").filter({ hasText: "Your session has ended." });
  await expect(ended).toBeVisible();
  await expect(ended.getByRole("link", { name: "Sign in" })).toHaveAttribute("target", "_blank");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  const looked = page.waitForResponse(/\/address\?/);
  await address.fill("https://later.example");
  expect((await looked).status()).toBe(401);
  const again = page.waitForResponse(/\/websites\??$/);
  await page.clock.runFor(61_000);
  expect((await again).status()).toBe(401);
  await expect(address).toHaveValue("https://later.example");
  await remember();
  await page.clock.runFor(61_000);
  await expect(ended).toBeHidden();
  await page.getByRole("button", { name: "Make the tag" }).click();
  await expect(page.getByLabel("Your tag")).toBeVisible();
  await theirs.close();
});

test("a website that cannot be paused, since the session has ended, leaves what is typed beside it", async ({
  browser,
}) => {
  const { theirs, forget, remember } = await forgetful(browser, "dora@example.com");
  const page = await opened("/settings", theirs);
  await page.getByLabel("Own brand").fill("Lighthouse");
  await forget();
  const read = page.waitForResponse(/\/websites\/ws_[^/]*$/);
  await page.getByRole("button", { name: "Pause it" }).click();
  expect((await read).status()).toBe(401);
  await expect(page.getByText("What stands here stays")).toBeVisible();
  await remember();
  // As often as somebody comes back to the page: what is asked of the service just then is not asked a second time.
  const comeBack = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    return page.getByText(/What stands here stays|then try again/).count();
  };
  await expect.poll(comeBack).toBe(0);
  await expect(page.getByLabel("Own brand")).toHaveValue("Lighthouse");
  await page.getByRole("button", { name: "Discard" }).click();
  await theirs.close();
});

test("a page on which something is typed goes on for nobody but who has typed it", async ({ browser }) => {
  const { theirs, forget } = await forgetful(browser, "eva@example.com");
  const page = await opened("/settings", theirs);
  const brand = page.getByLabel("Own brand");
  const before = await brand.inputValue();
  await brand.fill("Eva's");
  await forget();
  await sign(theirs, "fred@example.com");
  const lookAgain = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await lookAgain();
  const ended = page.getByText("while you sign in with the same account");
  await expect(ended).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Sign in in another tab, then save again.")).toBeVisible();
  const other = await opened("/settings", theirs);
  await expect(other.getByText("fred", { exact: true })).toBeVisible();
  await expect(other.getByLabel("Own brand")).toHaveValue(before);
  await other.close();
  const toForm = page.getByRole("alert").filter({ has: ended }).getByRole("link", { name: "Sign in" });
  const [form] = await Promise.all([theirs.waitForEvent("page"), toForm.click()]);
  await form.getByLabel("E-mail").fill("eva@example.com");
  await form.getByLabel("Password").fill(testPassword);
  await form.getByRole("button", { name: "Sign in" }).click();
  await form.waitForURL(/\/dash\/(\?|$)/);
  await form.close();
  await lookAgain();
  await expect(ended).toBeHidden();
  await page.getByRole("button", { name: "Save" }).click();
  await saved(page);
  await expect(brand).toHaveValue("Eva's");
  await theirs.close();
});

test("that a session has ended is said on a page that nobody has touched for hours, and what else cannot be read", async ({
  browser,
}) => {
  const { theirs, forget, remember } = await forgetful(browser, "gina@example.com");
  const page = await theirs.newPage();
  await page.clock.install();
  await page.goto(path());
  const told = page.getByText("No page has loaded it yet.");
  await expect(told).toBeVisible();
  await page.clock.fastForward(3 * 60 * 60_000);
  await forget();
  await page.clock.runFor(61_000);
  await expect(page.getByText("What stands here stays")).toBeVisible();
  await expect(told).toBeVisible();
  await remember();
  await page.clock.runFor(61_000);
  await expect(page.getByText("What stands here stays")).toBeHidden();
  await page.route(/\/health\??$/, (route) => route.abort());
  const again = page.getByRole("button", { name: "Try again" });
  await expect(async () => {
    await page.clock.runFor(2000);
    await expect(again).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await expect(told).toBeVisible();

  await page.unrouteAll();
  await page.goto(`${world.wire.url}/dash/start?website=${world.website("Journal").websiteKey}`);
  await expect(page.getByText("Nothing happens?")).toBeVisible();
  await page.route(/\/health\??$/, (route) => route.abort());
  await expect(async () => {
    await page.clock.runFor(2000);
    await expect(again).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await expect(page.getByText("Nothing happens?")).toBeVisible();
  await theirs.close();
});

for (const [name, at, heading] of [
  ["Start", () => `${world.wire.url}/dash/start`, "Set up a website"],
  ["Overview", () => `${world.wire.url}/dash/`, "Overview"],
  ["Health", () => path(), "Journal"],
  ["Look and words", () => path("/look"), "Journal"],
  ["Now", () => `${world.wire.url}/dash/operator/now`, "Now"],
] as const) {
  test(`what the page ${name} asks for by itself keeps no session from ending`, async () => {
    const page = await operators.newPage();
    await page.clock.install();
    await page.goto(at());
    const title = page.getByRole("heading", { level: 1, name: heading });
    await expect(title).toBeVisible();
    await page.waitForLoadState("networkidle");
    const calls: string[] = [];
    page.on("request", (call) => {
      const { pathname } = new URL(call.url());
      if (pathname.startsWith("/dash/api/")) calls.push(`${pathname} ${call.headers()["offers-unattended"]}`);
    });
    calls.length = 0;
    await page.clock.fastForward(6 * 60_000);
    // Longer than any page waits before it asks again.
    await page.clock.runFor(10 * 60_000);
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    expect(calls.filter((call) => !call.endsWith(" 1"))).toEqual([]);
    if (name === "Look and words") expect(calls).toContainEqual(expect.stringContaining("/preview"));
    // A preview may have the keyboard.
    await title.click();
    await page.clock.runFor(61_000);
    await expect.poll(() => calls.some((call) => !call.endsWith(" 1"))).toBe(true);
    await page.close();
  });
}

test("figures that cannot be read are told as missing, and not as none", async () => {
  const page = await context.newPage();
  await page.route(/\/report\?/, (route) =>
    route.fulfill({ status: 400, json: { detail: "The figures cannot be read." } }),
  );
  await page.goto(`${world.wire.url}/dash/websites`);
  const journal = page.getByRole("row", { name: /^Journal/ });
  await expect(page.getByText("The figures cannot be read.")).toBeVisible();
  await expect(journal.getByRole("cell").nth(3)).toHaveText("–");
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(journal.getByRole("cell").nth(3)).toHaveText("0");
  await page.close();
});

test("an answer that takes longer than the page waits between two questions comes in all the same", async () => {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(path());
  await expect(page.getByText("No page has loaded it yet.")).toBeVisible();
  let asked = 0;
  const goOn = await hold(page, /\/health\??$/, () => {
    asked += 1;
    return true;
  });
  await page.clock.runFor(4000);
  await expect.poll(() => asked).toBe(1);
  await page.clock.runFor(4000);
  expect(asked).toBe(1);
  const answered = page.waitForResponse(/\/health\??$/);
  goOn();
  expect((await answered).ok()).toBe(true);
  await page.close();
});

test("the offers of another website are copied as they are now, or it is told why not", async () => {
  const page = await opened("/allowlist");
  const copying = page.getByRole("button", { name: "Copy", exact: true });
  const copy = async () => {
    const answered = page.waitForResponse(/\/allowlist\??$/);
    await page.getByLabel("Copy from another website").selectOption({ label: "Herald" });
    await copying.click();
    await answered;
  };
  await copy();
  await elsewhere("PUT", "Herald", "/allowlist", { mode: "allowlist", allow: {}, block: {} });
  await copy();
  await expect(page.getByText("Nothing is permitted, so blocked visitors see no offers.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.route(/\/allowlist\??$/, (route) =>
    route.fulfill({ status: 400, json: { detail: "They cannot be read." } }),
  );
  await copy();
  await expect(page.getByText("They cannot be read.")).toBeVisible();
  await page.close();
});

test("a website is chosen by the keyboard before it is copied from, and nothing is ticked meanwhile", async () => {
  await elsewhere("PUT", "Herald", "/allowlist", { mode: "allowlist", allow: {}, block: {} });
  const page = await opened("/allowlist");
  const copying = page.getByRole("button", { name: "Copy", exact: true });
  const mobile = page.getByLabel("Allow mobile");
  await expect(copying).toBeDisabled();
  await mobile.uncheck();
  const asked: string[] = [];
  page.on("request", (call) => /\/allowlist\??$/.test(call.url()) && asked.push(call.url()));
  const from = page.getByLabel("Copy from another website");
  await from.focus();
  for (let step = 0; (await from.locator("option:checked").textContent()) !== "Herald"; step += 1) {
    expect(step).toBeLessThan(10);
    await page.keyboard.press("ArrowDown");
  }
  const goOn = await hold(page, /\/allowlist\??$/);
  await page.keyboard.press("Tab");
  await expect(copying).toBeFocused();
  expect(asked).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => asked).toHaveLength(1);
  for (const one of [copying, from, mobile]) await expect(one).toBeDisabled();
  await expect(mobile).not.toBeChecked();
  goOn();
  await expect(page.getByText("Nothing is permitted, so blocked visitors see no offers.")).toBeVisible();
  await expect(mobile).toBeEnabled();
  await expect(copying).toBeFocused();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.close();
});

test("a comma behind the last address means no empty one", async () => {
  const page = await opened("/settings");
  const origins = page.getByLabel("Origins", { exact: true });
  await origins.fill("https://a.example/,");
  await origins.press("Enter");
  await expect(page.getByRole("button", { name: "Remove https://a.example", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Remove/ })).toHaveCount(2);
  await page.close();
});

test("what an allowlist permits is counted before it is saved", async () => {
  const page = await opened("/allowlist");
  // As if one of the three offers were of a lender.
  await page.route(/\/dash\/api\/.*\/allowlist$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), careful: ["mobile"] } });
  });
  await page.reload();
  await expect(page.getByText("3 of 3 permitted.")).toBeVisible();
  await page.route(/\/allowlist\/preview$/, (route) => route.abort(), { times: 1 });
  await page.getByLabel("Allow mobile").uncheck();
  await expect(page.getByText("The service was not reached. Is this machine online?")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("2 of 3 permitted.")).toBeVisible();
  await page.getByLabel("Permitted are").selectOption({ label: "Only the offers that I choose" });
  await expect(page.getByText("Nothing is permitted, so blocked visitors see no offers.")).toBeVisible();
  await page.getByRole("button", { name: "Permit all but gambling, trading and loans" }).click();
  await expect(page.getByText("2 of 3 permitted.")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.close();
});

test("Back asks before it leaves what is not saved", async () => {
  const page = await opened();
  const goBack = async () => {
    const question = page.waitForEvent("dialog");
    await page.evaluate(() => history.back());
    return question;
  };
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Name").fill("Half a name");
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await (await goBack()).dismiss();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");
  await (await goBack()).accept();
  await expect(page.getByText("What a visitor sees")).toBeVisible();
  await expect(page).toHaveURL(path());
  await page.close();
});

test("what somebody else has saved over is not left without a question either", async () => {
  const page = await opened("/settings");
  await page.getByLabel("Name").fill("Half a name");
  await elsewhere("PATCH", "Journal", "", { ownBrand: "Pontoon" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Save my changes over it" })).toBeVisible();
  const atLink = page.waitForEvent("dialog");
  const link = page.getByRole("link", { name: "Look and words" }).click();
  await (await atLink).dismiss();
  await link;
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.getByLabel("Name")).toHaveValue("Half a name");
  const atClose = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await atClose;
  expect(question.type()).toBe("beforeunload");
  await question.accept();
});

test("another page than the first is checked, of this website alone", async () => {
  const page = await opened("");
  await page.getByRole("button", { name: "Check another page" }).click();
  const dialog = page.getByRole("dialog");
  const address = dialog.getByLabel("Address of the page");
  await address.fill("https://elsewhere.example/");
  await dialog.getByRole("button", { name: "Check it" }).click();
  await expect(dialog.getByRole("alert")).toContainText("must be a page of a registered address");
  const { origin } = world.host;
  await address.fill(`${origin}/without-a-tag`);
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/check-page"));
  await address.press("Enter");
  expect(await (await answered).json()).toMatchObject({ checked: { url: `${origin}/without-a-tag` } });
  await expect(dialog).toHaveCount(0);
  await page.close();
});

test("a tag that waits for the page's call comes with that call", async () => {
  const page = await opened("/tag");
  const call = page.getByRole("region", { name: "When visitors agree" });
  const takenBack = page.getByRole("region", { name: "When they take it back" });
  await expect(page.getByRole("region", { name: "The text to paste" })).toBeVisible();
  await expect(call).toHaveCount(0);
  await page.getByLabel("Consent").selectOption("Wait for a call of the page");
  await expect(call).toContainText('offerService("consent", true);');
  await expect(call).toContainText("window.offerService=window.offerService||function");
  await expect(call).not.toContainText("false");
  await expect(takenBack).toContainText('offerService("consent", false);');
  await expect(takenBack.getByRole("button", { name: "Copy" })).toBeVisible();
  await page.getByRole("button", { name: "Next.js" }).click();
  await expect(call).toContainText('import { offerService } from "./offers";');
  await page.close();
});

test("a secret is shown once, and its curl works where it is said to be carried", async () => {
  const page = await opened("/secrets");
  await page.getByRole("button", { name: "Make a secret" }).click();
  const secret = await page.getByLabel("The secret", { exact: true }).locator("pre").innerText();
  expect(secret).toMatch(/^its_\w{32}$/);
  await expect(page.getByLabel("The call of your server").locator("pre")).toContainText(secret);
  await page.reload();
  await expect(page.getByText(`its_…${secret.slice(-4)}`)).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  const status = async (headers: Record<string, string>) =>
    (
      await fetch(`${world.wire.url}/v1/widget-decline/trigger`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ sessionId: "dcl_unknown" }),
      })
    ).status;
  const own = { "x-integration-secret": secret };
  const bearer = { authorization: `Bearer ${secret}` };
  await expect.poll(() => status(bearer)).toBe(404);
  await page.getByLabel("The secret stands in").selectOption({ label: "The header X-Integration-Secret" });
  await page.getByRole("button", { name: "Save" }).click();
  await saved(page);
  await expect.poll(() => status(bearer)).toBe(401);
  expect(await status(own)).toBe(404);
  await page.close();
});

test("the overlay itself is shown beside its words, and takes no focus that nobody gave it", async () => {
  const geoRule = { mode: "blocklist", entries: ["DE"], unknownLocation: "allow" };
  await elsewhere("PATCH", "Journal", "", { geoRule });
  const page = await opened("/look");
  const dialog = page.frameLocator("iframe").getByRole("dialog");
  const title = page.getByLabel("Title", { exact: true });
  await title.focus();
  await page.keyboard.type("Not from ");
  await expect(dialog).toBeVisible();
  await expect(title).toBeFocused();
  await page.keyboard.type("where you are");
  await expect(title).toHaveValue("Not from where you are");
  await page.getByRole("button", { name: "Save" }).click();
  await saved(page);
  await expect(dialog.getByText("Not from where you are")).toBeVisible();

  // Whoever goes into it, is let in.
  const frame = page.locator("iframe");
  await expect(frame).not.toBeFocused();
  await dialog.getByText("Not from where you are").click();
  await expect(frame).toBeFocused();
  await page.close();
});

test("on which pages the overlay opens is set, and how round it is", async () => {
  const geoRule = { mode: "blocklist", entries: ["DE"], unknownLocation: "allow" };
  await elsewhere("PATCH", "Journal", "", { geoRule });
  const page = await opened("/look");
  const corners = page.getByLabel("Corners in pixels");
  const only = page.getByLabel("Only on these pages");
  const never = page.getByLabel("Never on these pages");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await corners.fill("4px");
  await only.fill("/news/*, sport");
  await only.press("Enter");
  await never.pressSequentially("/imprint,7");
  await expect(never).toHaveValue("/imprint,7");
  await save.click();
  await expect(page.getByText("Look at “Corners in pixels” and “Only on these pages”.")).toBeVisible();
  await expect(corners).toHaveAccessibleDescription(/must be a number \(given: "4px"\)/);
  await expect(only).toHaveAccessibleDescription(/must be a path such as .*\(given: "sport"\)/);
  await expect(never).not.toHaveAttribute("aria-invalid");

  await page.getByRole("button", { name: "Remove sport" }).click();
  await corners.fill("3");
  await save.click();
  await saved(page);
  const panel = page.frameLocator("iframe").getByRole("dialog").locator(".panel");
  await expect(panel).toHaveCSS("border-top-left-radius", "3px");
  await page.reload();
  await expect(corners).toHaveValue("3");
  for (const path of ["/news/*", "/imprint,7"])
    await expect(page.getByRole("button", { name: `Remove ${path}` })).toBeVisible();

  await elsewhere("PATCH", "Journal", "", { settings: { pages: { include: ["/news/*", "/sport"] } } });
  await page.getByRole("button", { name: "Remove /news/*" }).click();
  await corners.fill("");
  await save.click();
  const both = "Only on /news/*, /sport, never on /imprint,7 On every page, never on /imprint,7";
  await expect(page.getByRole("row", { name: `On which pages ${both}` })).toBeVisible();
  await page.getByRole("button", { name: "Save my changes over it" }).click();
  await saved(page);
  await page.reload();
  await expect(page.getByRole("button", { name: "Remove /sport" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove /news/*" })).toHaveCount(0);
  await expect(corners).toHaveValue("");
  await elsewhere("PATCH", "Journal", "", { settings: { pages: { include: [], exclude: [] } } });
  await page.close();
});

test("a viewer sees everything and is offered nothing to change", async ({ browser }) => {
  const viewer = await browser.newContext();
  await sign(viewer, "viewer@example.com", "viewer");
  for (const [end, says] of [
    ["", "Your tag"],
    ["/places", "The rule"],
    ["/allowlist", "Which offers?"],
    ["/look", "When it opens"],
    ["/secrets", "Where your server carries it"],
    ["/settings", "Development"],
  ] as const) {
    const page = await opened(end, viewer);
    await expect(page.getByRole("heading", { name: says, exact: true })).toBeVisible();
    await expect(page.locator("main .skeleton")).toHaveCount(0);
    for (const name of [/^Check my page/, /^Make a/, /^Save/, /^Revoke/, /^Pause it/, /^Delete it/]) {
      await expect(page.getByRole("button", { name })).toHaveCount(0);
    }
    const fields = page.locator("fieldset.steps").locator("input, select, textarea, button");
    if (end !== "") expect(await fields.count()).toBeGreaterThan(0);
    for (const field of await fields.all()) await expect(field).toBeDisabled();
    await page.close();
  }
  const page = await viewer.newPage();
  for (const [at, says] of [
    [`start?website=${world.website("Journal").websiteKey}`, "Nothing happens?"],
    ["", "No traffic yet"],
    ["reports", "No traffic in these days"],
  ] as const) {
    await page.goto(`${world.wire.url}/dash/${at}`);
    await expect(page.getByText(says)).toBeVisible();
    await expect(
      page.getByText(/^(Check my page|Set up a website|Paste the tag of .*)$/).and(page.locator(".button")),
    ).toHaveCount(0);
  }
  await viewer.close();
});

test("no page has a fault that axe finds, or is wider than a narrow window", async () => {
  test.slow();
  const page = await context.newPage();
  await page.setViewportSize({ width: 320, height: 800 });
  for (const end of ["", "/tag", "/places", "/allowlist", "/look", "/secrets", "/settings"]) {
    await page.goto(path(end));
    await expect(page.locator(".card").first()).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).exclude("iframe").analyze();
    expect(violations.map(({ id, nodes }) => [end, id, nodes.map(({ target }) => target)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }
  await page.close();
});

test("deleting needs the name as a page shows it, and takes the website out of the list", async () => {
  await elsewhere("PATCH", "Journal", "", { name: "Journal " });
  const page = await opened("/settings");
  await page.getByRole("button", { name: "Delete it" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Delete the website" })).toBeDisabled();
  await dialog.getByLabel("Type Journal to go on").fill("Journal");
  await dialog.getByRole("button", { name: "Delete the website" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Websites" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Marker" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Journal" })).toHaveCount(0);
  // What it did stays, and is not said to be that of all.
  const { websiteKey } = world.website("Journal");
  for (const at of ["", "reports"]) {
    await page.goto(`${world.wire.url}/dash/${at}?websiteKey=${websiteKey}`);
    await expect(page.getByLabel("Website", { exact: true })).toHaveValue(websiteKey);
    if (at === "") await expect(page.getByText("Live traffic of Journal (deleted),")).toBeVisible();
  }
  // Its figures are a part of the whole, under the name that it had.
  const none = { served: 0, drawn: 0, impressions: 0, clicks: 0, billableClicks: 0, filtered: 3 };
  const sum = { blocked: 515, ...none, spend: 0, earnings: 0, currency: null };
  const day = new Date().toISOString().slice(0, 10);
  const items = [{ date: day, websiteKey, ...sum }];
  await page.route(/\/report\?/, (route) =>
    route.fulfill({ json: { items, from: day, to: day, totals: sum, totalsByCurrency: [sum] } }),
  );
  await page.goto(`${world.wire.url}/dash/`);
  const parts = page.getByRole("table", { name: "Websites with the most blocked visits" });
  await expect(parts.getByRole("row", { name: /^Journal \(deleted\) 515/ })).toBeVisible();
  await expect(page.getByRole("table", { name: "What did not count" })).toContainText("Journal (deleted)");
  await parts.getByRole("link", { name: "Journal (deleted)" }).click();
  await expect(page.getByRole("table", { name: "The report" })).toContainText("Journal (deleted)");
  // Both end with an error where anything does not add up.
  await world.service.admin("recount");
  await world.service.admin("audit");
  await page.close();
});

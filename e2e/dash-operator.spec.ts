import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContext, expect, type Page, type Request, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { hold, signIn, testPassword } from "./dash.ts";
import { openWorld, type World } from "./world.ts";

test.describe.configure({ mode: "serial" });

let world: World;
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  world = await openWorld({ websites: [{ name: "pier", geo: everybodyBlocked }] });
  page = await pageOf(browser, "olga@example.com");
  context = page.context();
});
test.afterAll(async () => {
  await context?.close();
  await world?.close();
});

/** The page of another operator, in a browser of their own. */
const pageOf = async (browser: Browser, email: string): Promise<Page> => {
  const theirs = await browser.newContext();
  await signIn(theirs, { service: world.service, url: world.wire.url }, { email, isOperator: true });
  return theirs.newPage();
};

const open = (path: string) => page.goto(`${world.wire.url}/dash${path}`);

/** The brands that a blocked visitor of the website is handed out at this moment. */
const handedOut = async (): Promise<string[]> => {
  const { websiteKey, publicKey } = world.website("pier");
  const service = world.service.url;
  const headers = { origin: world.host.origin };
  const decided = await fetch(`${service}/v1/decision?pub=${publicKey}&website=${websiteKey}`, {
    headers,
  });
  const { requestId, country } = (await decided.json()) as { requestId: string; country: string };
  const asked = new URLSearchParams({ website: websiteKey, requestId, country, limit: "20" });
  const answered = await fetch(`${service}/v1/offers?${asked}`, { headers });
  const { premium, standard } = (await answered.json()) as Record<
    "premium" | "standard",
    { brand: string }[]
  >;
  return [...premium, ...standard].map(({ brand }) => brand);
};

const expectNoViolations = async () => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
};

test("an advertiser is added and paid for, an offer is made, handed out, paused, and handed out no more", async () => {
  await open("/operator/advertisers");
  await page.getByRole("button", { name: "Add an advertiser" }).click();
  await page.getByLabel("Name").fill("Brightwave");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Brightwave", level: 1 })).toBeVisible();

  const money = page.getByRole("list", { name: "Money" });
  await expect(money).toContainText("nothing left to pay with");
  await expect(money).toContainText("0 active");
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  await page.getByLabel("Amount").fill("250,00");
  await page.getByRole("button", { name: "Pay in" }).click();
  await expect(page.getByText("must have a point before its decimals")).toBeVisible();
  await page.getByLabel("Amount").fill("2500.00");
  await page.getByLabel("Note").fill("INV-2026-0117");
  await page.getByRole("button", { name: "Pay in" }).click();
  await expect(money).toContainText("2,500.00");
  await expect(page.getByRole("row", { name: /Deposit.* UTC .*INV-2026-0117.*2,500\.00/ })).toBeVisible();

  await page.getByRole("button", { name: "Adjust", exact: true }).click();
  const adjusting = page.getByRole("dialog", { name: "Adjust what Brightwave has paid in" });
  const takeBack = adjusting.getByRole("button", { name: "Take back" });
  await adjusting.getByLabel("Amount in EUR").fill("2500.01");
  await expect(takeBack).toBeDisabled();
  await adjusting.getByLabel("What for").fill("It was 250");
  await takeBack.click();
  await expect(page.getByRole("heading", { name: "Take 2500.01 EUR back from Brightwave?" })).toBeVisible();
  await expectNoViolations();
  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(adjusting.getByText("must not take away more than 2500.00 EUR")).toBeVisible();
  await adjusting.getByLabel("Amount in EUR").fill("2250");
  await takeBack.click();
  await page.getByRole("button", { name: "Take it back" }).click();
  await expect(adjusting).toBeHidden();
  await expect(money).toContainText("Left€250.00");
  await expect(page.getByRole("row", { name: /Adjustment.* UTC .*It was 250.*-€2,250\.00/ })).toBeVisible();
  await expectNoViolations();

  await page.getByRole("link", { name: "New offer" }).click();
  await page.getByLabel("Brand", { exact: true }).fill("Brightwave");
  await page.getByLabel("Title").fill("Wind at one price");
  await page.getByLabel("Vertical").fill("energy");
  await page.getByLabel("Landing address").fill("https://brightwave.example/?c={click_id}");
  await page.getByLabel("Price in EUR").fill("0.62");
  await page.getByLabel("Places").fill("UK");
  await page.getByRole("button", { name: "Save the offer" }).click();
  await expect(page.getByText("UK is no ISO 3166-1 country: write GB")).toBeVisible();
  await page.getByLabel("Places").fill("*");
  await page.getByRole("button", { name: "Save the offer" }).click();
  await expect(page.getByRole("heading", { name: "Brightwave: Wind at one price", level: 1 })).toBeVisible();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect.poll(handedOut).toContain("Brightwave");

  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await expect.poll(handedOut).not.toContain("Brightwave");
  expect(await handedOut()).toContain("Anchor Bank");
});

test("what was spent by day is drawn as narrow as the window becomes", async () => {
  const { advertiserId } = world.catalogue;
  await page.route(new RegExp(`/api/operator/advertisers/${advertiserId}\\??$`), async (route) => {
    const answer = await route.fetch();
    const days = Array.from({ length: 30 }, (_, index) => ({
      date: `2026-06-${String(index + 1).padStart(2, "0")}`,
      spentMicros: index * 1_000_000,
      billedClicks: index,
    }));
    await route.fulfill({ response: answer, json: { ...(await answer.json()), days } });
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(`/operator/advertisers/${advertiserId}`);
  const drawn = page.getByRole("img", { name: "Spent by day" });
  const widthOf = async () => (await drawn.boundingBox())?.width ?? 0;
  await expect.poll(widthOf).toBeGreaterThan(600);
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(widthOf).toBeLessThan(320);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(widthOf).toBeGreaterThan(600);
  await page.unrouteAll();
});

test("an advertiser's month is shown, and is a file, in the command line's words", async () => {
  const { advertiserId } = await world.service.admin<{ advertiserId: string }>(
    ...["advertiser", "create", "--name", "Accounted", "--balance-micros", "5000000"],
  );
  await open(`/operator/advertisers/${advertiserId}`);
  const card = page.getByRole("region", { name: "Statement" });
  await expect(card.getByLabel("Month")).toHaveValue(/^\d{4}-\d\d$/);
  await expect(card.getByRole("table")).toHaveCount(0);
  await card.getByRole("link", { name: "Show" }).click();
  await expect(card.getByRole("row", { name: "Opening balance €0.00" })).toBeVisible();
  await expect(card.getByRole("row", { name: /^Deposit .* UTC .*€5\.00$/ })).toBeVisible();
  await expect(card.getByRole("row", { name: "Closing balance €5.00" })).toBeVisible();
  await expect(card).toContainText("Adds up to the ledger: 1 lines");
  await expect(card).toContainText("Not final: visits of its last day may be billed until ");
  await expectNoViolations();
  const loaded = page.waitForEvent("download");
  await card.getByRole("link", { name: "CSV" }).click();
  expect((await loaded).suggestedFilename()).toMatch(
    new RegExp(`^statement-${advertiserId}-\\d{4}-\\d\\d\\.csv$`),
  );
  await card.getByRole("link", { name: "Hide" }).click();
  await expect(card.getByRole("table")).toHaveCount(0);
});

test("an edit that comes after somebody else's shows both, and overwrites nothing", async () => {
  const [offer] = world.catalogue.offers;
  await open(`/operator/offers/${offer?.offerId}`);
  await page.getByLabel("Title").fill("Mine");
  await world.service.admin("offer", "update", "--offer", offer?.offerId ?? "", "--title", "Theirs");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("row", { name: "title Theirs Mine" })).toBeVisible();
  await page.getByRole("button", { name: "Take what is saved now" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Theirs");
  await page.getByLabel("Title").fill("Mine after all");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: /: Mine after all$/ })).toBeVisible();
});

/** Changes an offer from elsewhere, and answers with what stands there now. */
const changeElsewhere = async (offerId: string, data: object) => {
  const { url } = world.wire;
  const headers = { Origin: url, "Sec-Fetch-Site": "same-origin" };
  const path = `${url}/dash/api/operator/offers/${offerId}`;
  const answer = await context.request.patch(path, { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).offer;
};

test("translations and days are filled in by fields, and what no field was touched of stays", async () => {
  const offerId = world.catalogue.offers[2]?.offerId ?? "";
  const before = await changeElsewhere(offerId, {
    locales: { de: { title: "Wind", terms: "Nur neu" }, fr: { title: "Vent" } },
    ...{ startsAt: "2026-12-01T09:00", endsAt: "2037-01-31", timeZone: "Europe/Berlin" },
  });
  await open(`/operator/offers/${offerId}`);
  const texts = page.getByRole("group", { name: "The same texts in other languages" });
  const inLanguage = (name: string) => texts.locator("details", { hasText: name });
  await inLanguage("German (de)").locator("summary").click();
  await inLanguage("German (de)").getByLabel("Title").fill("Sturm");
  await inLanguage("French (fr)").locator("summary").click();
  await page.getByRole("button", { name: "Remove French (fr)" }).click();
  const language = texts.getByLabel("Add a language");
  await language.fill("Klingon");
  await language.press("Enter");
  await expect(texts.getByText("This must be a language tag such as de or pt-BR.")).toBeVisible();
  await language.fill("pt_br");
  await language.press("Enter");
  const portuguese = inLanguage("Brazilian Portuguese (pt-BR)");
  await expect(portuguese.getByLabel("Title")).toBeFocused();
  await portuguese.getByLabel("Title").fill("Vento");
  await language.fill("PT-br");
  await language.press("Enter");
  await expect(texts.getByText("Brazilian Portuguese (pt-BR) is below already.")).toBeVisible();
  // The tag is kept as it is saved, which is the old one of Hebrew here.
  await language.fill("iw");
  await language.press("Enter");
  await page.getByRole("button", { name: "Remove Hebrew (iw)" }).click();
  await expect(page.getByText("By the clock of Europe/Berlin;").first()).toBeVisible();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2026-12-01");
  await page.getByLabel("From: time").fill("08:30");
  await expect(page.getByLabel("Until: time")).toHaveValue("");
  await expectNoViolations();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".unsaved")).toHaveCount(0);
  expect(await changeElsewhere(offerId, {})).toEqual({
    ...before,
    locales: { de: { title: "Sturm", terms: "Nur neu" }, "pt-BR": { title: "Vento" } },
    startsAt: "2026-12-01T08:30",
  });
  await changeElsewhere(offerId, {
    ...{ locales: { de: null, "pt-BR": null }, startsAt: null, endsAt: null, timeZone: "UTC" },
  });
});

test("a time stays while the date beside it is typed, and a year has four digits", async () => {
  const offerId = world.catalogue.offers[2]?.offerId ?? "";
  await changeElsewhere(offerId, { startsAt: "2026-12-01T09:00" });
  await open(`/operator/offers/${offerId}`);
  const date = page.getByLabel("From", { exact: true });
  const time = page.getByLabel("From: time");
  await date.focus();
  await page.keyboard.press("Backspace");
  await expect(date).toHaveValue("");
  await expect(time).toBeDisabled();
  await page.keyboard.type("11");
  await expect(date).toHaveValue("2026-11-01");
  await expect(time).toHaveValue("09:00");
  await date.focus();
  await page.keyboard.type("1105202712");
  await expect(date).toHaveAttribute("type", "date");
  await date.fill("2027-11-05");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".unsaved")).toHaveCount(0);
  expect(await changeElsewhere(offerId, {})).toMatchObject({ startsAt: "2027-11-05T09:00" });
  await changeElsewhere(offerId, { startsAt: null });
});

test("saved over somebody else's, an offer keeps the language and the places that they have added", async () => {
  const offerId = world.catalogue.offers[2]?.offerId ?? "";
  const elsewhere = (data: object) => changeElsewhere(offerId, data);
  await elsewhere({ geoCoverage: ["DE"], locales: { de: { title: "Heim" } } });
  await open(`/operator/offers/${offerId}`);
  await page.getByRole("button", { name: "As JSON" }).click();
  const others = page.getByLabel("By language, as JSON");
  await expect(others).toHaveValue(/Heim/);
  await elsewhere({ geoCoverage: ["DE", "ES"], locales: { fr: { title: "Le retour" } } });
  await others.fill('{"de": {"title": "Heimweg"}}');
  await page.getByLabel("Places", { exact: true }).fill("DE, FR");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const over = page.getByRole("button", { name: "Save my changes over it" });
  await others.fill("{");
  await over.click();
  await expect(page.getByText("Not saved. Look at “The same texts in other languages”.")).toBeVisible();
  await others.fill('{"de": {"title": "Heimweg"}}');
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await over.click();
  await expect(over).toBeHidden();
  await expect(page.locator(".unsaved")).toHaveCount(0);
  await expect(others).toHaveValue(/Le retour/);
  expect(await elsewhere({})).toMatchObject({
    geoCoverage: ["DE", "ES", "FR"],
    locales: { de: { title: "Heimweg" }, fr: { title: "Le retour" } },
  });
});

test("an offer is paused beside what is typed, which is saved afterwards", async () => {
  const [offer] = world.catalogue.offers;
  await open(`/operator/offers/${offer?.offerId}`);
  await expect(page.getByText("its click rate goes on from what was recorded")).toBeVisible();
  await page.getByLabel("Title").fill("Typed before the pause");
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Typed before the pause");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: /: Typed before the pause$/ })).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test("an offer is kept to a publisher by its name, and is for all once that is taken out", async () => {
  const offerId = world.catalogue.offers[2]?.offerId ?? "";
  const { publisherId } = await world.service.admin<{ publisherId: string }>(
    ...["publisher", "create", "--name", "Harbour News"],
  );
  await open(`/operator/offers/${offerId}`);
  const only = page.getByLabel("Publishers that alone may show it");
  await only.fill("Nobody at all");
  await only.press("Enter");
  await expect(page.getByText('There is no publisher "Nobody at all".')).toBeVisible();
  await only.fill("harbour news");
  await only.press("Enter");
  await expect(page.getByRole("button", { name: "Remove Harbour News" })).toBeVisible();
  await expectNoViolations();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".unsaved")).toHaveCount(0);
  const saved = () => world.service.admin<object>("offer", "show", "--offer", offerId);
  expect(await saved()).toMatchObject({ onlyPublishers: [publisherId], exceptPublishers: [] });
  await page.getByRole("button", { name: "Remove Harbour News" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".unsaved")).toHaveCount(0);
  expect(await saved()).toMatchObject({ onlyPublishers: [], exceptPublishers: [] });
});

test("an offer that somebody else has changed is paused at the second press", async () => {
  const buoy = world.catalogue.offers[1]?.offerId ?? "";
  await open("/operator/offers?q=Buoy");
  const row = page.getByRole("row", { name: /Buoy Mobile/ });
  await expect(row).toBeVisible();
  await world.service.admin("offer", "update", "--offer", buoy, "--title", "Calls ashore");
  await row.getByRole("button", { name: /^Pause/ }).click();
  await expect(page.getByText("Somebody else has saved this meanwhile.")).toBeVisible();
  await expect(row).toContainText("Calls ashore");
  await row.getByRole("button", { name: /^Pause/ }).click();
  await expect(row.getByRole("button", { name: /^Resume/ })).toBeVisible();
});

const filed = (place: string, brand = "Filed") =>
  `${world.catalogue.advertiserId},${brand},games,From a file,${place},CPC,100000,https://filed.example/?c={click_id}`;
const csv = (...lines: string[]) =>
  ["advertiserId,brand,vertical,title,geoCoverage,payoutModel,payoutMicros,landingUrl", ...lines].join("\n");
const fileOf = (text: string, encoding: BufferEncoding = "utf8") => ({
  name: "offers.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(text, encoding),
});
const fileInput = (on = page) => on.getByLabel("CSV with a header, or a JSON list");

test("a file with a bad line is named by its line and saves nothing, and a mended one is saved", async () => {
  const line = filed("*");
  const choose = (text: string) => fileInput().setInputFiles(fileOf(text));
  await open("/operator/offer-file");
  await choose(csv(line, filed("XX")));
  await expect(page.getByText("One line cannot be saved, so nothing of the file is.")).toBeVisible();
  await expect(page.getByRole("row", { name: /geoCoverage/ })).toContainText("3");
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
  await expectNoViolations();

  await choose(csv(line));
  await expect(page.getByText("It would save 1 new, 0 known.")).toBeVisible();
  await expect(page.getByText("{click_id}")).toHaveCount(0);
  await expect(page.getByText("was there before")).toHaveCount(0);
  expect(await handedOut()).not.toContain("Filed");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("Imported: 1 new, 0 known.")).toBeVisible();
  await expect.poll(handedOut).toContain("Filed");

  await page.getByRole("link", { name: "See the offers" }).click();
  await page.getByLabel("Search").fill("from a FILE");
  await expect(page.getByRole("row", { name: /Filed/ })).toBeVisible();
  await expect(page.getByText("1–1 of 1", { exact: true })).toBeVisible();
  await page.getByLabel("Search").fill("nothing like it");
  await page.getByRole("link", { name: "Show all offers" }).click();
  await expect(page.getByLabel("Search")).toHaveValue("");
  await expect(page.getByRole("row", { name: /Anchor Bank/ })).toBeVisible();

  await open("/operator/offer-file");
  await choose(csv(filed("*", "Other").replace("{click_id}", "none"), line));
  await expect(page.getByText("It would save 2 new, 0 known.")).toBeVisible();
  await expect(page.getByText("landingUrl has no {click_id}")).toContainText("which click came: line 2.");
  await expect(page.getByText("title and landingUrl was there before: line 3.")).toBeVisible();
  await expectNoViolations();
});

test("a file that is chosen while another is looked at gets a verdict of its own", async () => {
  await open("/operator/offer-file");
  const first = Promise.withResolvers<void>();
  await page.route(
    "**/api/operator/offer-file",
    async (route) => {
      await first.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const asked = page.waitForRequest("**/api/operator/offer-file");
  await fileInput().setInputFiles(fileOf(csv(filed("*"))));
  await asked;
  await fileInput().setInputFiles(fileOf(csv(filed("XX"))));
  first.resolve();
  await expect(page.getByText("One line cannot be saved, so nothing of the file is.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeDisabled();

  // Without a file in it, the field tells of one of the same name.
  const chooser = page.waitForEvent("filechooser");
  await fileInput().click();
  const opened = await chooser;
  await expect(fileInput()).toHaveValue("");
  await opened.setFiles(fileOf(csv(filed("*", "Zürich")), "latin1"));
  await expect(page.getByText("This file is not UTF-8")).toBeVisible();
  await expect(page.getByText("cannot be saved")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Check the file" })).toBeDisabled();

  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("It was moved.", "NotReadableError"));
  });
  await fileInput().setInputFiles(fileOf(csv(filed("*"))));
  await expect(page.getByText("This file cannot be read.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Check the file" })).toBeDisabled();
});

test("what becomes of an import is told: no other file is chosen until then", async () => {
  await open("/operator/offer-file");
  await fileInput().setInputFiles(fileOf(csv(filed("*", "Awaited"))));
  await expect(page.getByText("It would save 1 new, 0 known.")).toBeVisible();
  const pasted = page.getByLabel("CSV", { exact: true });
  await page.getByText("Or paste its lines").click();
  await expect(pasted).toBeEditable();
  const goOn = await hold(page, /\/operator\/offer-file$/, (call) => call.method() === "POST");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(fileInput()).toBeDisabled();
  await expect(page.getByText("Importing the offers")).toBeVisible();
  await expect(pasted).not.toBeEditable();
  goOn();
  await expect(page.getByText("Imported: 1 new, 0 known.")).toBeVisible();
  await expect(fileInput()).toBeEnabled();
  await expect(pasted).toBeEditable();
  await page.unrouteAll();
});

test("a check that does not reach the service saves nothing, and is not said to", async () => {
  await open("/operator/offer-file");
  await page.route("**/api/operator/offer-file", (route) => route.abort());
  await fileInput().setInputFiles(fileOf(csv(filed("*", "Unchecked"))));
  await expect(page.getByText("Is this machine online?")).toBeVisible();
  await expect(page.getByText("may be saved")).toHaveCount(0);
  await page.unrouteAll();
});

test("an import without an answer may be saved, and is looked at before it is sent once more", async ({
  browser,
}) => {
  const late = await pageOf(browser, "orla@example.com");
  await late.clock.install();
  await late.goto(`${world.wire.url}/dash/operator/offer-file`);
  const verdict = late.getByText("It would save 1 new, 0 known.");
  const send = late.getByRole("button", { name: "Import", exact: true });
  await fileInput(late).setInputFiles(fileOf(csv(filed("*", "Lost"))));
  await expect(verdict).toBeVisible();
  const goOn = Promise.withResolvers<void>();
  const sent: number[] = [];
  await late.route("**/api/operator/offer-file", async (route) => {
    const answer = await route.fetch();
    sent.push(answer.status());
    if (sent.length === 1) await route.abort();
    else if (sent.length === 3) await route.fulfill({ status: 504, body: "Gateway Timeout" });
    else {
      await goOn.promise;
      await route.fulfill({ response: answer });
    }
  });
  const mayBeSaved = "It may be saved all the same: look before you try again.";
  await send.click();
  await expect(late.getByText(`No answer came. ${mayBeSaved}`)).toBeVisible();
  await expect(verdict).toBeHidden();
  await expect(send).toBeDisabled();
  const asked = late.waitForRequest("**/api/operator/offer-file");
  await late.getByRole("button", { name: "Check the file" }).click();
  await asked;
  // A slow line takes longer for a file than other calls may take.
  await late.clock.fastForward(150_000);
  goOn.resolve();
  await expect(verdict).toBeVisible();
  await send.click();
  await expect(late.getByText(`The service answered 504. ${mayBeSaved}`)).toBeVisible();
  await expect(send).toBeDisabled();
  expect(sent).toEqual([200, 200, 200]);
  await late.goto(`${world.wire.url}/dash/operator/offers?q=Lost`);
  await expect(late.getByText("1–2 of 2", { exact: true })).toBeVisible();
  await late.context().close();
});

test("a new offer and pasted lines are not left without a question, until they are saved", async () => {
  const leave = async (by: () => Promise<unknown>, path: string) => {
    const question = page.waitForEvent("dialog");
    const left = by();
    await (await question).dismiss();
    await left;
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  };
  const goBack = () => page.evaluate(() => history.back());
  const followLink = () => page.getByRole("link", { name: "Users", exact: true }).click();
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 });

  await open("/operator/offers");
  await page.getByRole("link", { name: "New offer" }).click();
  await expect(page.getByLabel("Advertiser")).not.toHaveValue("");
  await goBack();
  await expect(heading("Offers")).toBeVisible();
  await page.getByRole("link", { name: "New offer" }).click();
  await page.getByLabel("Brand", { exact: true }).fill("Kept");
  await leave(goBack, "/offers/new");
  await leave(followLink, "/offers/new");
  await expect(page.getByLabel("Brand", { exact: true })).toHaveValue("Kept");
  await page.getByLabel("Title").fill("Not lost");
  await page.getByLabel("Vertical").fill("energy");
  await page.getByLabel("Landing address").fill("https://kept.example/?c={click_id}");
  await page.getByLabel("Price in EUR").fill("0.1");
  await page.getByLabel("Places").fill("*");
  await page.getByRole("button", { name: "Save the offer" }).click();
  await expect(heading("Kept")).toBeVisible();
  await followLink();
  await expect(heading("Users")).toBeVisible();

  await open("/operator/offers");
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByText("Or paste its lines").click();
  const pasted = page.getByLabel("CSV", { exact: true });
  await pasted.fill(csv(filed("*", "Pasted")));
  await leave(goBack, "/offer-file");
  await leave(followLink, "/offer-file");
  await expect(pasted).toHaveValue(/Pasted/);
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText("Imported: 1 new, 0 known.")).toBeVisible();
  await followLink();
  await expect(heading("Users")).toBeVisible();
});

test("where the password is wanted again it is asked for, and the same change goes on", async () => {
  await open(`/operator/advertisers/${world.catalogue.advertiserId}`);
  const sent: string[] = [];
  await page.route("**/deposits", async (route) => {
    sent.push(route.request().postData() ?? "");
    if (sent.length > 1) return route.continue();
    await route.fulfill({
      status: 403,
      contentType: "application/problem+json",
      body: JSON.stringify({ status: 403, code: "sign_in_again", detail: "Give your password again." }),
    });
  });
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  await page.getByLabel("Amount").fill("1.25");
  await page.getByRole("button", { name: "Pay in" }).click();
  await page.getByRole("textbox", { name: "Password" }).fill("not my password");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await expectNoViolations();
  await page.getByRole("textbox", { name: "Password" }).fill(testPassword);
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("row", { name: /Deposit.*1\.25/ })).toHaveCount(1);
  expect(sent).toHaveLength(2);
  await page.unroute("**/deposits");
});

test("a deposit whose answer was lost is refused once, and then paid in where it is meant", async () => {
  await open(`/operator/advertisers/${world.catalogue.advertiserId}`);
  await page.route(
    "**/deposits",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const payIn = dialog.getByRole("button", { name: "Pay in" });
  const lines = page.locator("tr", { hasText: "7.77" });
  await dialog.getByLabel("Amount").fill("7.77");
  await payIn.click();
  await expect(dialog.getByRole("alert")).toContainText("It may be saved all the same");
  await payIn.click();
  await expect(dialog.getByText("there is another deposit or adjustment by now")).toBeVisible();
  await expect(lines).toHaveCount(1);
  await payIn.click();
  await expect(dialog).toBeHidden();
  await expect(lines).toHaveCount(2);
});

test("the ledger shows the lines that were asked for last, and each of them once", async () => {
  const line = (id: number, kind: "deposit" | "click") => ({
    ...{ id, kind, at: Date.now(), micros: 1_000_000, currency: "EUR" },
    ...{ offerId: null, brand: null, websiteKey: null },
  });
  const all = Promise.withResolvers<void>();
  let older = 0;
  await page.route("**/ledger*", async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    if (!asked.has("kind")) {
      await all.promise;
      return route.fulfill({ json: { items: [line(9, "click")], before: null } });
    }
    if (!asked.has("before")) return route.fulfill({ json: { items: [line(7, "deposit")], before: 7 } });
    older += 1;
    await route.fulfill({ json: { items: [line(3, "deposit")], before: null } });
  });
  const ended = Promise.withResolvers<void>();
  const note = (request: Request) => {
    if (/\/ledger\??$/.test(request.url())) ended.resolve();
  };
  page.on("requestfinished", note);
  page.on("requestfailed", note);
  await open(`/operator/advertisers/${world.catalogue.advertiserId}`);
  await page.getByRole("link", { name: "Paid in", exact: true }).click();
  await expect(page.getByRole("row", { name: /Deposit.* 7$/ })).toBeVisible();
  all.resolve();
  await ended.promise;
  await page.getByRole("button", { name: "Older lines" }).dblclick();
  await expect(page.getByRole("row", { name: /Deposit.* 3$/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /^(Deposit|Click)/ })).toHaveCount(2);
  expect(older).toBe(1);
  await page.unroute("**/ledger*");
});

test("offers of one brand are told apart by their titles, in the ledger and in the list", async () => {
  const line = { kind: "click", at: Date.now(), micros: -450_000, currency: "EUR", websiteKey: null };
  const of = (id: number, title?: string) => ({
    ...line,
    id,
    offerId: `offer_${id}`,
    brand: "Brightwave",
    title,
  });
  const items = [of(3, "Wind at one price"), of(2, "Sun at one price"), of(1)];
  await page.route("**/ledger*", (route) => route.fulfill({ json: { items, before: null } }));
  await open(`/operator/advertisers/${world.catalogue.advertiserId}`);
  const links = page.getByRole("table", { name: /^Lines of the ledger/ }).getByRole("link");
  // A node of an older release does not say the title.
  for (const [at, name] of [
    "Wind at one price by Brightwave",
    "Sun at one price by Brightwave",
    "Brightwave",
  ].entries())
    await expect(links.nth(at)).toHaveAccessibleName(name);
  await page.unroute("**/ledger*");

  await open("/operator/offers?q=Buoy");
  await expect(page.getByRole("link", { name: /^.+ by Buoy Mobile$/ })).toBeVisible();
});

test("lines that could not be read are not those of the other tab", async () => {
  const line = { id: 9, kind: "click", at: Date.now(), micros: 1_000_000, currency: "EUR" };
  await page.route("**/ledger*", (route) => {
    const asked = new URL(route.request().url()).searchParams;
    if (asked.has("kind")) return route.abort();
    const items = [{ ...line, offerId: null, brand: null, websiteKey: null }];
    return route.fulfill({ json: { items, before: 9 } });
  });
  await open(`/operator/advertisers/${world.catalogue.advertiserId}`);
  const shown = page.getByRole("row", { name: /Click.* 9$/ });
  await expect(shown).toBeVisible();
  await page.getByRole("link", { name: "Paid in", exact: true }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(shown).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Older lines" })).toHaveCount(0);
  await page.unroute("**/ledger*");
});

test("who makes or unmakes an operator is asked first, and unmade themselves sees those pages no more", async ({
  browser,
}) => {
  const theirs = await pageOf(browser, "ottilie@example.com");
  await theirs.goto(`${world.wire.url}/dash/operator/users`);
  const own = theirs.getByRole("row", { name: /ottilie@example\.com/ });
  const question = theirs.getByRole("dialog");
  await own.getByRole("button", { name: /^No operator any more/ }).click();
  await expect(question).toContainText("links that they have made for others end");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(own).toContainText("Operates the service");
  await own.getByRole("button", { name: /^No operator any more/ }).click();
  await question.getByRole("button", { name: "No operator any more" }).click();
  await expect(theirs.getByRole("heading", { name: "Nothing is here" })).toBeVisible();
  await expect(theirs.getByRole("link", { name: "Advertisers" })).toHaveCount(0);
  await theirs.context().close();

  await open("/operator/users");
  const other = page.getByRole("row", { name: /ottilie@example\.com/ });
  await other.getByRole("button", { name: /^Make an operator/ }).click();
  await expect(page.getByRole("dialog")).toContainText("sees and changes everything on these pages");
  await expectNoViolations();
  await page.getByRole("dialog").getByRole("button", { name: "Make an operator" }).click();
  await expect(other).toContainText("Operates the service");
});

test("a partner's secret is shown once", async () => {
  await open("/operator/partners");
  await page.getByRole("button", { name: "Register an application" }).click();
  await page.getByLabel("Name").fill("Bookkeeper");
  await page.getByLabel("Addresses that people are sent back to").fill("http://books.example/back");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await expect(page.locator(".wrong")).toContainText("http://books.example/back");
  await page.getByLabel("Addresses that people are sent back to").fill("https://books.example/back");
  await page.getByRole("button", { name: "Register", exact: true }).click();
  const secret = await page.getByRole("region", { name: "Its secret" }).locator("code").textContent();
  expect(secret?.length).toBeGreaterThan(20);
  await expectNoViolations();
  // A page that is left may be kept by the browser as it is.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("body")).not.toContainText(secret ?? "");
  await expect(page.getByRole("row", { name: /Bookkeeper/ })).toContainText("https://books.example/back");
  await page.reload();
  await expect(page.getByRole("row", { name: /Bookkeeper/ })).toBeVisible();
  await expect(page.locator("body")).not.toContainText(secret ?? "");
  await expectNoViolations();
});

test("an operator who looks at a publisher is told so, and the publisher is told too", async () => {
  await open(`/operator/publishers/${world.catalogue.publisherId}`);
  await page.getByRole("link", { name: "Look as its team does" }).click();
  await expect(page.getByText("You look at Pier as its team does; nothing can be changed.")).toBeVisible();
  await page.getByRole("link", { name: "Reports" }).click();
  await expect(page.getByRole("heading", { name: "Reports" })).toBeVisible();
  await expect(page.getByText("You look at Pier as its team does")).toBeVisible();
  const rows = await world.service.admin<{ action: string; actor: { name: string } }[]>(
    ...["activity", "list", "--publisher", world.catalogue.publisherId],
  );
  expect(rows.filter(({ action }) => action === "looked")).toHaveLength(1);
  await page.getByRole("link", { name: "Users" }).click();
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
  // There something can be changed.
  await expect(page.getByText("You look at Pier as its team does")).toHaveCount(0);
  await page.goBack();
  await page.getByRole("link", { name: "Stop looking" }).click();
  await expect(page.getByText("You look at Pier as its team does")).toHaveCount(0);
});

test("an operator who looks at a website is told that its preview is its team's, and none is made", async () => {
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  const { websiteKey } = world.website("pier");
  await open(`/websites/${websiteKey}?p=${world.catalogue.publisherId}`);
  await expect(page.getByText("Only the website's own team can open its preview.")).toBeVisible();
  await expect(page.getByText(/^This needs the role/)).toHaveCount(0);
  expect(sent).toEqual([]);
});

test("each other page stands, says what to do next, and has nothing for a checker to find", async () => {
  await open("/operator/now");
  await expect(page.getByRole("row", { name: /Backup/ })).toContainText("Never run");
  await world.service.admin("audit");
  // Not asked for by hand: the page asks again by itself.
  await page.getByRole("button", { name: "Follow closely" }).click();
  await expect(page.getByRole("row", { name: /Audit/ })).toContainText("every figure agrees");
  await expectNoViolations();
  for (const [path, says] of [
    ["/operator/users", "olga@example.com"],
    ["/operator/publishers", "nobody yet"],
    ["/operator/quality", "Networks of data centres"],
    ["/operator/offers?q=nothing-like-it", "No offer fits"],
  ] as const) {
    await open(path);
    await expect(page.getByText(says).first()).toBeVisible();
    await expectNoViolations();
  }
});

test("what is of another choice is marked while that of this one is awaited", async () => {
  for (const [path, call, choose] of [
    ["/operator/offers", /\/offers\?/, () => page.getByLabel("State").selectOption("active")],
    [
      "/operator/quality?days=7",
      /\/quality\?/,
      () => page.getByRole("link", { name: "Since yesterday" }).click(),
    ],
  ] as const) {
    await page.route(/\/api\/operator\/quality\?/, async (route) => {
      const response = await route.fetch();
      const counted = [{ date: "2026-05-04", websiteKey: "", counted: 3, filtered: 1 }];
      await route.fulfill({ response, json: { ...(await response.json()), counted } });
    });
    await open(path);
    await expect(page.locator(".card tbody tr").first()).toBeVisible();
    const goOn = await hold(page, call);
    await choose();
    await expect(page.locator('.card[aria-busy="true"]').first()).toBeVisible();
    goOn();
    await expect(page.locator('.card[aria-busy="true"]')).toHaveCount(0);
    await page.unrouteAll();
  }
});

test("what was refused of older visits, without its reason, is not said to have counted", async () => {
  const { websiteKey } = world.website("pier");
  await page.route("**/dash/api/operator/quality**", async (route) => {
    const response = await route.fetch();
    const counted = [{ date: "2026-05-04", websiteKey, counted: 3, filtered: 1 }];
    await route.fulfill({ response, json: { ...(await response.json()), refused: [], unkept: [], counted } });
  });
  await open("/operator/quality");
  await expect(page.getByText("stands below by day alone")).toHaveCount(2);
  await expect(page.getByText("Everything counted.")).toHaveCount(0);
  await page.unroute("**/dash/api/operator/quality**");
});

test("of many websites those with the most events that did not count are named", async () => {
  const dates = ["2026-05-03", "2026-05-04"];
  const many = Array.from({ length: 60 }, (_, at) => ({ websiteKey: `ws_${at}`, events: at + 1 }));
  await page.route("**/dash/api/operator/quality**", async (route) => {
    const response = await route.fetch();
    const refused = many.map((one) => ({ ...one, date: "2026-05-04", type: "click", reason: "duplicate" }));
    const counted = dates.flatMap((date) =>
      many.map(({ websiteKey, events }) => ({ date, websiteKey, counted: 100, filtered: events })),
    );
    const websites = many.map(({ websiteKey }) => ({
      websiteKey,
      name: `of ${websiteKey}`,
      publisher: "Pier",
    }));
    await route.fulfill({ response, json: { ...(await response.json()), refused, counted, websites } });
  });
  await open("/operator/quality?days=2");
  const bySite = page.getByRole("table", { name: "What did not count, by website" });
  await expect(bySite.getByRole("rowheader")).toHaveCount(50);
  await expect(bySite.getByRole("rowheader").first()).toHaveText("of ws_59");
  const byDay = page.getByRole("table", { name: "What counted and what did not, by day and website" });
  await expect(byDay.locator("tbody tr")).toHaveCount(100);
  await expect(page.getByText("The 50 websites with the most events that did not count, of 60.")).toHaveCount(
    2,
  );
  // The sums are of all.
  await expect(page.getByRole("row", { name: /^Duplicate|1,830/ }).first()).toContainText("1,830");

  await open("/operator/quality?days=2&website=ws_3");
  await expect(byDay.locator("tbody tr")).toHaveCount(2);
  await expect(page.getByText("did not count, of 60.")).toHaveCount(1);
  await page.unroute("**/dash/api/operator/quality**");
});

test("a publisher's share has two decimals at the most, and is saved beside what others change", async () => {
  const { publisherId } = world.catalogue;
  await open(`/operator/publishers/${publisherId}`);
  const share = page.getByLabel("Share in per cent");
  await share.fill("12.345");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.locator(".field .wrong")).toContainText("0 to 100, with at most two decimals");
  await share.fill("12.34");
  await world.service.admin("publisher", "update", "--publisher", publisherId, "--name", "Pier at sea");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("row", { name: "name Pier at sea Pier" })).toBeVisible();
  await page.getByRole("button", { name: "Save my changes over it" }).click();
  await expect(page.getByText("now 12.34%")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Pier at sea");
});

test("a page that one comes back to from another publisher's holds its own alone", async () => {
  await world.service.admin("publisher", "create", "--name", "Quay");
  await open(`/operator/publishers/${world.catalogue.publisherId}`);
  const name = page.getByLabel("Name");
  const before = await name.inputValue();
  await page.getByRole("main").getByRole("link", { name: "Publishers" }).click();
  await page.getByRole("link", { name: "Quay" }).click();
  await expect(name).toHaveValue("Quay");
  await page.getByLabel("Share in per cent").fill("51");
  await page.getByLabel("Invite by e-mail").fill("quay@example.com");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("now 51%")).toBeVisible();
  await page.evaluate(() => history.go(-2));
  await expect(page.getByRole("heading", { level: 1, name: before })).toBeVisible();
  await expect(name).toHaveValue(before);
  await expect(page.getByLabel("Share in per cent")).not.toHaveValue("51");
  await expect(page.getByLabel("Invite by e-mail")).toHaveValue("");
});

test("a refusal goes with the change that it is about", async () => {
  await open(`/operator/publishers/${world.catalogue.publisherId}`);
  const share = page.getByLabel("Share in per cent");
  const before = await share.inputValue();
  await share.fill("12.345");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const refused = page.locator(".field .wrong");
  await expect(refused).toBeVisible();
  await page.getByLabel("Name").fill("Pier by night");
  await expect(refused).toBeVisible();
  await page.getByLabel("Name").fill("Pier at sea");
  await share.fill(before);
  await expect(refused).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Discard" })).toHaveCount(0);
});

test("a page that asks by itself says that the session has ended, and leads to the sign-in when it is told to try", async ({
  browser,
}) => {
  const now = await pageOf(browser, "oskar@example.com");
  await now.clock.install();
  const path = "/dash/operator/now";
  await now.goto(world.wire.url + path);
  await expect(now.getByText("Events a minute")).toBeVisible();
  await now.context().clearCookies();
  await now.clock.runFor(11_000);
  await expect(
    now.getByText("Your session has ended. Sign in in another tab, then try again."),
  ).toBeVisible();
  await expect(now.getByText("Events a minute")).toBeVisible();
  await now.getByRole("button", { name: "Try again" }).click();
  await expect(now).toHaveURL(`${world.wire.url}/dash/sign-in?next=${encodeURIComponent(path)}`);
  await now.context().close();
});

test("to anybody else the pages do not exist", async ({ browser }) => {
  const other = await browser.newContext();
  const { publisherId } = world.catalogue;
  await signIn(
    other,
    { service: world.service, url: world.wire.url },
    { email: "ada@example.com", publisherId },
  );
  const theirs = await other.newPage();
  await theirs.goto(`${world.wire.url}/dash/operator/now`);
  await expect(theirs.getByRole("heading", { name: "Nothing is here" })).toBeVisible();
  await expect(theirs.getByRole("link", { name: "Advertisers" })).toHaveCount(0);
  await other.close();
});

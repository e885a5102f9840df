import { type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { signIn } from "./dash.ts";
import { makePatient } from "./patient-page.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
/** Of an operator who is an owner of the publisher too. */
let context: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  world = await openWorld({
    websites: [
      { name: "Journal", geo: everybodyBlocked },
      { name: "Herald", geo: everybodyBlocked },
    ],
  });
  context = await browser.newContext();
  const { service, wire, catalogue } = world;
  const person = { email: "ada@example.com", isOperator: true, publisherId: catalogue.publisherId };
  await signIn(context, { service, url: wire.url }, person);
  // Reports are to have rows.
  const reader = await browser.newPage();
  const decided = reader.waitForResponse(/\/v1\/decision/);
  const seen = reader.waitForResponse(/\/v1\/events\/impression/);
  await makePatient(reader);
  await reader.goto(`${world.host.origin}${world.publish("/read", "Journal")}`);
  await (await decided).finished();
  await (await seen).finished();
  await reader.close();
});
test.beforeEach(async () => {
  page = await context.newPage();
});
test.afterEach(async () => {
  await page.close();
});
test.afterAll(async () => {
  await context?.close();
  await world?.close();
});

const open = async (path: string): Promise<void> => {
  await page.goto(`${world.wire.url}/dash${path}`);
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("main :is(.skeleton, .spinner)")).toHaveCount(0);
};
const websitePath = (end = "", name = "Journal") => `/websites/${world.website(name).websiteKey}${end}`;

test("nothing that has the focus lies behind the bar of what is not saved", async () => {
  for (const height of [568, 256]) {
    await page.setViewportSize({ width: 320, height });
    await open(websitePath("/look"));
    // Its overlay takes the focus for an instant when it opens.
    await expect(page.frameLocator("iframe").getByRole("dialog")).toBeVisible();
    const title = page.getByLabel("Title", { exact: true });
    await title.fill("Typed");
    await expect(page.getByText("Unsaved changes")).toBeAttached();
    await title.focus();
    const behind: string[] = [];
    let compared = 0;
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const focused = document.activeElement;
        const bar = document.querySelector(".unsaved");
        if (!focused || !bar || bar.contains(focused) || focused instanceof HTMLIFrameElement) return "";
        const [own, its] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()];
        const name =
          (focused instanceof HTMLInputElement && focused.labels?.[0]?.textContent) || focused.tagName;
        // Of a text of several lines the browser scrolls to the one with the cursor.
        const end = Math.min(own.bottom, own.top + 36);
        return end > its.top && own.top < its.bottom ? name : null;
      });
      if (found) behind.push(found);
      if (found !== "") compared += 1;
    }
    expect(behind, `in a window of ${height} px`).toEqual([]);
    expect(compared).toBeGreaterThan(8);
  }
});

/** What of its looks tells a choice that is made from one that is not, but for its ground and its weight. */
const looksOf = (choice: Locator): Promise<string> =>
  choice.evaluate((element) => {
    const { color, boxShadow, outlineStyle, borderBlockEndColor, borderBlockEndWidth } =
      getComputedStyle(element);
    const hasBorder = borderBlockEndWidth !== "0px";
    const isForced = matchMedia("(forced-colors: active)").matches;
    return [isForced || color, isForced || boxShadow, outlineStyle, hasBorder && borderBlockEndColor].join(
      " ",
    );
  });

test("what is chosen is told by more than its ground, in the dark and in forced colours", async () => {
  const at = (path: string, row: string, chosen: string) => ({ path, row, chosen });
  for (const { path, row, chosen } of [
    at(websitePath("/tag"), ".tabs", "[aria-current]"),
    at(websitePath("/tag"), ".switch", "[aria-pressed=true]"),
    at("/reports", ".actions .switch", "[aria-current]"),
    at("/reports", ".range .sheet ul", "[aria-current]"),
  ]) {
    await open(path);
    if (row.startsWith(".range")) await page.locator(".range summary").click();
    const one = page.locator(row).locator(chosen);
    const other = page.locator(row).locator(`:is(a, button):not(${chosen})`).last();
    for (const forcedColors of ["active", "none"] as const) {
      await page.emulateMedia({ colorScheme: "dark", forcedColors });
      // What is chosen in a list has a check besides.
      if (forcedColors === "none" && row.startsWith(".range")) continue;
      expect(await looksOf(one), `${path} ${row}, forced: ${forcedColors}`).not.toBe(await looksOf(other));
    }
  }
});

test("no two pages of a website have one title or one heading", async () => {
  const titles = new Set<string>();
  const headings = new Set<string | null>();
  const ends = ["", "/tag", "/places", "/allowlist", "/look", "/secrets", "/settings"];
  for (const end of ends) {
    await open(websitePath(end));
    await expect(page).toHaveTitle(/ · Journal · Websites · Offers$/);
    titles.add(await page.title());
    headings.add(await page.locator("h1").textContent());
  }
  expect([titles.size, headings.size]).toEqual([ends.length, ends.length]);
  expect([...titles]).toContain("Places · Journal · Websites · Offers");
});

test("a report that is folded is sorted too, and says what its figures mean", async () => {
  await page.setViewportSize({ width: 640, height: 800 });
  await open("/reports?by=offer");
  const sorting = page.getByLabel("Sorted by");
  await sorting.selectOption({ label: "Earned, the most first" });
  await expect(page).toHaveURL(/sort=earnings\.down/);
  await expect(sorting).toHaveValue("earnings.down");
  await sorting.selectOption({ label: "As they come" });
  await expect(page).not.toHaveURL(/sort=/);
  const meaning = page.getByText("Offers of which half was visible for a second").and(page.locator("dd"));
  await expect(meaning).toBeHidden();
  await page.getByText("What the figures mean").click();
  await expect(meaning).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(sorting).toBeHidden();
  await expect(meaning).toBeHidden();
});

test("a refusal names fields as the page does, and leads to the first of them", async () => {
  const [offer] = world.catalogue.offers;
  await open(`/operator/offers/${offer?.offerId}`);
  await page.getByLabel("Brand", { exact: true }).fill("");
  await page.getByLabel("By the clock of").fill("Europe/Nowhere");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved. Look at “Brand” and “By the clock of”.")).toBeVisible();
  await expect(page.getByLabel("Brand", { exact: true })).toBeFocused();

  await open(websitePath("/look"));
  await page.getByLabel("Page", { exact: true }).fill("no address");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved. Look at “Page”.")).toBeVisible();
  await expect(page.getByLabel("Page", { exact: true })).toBeFocused();

  await open("/operator/offers/new");
  await page.getByRole("button", { name: "Save the offer" }).click();
  await expect(page.getByText("Not saved. Look at “Price in EUR”.")).toBeVisible();
  await expect(page.getByLabel("Price in EUR")).toBeFocused();
});

/** Changes the Herald from elsewhere. */
const elsewhere = async (method: "PATCH" | "PUT", end: string, data: object): Promise<void> => {
  const { wire, catalogue } = world;
  const call = `${wire.url}/dash/api/publishers/${catalogue.publisherId}${websitePath(end, "Herald")}`;
  const headers = { Origin: wire.url, "Sec-Fetch-Site": "same-origin" };
  const answer = await context.request.fetch(call, { method, data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
};

test("both versions of places and of offers are told in words", async () => {
  await open(websitePath("/places", "Herald"));
  const geoRule = { mode: "blocklist", entries: ["ES"], unknownLocation: "allow" };
  await elsewhere("PATCH", "", { geoRule });
  await page.getByLabel("Places", { exact: true }).fill("France");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  const both = page.getByRole("table", { name: "Both versions" });
  await expect(both.getByRole("row").last()).toContainText("Visitors from Spain see offers.");
  await expect(both).not.toContainText("{");

  await open(websitePath("/allowlist", "Herald"));
  const block = { verticals: ["travel"], brands: [], offers: [] };
  await elsewhere("PUT", "/allowlist", { mode: "all", allow: {}, block });
  await page.getByLabel("Allow mobile").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(both.getByRole("cell")).toHaveText([
    "Offers allowed",
    "Taken out: travel",
    "Taken out: mobile",
  ]);
});

test("both versions of a choice are called as its list calls them, and what is empty says so", async () => {
  await open(websitePath("/look", "Herald"));
  await elsewhere("PATCH", "", { settings: { frequency: "day", accent: "#0a6b4f" } });
  await page.getByLabel("How often").selectOption("On every page");
  await page.getByRole("button", { name: "Save" }).click();
  const both = page.getByRole("table", { name: "Both versions" });
  await expect(both.getByRole("row", { name: "How often" }).getByRole("cell")).toHaveText([
    "How often",
    "Once a day",
    "On every page",
  ]);
  await expect(both.getByRole("row", { name: "Accent" }).getByRole("cell")).toHaveText([
    "Accent",
    "#0a6b4f",
    "Empty",
  ]);
});

test("how much a search or a simulation has come to is heard", async () => {
  const heard = (words: string) => page.getByRole("status").filter({ hasText: words });
  await open("/offers");
  await expect(heard("3 offers that some website of yours may show.")).toHaveCount(1);
  await page.getByLabel("Search offers").fill("compass");
  await expect(heard("1 offer fits.")).toHaveCount(1);

  await open("/operator/offers");
  await expect(heard("1–3 of 3 offers")).toHaveCount(1);
  await page.getByLabel("Search", { exact: true }).fill("compass");
  await expect(heard("1–1 of 1 offer")).toHaveCount(1);
  await page.getByLabel("Search", { exact: true }).fill("nothing like it");
  await expect(heard("No offer fits")).toHaveCount(1);

  await open(websitePath("/simulate"));
  await page.getByLabel("Country").fill("fr");
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(heard("Blocked, 3 offers shown")).toHaveCount(1);
});

test("a simulation is found from a website's pages, from its places, and where an id is asked for", async () => {
  const title = page.getByRole("heading", { level: 1, name: "Simulate a visit" });
  const address = new RegExp(`${websitePath("/simulate")}(\\?|$)`);
  for (const end of ["", "/settings"]) {
    await open(websitePath(end));
    await page.getByRole("link", { name: "Simulate a visitor" }).click();
    await expect(title).toBeVisible();
    await expect(page).toHaveURL(address);
  }
  await open(websitePath("/places"));
  await page.getByRole("link", { name: "Simulate a place" }).click();
  await expect(page.getByRole("heading", { name: /^Blocked, \d offers? shown$/ })).toBeVisible();
  await expect(page).toHaveURL(address);

  await open("/explain");
  await page.locator("main").getByRole("link", { name: "Journal", exact: true }).click();
  await expect(title).toBeVisible();
  await expect(page).toHaveURL(address);
});

test("a website that is being developed is counted nowhere among those to be mended", async () => {
  await page.route(/\/publishers\/[^/]+\/websites\??$/, async (route) => {
    const response = await route.fetch();
    const { items, ...rest } = await response.json();
    const changed = items.map((row: { name: string }) => ({
      ...row,
      health: "broken",
      development: row.name !== "Herald",
    }));
    await route.fulfill({ response, json: { ...rest, items: changed } });
  });
  await open("/");
  await expect(page.getByRole("navigation", { name: "Pages" }).getByText("1 to be mended")).toBeVisible();
  const marks = page.getByRole("table", { name: "Websites with the most" }).locator(".mark");
  await expect(marks).toHaveCount(3);
  const says = await marks.evaluateAll((all) => all.map((mark) => mark.getAttribute("title")));
  expect(says.toSorted()).toEqual(["Development", "Development", "Needs a fix"]);
});

test("a website that is half set up, and a dialog that is filled in, are not left without a question", async () => {
  await open("/start");
  await page.getByLabel("Address").fill("https://half.example");
  const atLink = page.waitForEvent("dialog");
  const pressed = page.getByRole("link", { name: "Reports" }).click();
  await (await atLink).dismiss();
  await pressed;
  await expect(page.getByLabel("Address")).toHaveValue("https://half.example");

  await open("/operator/partners");
  await page.getByRole("button", { name: "Register an application" }).click();
  const addresses = page.getByLabel("Addresses that people are sent back to");
  await addresses.fill("https://books.example/back");
  // Twice, as browsers let a page hold up one Escape alone.
  for (let times = 1; times <= 2; times += 1) {
    const atEscape = page.waitForEvent("dialog");
    const escaped = page.keyboard.press("Escape");
    await (await atEscape).dismiss();
    await escaped;
    await expect(addresses).toHaveValue("https://books.example/back");
  }
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Register an application" }).click();
  await expect(addresses).toHaveValue("");
  await page.keyboard.press("Escape");
  await expect(addresses).toBeHidden();
});

test("what a figure means is put away by Escape, and stays while the pointer is on it", async () => {
  await page.clock.install();
  await open("/reports");
  const seen = page.getByRole("columnheader", { name: "Seen" }).getByRole("link");
  const meaning = page.getByRole("tooltip").filter({ hasText: "Offers of which half was visible" });
  await seen.hover();
  await expect(meaning).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(meaning).toBeHidden();
  await page.mouse.move(0, 0);
  await seen.hover();
  await expect(meaning).toBeVisible();
  await meaning.hover();
  // Longer than the grace in which a pointer may go from the word to what it means.
  await page.clock.runFor(1000);
  await expect(meaning).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(meaning).toBeHidden();

  await open("/");
  const point = page.locator(".tooltip");
  await page.locator(".chart").hover();
  await expect(point).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(point).toBeHidden();
});

test("a point's words stand below each other in both halves of a chart, and its labels within it", async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open("/?range=7d");
  const chart = page.locator(".chart");
  for (const share of [0.2, 0.8]) {
    const { width } = (await chart.boundingBox()) ?? { width: 0 };
    await chart.hover({ position: { x: width * share, y: 60 } });
    const lines = chart.locator(".tooltip span");
    await expect(lines).toHaveCount(3);
    const tops = await lines.evaluateAll((all) => all.map((line) => line.getBoundingClientRect().top));
    expect(new Set(tops).size, `at ${share} of the width`).toBe(3);
  }
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = () =>
      chart.locator("svg").evaluate((svg) => {
        const { left, right } = svg.getBoundingClientRect();
        return [...svg.querySelectorAll("text")]
          .filter((label) => {
            const box = label.getBoundingClientRect();
            return box.left < left || box.right > right;
          })
          .map(({ textContent }) => textContent);
      });
    // It is drawn anew once it knows its room.
    await expect
      .poll(() => chart.evaluate((one) => one.querySelector("svg")?.clientWidth === one.clientWidth))
      .toBe(true);
    expect(await beyond(), `at ${width} px`).toEqual([]);
  }
});

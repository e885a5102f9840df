import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { articlePage, scriptTag } from "./host-site.ts";
import { holdTime, letPass, untilOpenInHeldTime } from "./page-state.ts";
import { makePatient } from "./patient-page.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "open", geo: { mode: "blocklist", entries: [], unknown: "allow" } },
      { name: "elsewhere", geo: everybodyBlocked, origins: ["https://elsewhere.example"] },
    ],
  });
});
test.beforeEach(({ page }) => makePatient(page));
test.afterAll(() => world?.close());

const debug = { "data-debug": "" };

/** What the page's console says from now on, but for the browser's own words about requests. */
function linesOf(page: Page): string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "info") lines.push(message.text());
  });
  return lines;
}

const cases = [
  { name: "closed", says: /^%coffers: shown%c – offers: 3/ },
  { name: "open", says: /allowed%c – .* or it blocks nobody/ },
  { name: "elsewhere", says: /website check: .*origin_not_registered/ },
] as const;

for (const { name, says } of cases) {
  test(`the console of the ${name} website says in one line what became of its tag`, async ({ page }) => {
    const lines = linesOf(page);
    await page.goto(world.host.origin + world.publish(`/${name}`, name, { attributes: debug }));
    await expect.poll(() => lines).toEqual([expect.stringMatching(says)]);
    expect(lines[0]).toContain(`${world.wire.url}/docs/embed#when-nothing-is-shown`);
  });
}

test("a tag without a key, and one with a key that is none, are told apart", async ({ page }) => {
  const lines = linesOf(page);
  const { publicKey } = world.website("closed");
  world.host.pages.set(
    "/wrong",
    articlePage(scriptTag(world.wire.url, { publicKey, websiteKey: "ws_nobody" })),
  );
  await page.goto(`${world.host.origin}/wrong?offers-debug`);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/unknown_website/)]);
  world.host.pages.set("/none", articlePage(scriptTag(world.wire.url, { publicKey, websiteKey: "" })));
  await page.goto(`${world.host.origin}/none?offers-debug`);
  await expect.poll(() => lines.slice(1)).toEqual([expect.stringMatching(/the tag has no data-website/)]);
});

const tcfPlatform = (agreed: boolean) =>
  `<script>window.__tcfapi = (command, version, callback) => callback({ gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: { 2: ${agreed}, 7: true } } }, true)</script>`;
const consents = [
  [
    "is refused",
    { consent: "tcf", html: tcfPlatform(false) },
    /no consent%c – __tcfapi says no to purposes 2,7/,
  ],
  ["has no platform", { consent: "gpp", html: "" }, /no consent%c – no __gpp has come within 300 ms/],
  [
    "has a platform that says nothing",
    { consent: "tcf", html: "<script>window.__tcfapi = () => {}</script>" },
    /no consent%c – __tcfapi is there and has not answered within 300 ms/,
  ],
  [
    "is taken back by the page",
    {
      consent: "manual",
      html: `<script>window.offerService=function(){return(offerService.q=offerService.q||[]).push(arguments)};offerService("consent", false)</script>`,
    },
    /no consent%c – the page has said offerService\("consent", false\)/,
  ],
  ["is a word that is none", { consent: "tfc", html: "" }, null],
] as const;
for (const [name, { consent, html }, says] of consents) {
  test(`the console says that consent ${name}`, async ({ page }) => {
    const lines = linesOf(page);
    const attributes = { ...debug, "data-consent": consent, "data-consent-timeout": "300" };
    const tag = scriptTag(world.wire.url, { ...world.website("closed"), attributes });
    world.host.pages.set("/consent", articlePage(html + tag));
    await page.goto(`${world.host.origin}/consent`);
    const waits =
      consent === "tfc" ? /none of tcf, gpp, manual and none, so as with manual/ : /nothing is asked before/;
    // It waits no longer where consent was settled by the time at which the console is spoken to.
    await expect.poll(() => lines.at(-1)).toMatch(says ?? waits);
  });
}

test("the console says nothing of keys that a call behind the script says", async ({ page }) => {
  const lines = linesOf(page);
  const { publicKey, websiteKey } = world.website("closed");
  const keys = JSON.stringify({ pub: publicKey, website: websiteKey, mode: "overlay" });
  const call = `addEventListener("load", () => offerService("init", ${keys}))`;
  const scripts = `<script async src="${world.wire.url}/embed.js"></script><script>${call}</script>`;
  world.host.pages.set("/late", articlePage(scripts));
  await page.goto(`${world.host.origin}/late?offers-debug`);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^%coffers: shown/)]);
});

const obstacles = [
  ["a banner", '<div role="dialog" aria-modal="true" id="cookies">Cookies?</div>', "div#cookies is modal"],
  [
    "a search, and not a menu that is closed",
    '<div id="menu" aria-modal="true" style="visibility:hidden">Menu</div><input id="find" autofocus>',
    "input#find is focused",
  ],
  [
    "a search beside a drawer out of the window",
    '<div id="drawer" aria-modal="true" style="position:fixed;top:0;left:-300px;width:200px;height:9px"></div><input id="find" autofocus>',
    "input#find is focused",
  ],
  [
    "a banner in a dialog without a height",
    '<div aria-modal="true" id="cookies"><p style="position:fixed;top:0;left:0">Cookies?</p></div>',
    "div#cookies is modal",
  ],
  [
    "the browser's own modal dialog, though it lies out of the window",
    '<dialog id="cookies" style="left:-9999px">Cookies?</dialog><script>cookies.showModal()</script>',
    "dialog#cookies is modal",
  ],
  [
    "a search beside a dialog that is faded out",
    '<div aria-modal="true" style="opacity:0">Closed</div><input id="find" autofocus>',
    "input#find is focused",
  ],
  [
    "a search beside a drawer that is folded",
    '<div aria-modal="true" style="height:0;overflow:hidden"><p>Menu</p></div><input id="find" autofocus>',
    "input#find is focused",
  ],
  ["a search", '<input id="search" autofocus>', "input#search is focused"],
] as const;
for (const [obstacle, html, says] of obstacles) {
  test(`the console says what is in the overlay's way, such as ${obstacle}`, async ({ page }) => {
    const lines = linesOf(page);
    const tag = scriptTag(world.wire.url, {
      ...world.website("closed"),
      attributes: { ...debug, "data-trigger": "immediate" },
    });
    world.host.pages.set("/busy", {
      html: `<!doctype html><title>Harbour news</title><main>It is late.</main>${html}${tag}`,
    });
    await holdTime(page);
    const visit = await openVisit(page, world, "/busy");
    // Offers that have not come by the time that passes next would be given up.
    const isAnswered = () =>
      visit.requests().some(({ path, status }) => path === "/v1/offers" && status === 200);
    await expect.poll(isAnswered).toBe(true);
    await visit.untilArrived();
    expect(lines).toEqual([]);
    await letPass(page, 5000);
    await expect.poll(() => lines).toEqual([expect.stringContaining(`waiting%c – ${says}`)]);
    await page.evaluate(() => document.querySelector("[id=cookies], [id=search], [id=find]")?.remove());
    await letPass(page, 500);
    await untilOpenInHeldTime(page);
    await expect.poll(() => lines.slice(1)).toEqual([expect.stringMatching(/^%coffers: shown/)]);
  });
}

for (const mode of ["open", "closed"] as const) {
  test(`an opener within a component whose root is ${mode} opens the overlay as the console says`, async ({
    page,
  }) => {
    const lines = linesOf(page);
    const attributes = { ...debug, "data-trigger": "click", "data-opener": ".offers" };
    const tag = scriptTag(world.wire.url, { ...world.website("closed"), attributes });
    const component = `<site-menu></site-menu><script>document.querySelector("site-menu").attachShadow({ mode: "${mode}" }).innerHTML = '<button class="offers">Offers</button>'</script>`;
    world.host.pages.set("/component", articlePage(component + tag));
    await page.goto(`${world.host.origin}/component`);
    const waits = "the overlay waits for its trigger, click";
    await expect.poll(() => lines).toEqual([expect.stringContaining(waits)]);
    const isThere = mode === "open";
    expect(lines[0]?.includes("nothing matches .offers")).toBe(!isThere);
    await page.locator("site-menu").click();
    if (isThere) await expect(page.getByRole("dialog")).toBeVisible();
    else await expect(page.getByRole("dialog")).toHaveCount(0);
  });
}

test("nothing is said where nobody asked for it", async ({ page }) => {
  const lines = linesOf(page);
  await page.goto(world.host.origin + world.publish("/quiet", "closed"));
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(lines).toEqual([]);
});

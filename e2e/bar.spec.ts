import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { drawnRequest, impressionRequests } from "./expected-requests.ts";
import { articlePage, scriptTag } from "./host-site.ts";
import { expectUntouched, holdTime, letPass, untilVisibleInHeldTime } from "./page-state.ts";
import { makePatient } from "./patient-page.ts";
import { openVisit, type Visit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;

/** What the law asks lenders for, in 253 characters. */
const example =
  "Representative example: a loan of 5,000 pounds over 36 months at 9.9% a year, fixed. Representative 9.9% APR. Monthly payment: 160.35 pounds; total repayable: 5,772.60 pounds. Missed payments may harm your credit record and make loans harder to get later.";

const permitOnly = (name: string, brand: string) =>
  world.service.admin(
    ...[
      "allowlist",
      "set",
      "--website",
      world.website(name).websiteKey,
      "--mode",
      "allowlist",
      "--allow-brands",
      brand,
    ],
  );
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked, settings: ["--placement", "bottom"] },
      { name: "neighbour", geo: everybodyBlocked, settings: ["--placement", "bottom"] },
      { name: "patient", geo: everybodyBlocked, settings: ["--placement", "bottom", "--trigger", "pause"] },
      { name: "gate", geo: everybodyBlocked, settings: ["--placement", "bottom", "--not-dismissible"] },
      { name: "center", geo: everybodyBlocked },
      { name: "short", geo: everybodyBlocked, settings: ["--placement", "bottom"] },
      { name: "warned", geo: everybodyBlocked, settings: ["--placement", "bottom"] },
    ],
    offers: [
      {
        brand: "Anchor Bank",
        title: "An account that floats, and two winters at one price",
        payoutMicros: 900_000,
        // Its place is fixed: between others a draw decides.
        premium: true,
        caps: {
          description: "Every unit that you save is matched by one of ours, in whatever weather.",
          cta: "See your rate",
          disclosure: "Paid link: Anchor Bank pays this site for the visit, whatever you decide.",
          terms: "Current accounts only. Rates depend on the tide.",
        },
      },
      { brand: "Buoy Mobile", title: "Calls at sea, no roaming", payoutMicros: 400_000 },
      { brand: "Compass Travel", title: "Find the way back", payoutMicros: 100_000 },
      {
        brand: "Dinghy Loans",
        title: "A loan for the boat",
        payoutMicros: 50_000,
        caps: { disclosure: example, description: "Money within a day." },
      },
    ],
  });
  await permitOnly("short", "Buoy Mobile");
  await permitOnly("warned", "Dinghy Loans");
  world.publish("/article", "closed");
  world.publish("/patient", "patient");
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

const barOf = (page: Page) => page.getByRole("region", { name: "We can’t tell where you are" });

/** What a blocked visitor's browser fetches for a bar: the commands, the overlay's code and the bar's, and few offers. */
const barRequests = [
  "GET /embed.js 200",
  "GET /v1/decision 200",
  [
    "POST /v1/events/snippet-ping 204",
    "GET /c/*.js 200",
    "GET /c/*.js 200",
    "GET /c/*.js 200",
    "GET /v1/offers 200",
  ],
] as const;

test("a bar shows the best offer beside a page that goes on", async ({ page }) => {
  const visit = await openVisit(page, world, "/article");
  const bar = barOf(page);
  await expect(bar).toBeVisible();
  await expect(bar.getByText("Sponsored")).toBeVisible();
  await expect(bar.getByRole("article")).toHaveCount(1);
  await expect(bar.getByText("Paid link: Anchor Bank pays this site")).toBeVisible();
  expect(visit.only("/v1/offers").search).toContain("limit=1");

  expect(await page.evaluate(() => document.activeElement?.id), "the focus stays where it was").toBe(
    "host-button",
  );
  let presses = 0;
  await page.exposeFunction("pressed", () => {
    presses += 1;
  });
  await page
    .locator("#host-button")
    .evaluate((button) => button.addEventListener("click", () => Reflect.get(window, "pressed")()));
  await page.locator("#host-button").click();
  await expect.poll(() => presses).toBe(1);
  const reached = new Set<string>();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(() => {
        const at = document.activeElement;
        return (at?.shadowRoot?.activeElement ?? at)?.tagName ?? "";
      }),
    );
  }
  expect(reached, "Tab goes through the bar and out of it").toEqual(
    new Set(["BUTTON", "A", "SUMMARY", "BODY"]),
  );
  await visit.expectMade([...barRequests, drawnRequest, ...impressionRequests(1)]);
});

test("its button closes it, and so does Escape within it; the page's own Escape is the page's", async ({
  page,
}) => {
  await openVisit(page, world, "/article");
  await expect(barOf(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(barOf(page)).toBeVisible();
  await barOf(page).getByRole("link").focus();
  await page.keyboard.press("Escape");
  await expect(barOf(page)).toHaveCount(0);

  await page.evaluate(() => Reflect.get(window, "offerService")("open"));
  await expect(barOf(page)).toBeVisible();
  await expect(async () => {
    await barOf(page).getByRole("button", { name: "Close" }).click();
    await expect(barOf(page)).toHaveCount(0, { timeout: 100 });
  }).toPass();
  await page.locator("#host-button").focus();
  await expectUntouched(page);
});

test("the keyboard comes to nothing behind it that can be scrolled above it, and goes back where it came from", async ({
  page,
}) => {
  const links = Array.from({ length: 40 }, (_, index) => `<p><a href="#${index}">Berth ${index}</a></p>`);
  world.host.pages.set("/links", {
    html: `<!doctype html><title>Berths</title><main>${links.join("")}</main>${scriptTag(world.wire.url, world.website("closed"))}`,
  });
  await openVisit(page, world, "/links");
  await expect(barOf(page)).toBeVisible();
  const paddingOf = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollPaddingBottom);
  await expect.poll(paddingOf).not.toBe("auto");
  const top = (await barOf(page).boundingBox())?.y ?? 0;
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press("Tab");
    const { text, bottom } = await page.evaluate(() => ({
      text: document.activeElement?.textContent,
      bottom: document.activeElement?.getBoundingClientRect().bottom,
    }));
    expect(text).toBe(`Berth ${step}`);
    expect(bottom, text ?? "").toBeLessThanOrEqual(top);
  }
  // Of the last ones the page ends behind the bar.
  const last = page.getByRole("link", { name: "Berth 39" });
  await last.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(last).not.toBeFocused();
  // As browsers tell it when the visitor comes back from an offer's tab.
  await barOf(page).evaluate((bar) =>
    bar.dispatchEvent(new FocusEvent("focusin", { bubbles: true, composed: true })),
  );
  await page.keyboard.press("Escape");
  await expect(barOf(page)).toHaveCount(0);
  await expect(last).toBeFocused();
  expect(await paddingOf()).toBe("auto");
});

/** Has the answers with offers wait until they are let go. */
const holdOffers = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.wire.tamper = ({ path }) => (path === "/v1/offers" ? promise : null);
  return resolve;
};
const countOf = ({ requests }: Visit, wanted: string) =>
  requests().filter(({ path }) => path === wanted).length;

test("of two websites' bars the second stands once the first has gone", async ({ page }) => {
  const tags = ["closed", "neighbour"].map((name) => scriptTag(world.wire.url, world.website(name)));
  world.host.pages.set("/two", articlePage(tags.join("")));
  const letGo = holdOffers();
  const visit = await openVisit(page, world, "/two");
  await expect.poll(() => countOf(visit, "/v1/offers")).toBe(2);
  letGo();
  await expect.poll(() => countOf(visit, "/v1/events/impression")).toBeGreaterThan(0);
  await expect(barOf(page)).toHaveCount(1);
  expect(countOf(visit, "/v1/events/drawn")).toBe(1);
  await barOf(page).getByRole("button", { name: "Close" }).click();
  await expect.poll(() => countOf(visit, "/v1/events/drawn")).toBe(2);
  await expect(barOf(page)).toHaveCount(1);
});

test("beside a bar an applicant is told of a decline and gets the offers", async ({ page }) => {
  const { websiteKey } = world.website("closed");
  const { secret } = await world.service.admin<{ secret: string }>(
    ...["secret", "create", "--website", websiteKey],
  );
  await openVisit(page, world, "/article");
  await expect(barOf(page)).toBeVisible();
  const { sessionId } = await page.evaluate(() => Reflect.get(window, "offerService")("decline"));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  // A running service knows of a new secret within a second.
  const trigger = () =>
    fetch(`${world.service.url}/v1/widget-decline/trigger`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ sessionId }),
    });
  await expect.poll(async () => (await trigger()).status).toBe(200);
  await expect(dialog.getByRole("article").first()).toBeVisible();
});

test("a bar keeps no other website's gate waiting", async ({ page }) => {
  await openVisit(page, world, "/article");
  await expect(barOf(page)).toBeVisible();
  const { publicKey: pub, websiteKey: website } = world.website("gate");
  await page.evaluate((keys) => Reflect.get(window, "offerService")("init", keys), { pub, website });
  await expect(page.getByRole("dialog")).toBeVisible();
});

for (const [name, html] of [
  ["calls itself modal", '<div id="theirs" role="dialog" aria-modal="true">Choose</div>'],
  ["is native", '<dialog id="theirs">Choose</dialog>'],
] as const) {
  test(`a dialog of the page that comes while offers are fetched, and ${name}, goes first`, async ({
    page,
  }) => {
    await holdTime(page);
    const letGo = holdOffers();
    const visit = await openVisit(page, world, "/article");
    await expect.poll(() => countOf(visit, "/v1/offers")).toBe(1);
    await page.evaluate((theirs) => {
      document.body.insertAdjacentHTML("beforeend", theirs);
      document.querySelector<HTMLDialogElement>("dialog#theirs")?.showModal();
    }, html);
    letGo();
    await visit.untilMade(barRequests);
    await visit.untilArrived();
    await letPass(page, 500);
    await expect(page.locator("section.bar")).toHaveCount(0);
    await page.evaluate(() => document.querySelector("#theirs")?.remove());
    await letPass(page, 500);
    await untilVisibleInHeldTime(page, barOf(page));
    await letPass(page, 2000);
    await visit.expectMade([...barRequests, drawnRequest, ...impressionRequests(1)]);
  });
}

test("a bar that a router takes away with the body has ended, and opens again by command", async ({
  page,
}) => {
  await openVisit(page, world, "/article");
  await expect(barOf(page)).toBeVisible();
  await page.evaluate(() => {
    const heard: string[] = [];
    Reflect.set(window, "heard", heard);
    const offerService = Reflect.get(window, "offerService");
    offerService("on", "closed", ({ reason }: { reason: string }) => heard.push(reason));
    document.body.replaceWith(document.createElement("body"));
  });
  await expect.poll(() => page.evaluate(() => Reflect.get(window, "heard"))).toEqual(["page"]);
  await page.evaluate(() => Reflect.get(window, "offerService")("open"));
  await expect(barOf(page)).toBeVisible();
});

test("on paper there is no bar", async ({ page }) => {
  await openVisit(page, world, "/article");
  await expect(barOf(page)).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(barOf(page)).toBeHidden();
});

test("what is pressed in the first half second does nothing", async ({ page, context }) => {
  const popups: unknown[] = [];
  context.on("page", (popup) => popups.push(popup));
  await holdTime(page);
  await openVisit(page, world, "/article");
  await untilVisibleInHeldTime(page, barOf(page));
  await barOf(page).getByRole("link").click();
  await barOf(page).getByRole("button").click();
  await expect(barOf(page)).toBeVisible();
  expect(popups).toHaveLength(0);
  await letPass(page, 600);
  await barOf(page).getByRole("link").click();
  await expect.poll(() => popups.length).toBe(1);
});

test("it asks for no offer before a pause, and looks for nothing in its way", async ({ page }) => {
  await holdTime(page);
  await page.addInitScript(() => {
    const { elementFromPoint } = Document.prototype;
    let looks = 0;
    Document.prototype.elementFromPoint = function (...at) {
      looks += 1;
      return elementFromPoint.apply(this, at);
    };
    Object.assign(window, { countLooks: () => looks });
  });
  const looks = () => page.evaluate(() => Reflect.get(window, "countLooks")());
  const visit = await openVisit(page, world, "/patient");
  await visit.untilMade([...barRequests.slice(0, 2), barRequests[2].slice(0, -1)]);
  await letPass(page, 1000);
  await page.mouse.move(50, 50);
  await letPass(page, 1900);
  expect(visit.requests().some(({ path }) => path === "/v1/offers")).toBe(false);
  expect(await looks()).toBe(0);
  await letPass(page, 400);
  await visit.untilMade(barRequests);
  expect(await looks()).toBeGreaterThan(0);
  await expect(barOf(page)).toBeVisible();
});

test("a page that asks for it has it without a pause", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/patient");
  await visit.untilMade([...barRequests.slice(0, 2), barRequests[2].slice(0, -1)]);
  await letPass(page, 1000);
  await page.mouse.move(50, 50);
  await page.evaluate(() => Reflect.get(window, "offerService")("open"));
  await letPass(page, 400);
  await expect(barOf(page)).toBeVisible();
});

test("what may not be dismissed is no bar, whatever the tag says", async ({ page }) => {
  world.publish("/gate", "gate", { attributes: { "data-placement": "bottom", "data-trigger": "exit" } });
  await openVisit(page, world, "/gate");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("the tag's place goes before the website's", async ({ page }) => {
  world.publish("/on-tag", "center", { attributes: { "data-placement": "bottom" } });
  world.publish("/off-tag", "closed", { attributes: { "data-placement": "center" } });
  await openVisit(page, world, "/on-tag");
  await expect(barOf(page)).toBeVisible();
  await openVisit(page, world, "/off-tag");
  await expect(page.getByRole("dialog")).toBeVisible();
});

for (const [widthPx, heightPx] of [
  [320, 640],
  [768, 1024],
  [1280, 800],
] as const) {
  for (const lang of ["en", "ar"] as const) {
    test(`at ${widthPx} px in ${lang} it takes a third of the window at the most, and moves nothing`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: widthPx, height: heightPx });
      world.publish("/sized", "closed", { lang, dir: lang === "ar" ? "rtl" : "ltr" });
      await makePatient(page);
      await page.goto(`${world.host.origin}/sized`);
      const bar = page.locator("section.bar");
      await expect(bar).toBeVisible();
      const box = await bar.boundingBox();
      expect(box).toMatchObject({ x: 0, width: widthPx });
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(heightPx, 0);
      expect((box?.height ?? heightPx) / heightPx).toBeLessThanOrEqual(0.33);
      // What goes on behind the offer, where there is no room, is how offers are paid for.
      const hidden = await bar.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
      expect(hidden).toBeLessThanOrEqual(widthPx < 400 ? 80 : 0);
      const shift = await page.evaluate(() => {
        const observer = new PerformanceObserver(() => {});
        observer.observe({ type: "layout-shift", buffered: true });
        return observer.takeRecords().reduce((sum, entry) => sum + Reflect.get(entry, "value"), 0);
      });
      expect(shift).toBe(0);
      const { violations } = await new AxeBuilder({ page }).include("[data-visit-panel]").analyze();
      expect(violations).toEqual([]);
    });
  }
}

for (const [widthPx, heightPx] of [
  [320, 568],
  [360, 640],
  [568, 320],
  [844, 390],
  [1280, 800],
] as const) {
  for (const name of ["short", "closed", "warned"]) {
    test(`at ${widthPx} by ${heightPx} px what a bar has of the offer "${name}" is in sight, or the overlay has it`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: widthPx, height: heightPx });
      await makePatient(page);
      await page.goto(`${world.host.origin}${world.publish("/sized", name)}`);
      const offer = page.locator("[data-visit-panel] article").first();
      await expect(offer).toBeVisible();
      const bar = page.locator("section.bar");
      const isBar = (await bar.count()) > 0;
      await expect(page.locator("[data-visit-panel]")).toHaveCount(1);
      const around = isBar ? bar : page.getByRole("dialog");
      await expect(around.getByText("The publisher may earn a commission")).toHaveCount(1);
      await expect(around.getByText("Sponsored")).toBeVisible();
      if (name === "short") expect(isBar, "an offer that says little has a bar").toBe(true);
      if (heightPx < 600 && name === "warned") expect(isBar).toBe(false);
      if (!isBar) return;
      const barBox = await bar.boundingBox();
      expect((barBox?.height ?? heightPx) / heightPx).toBeLessThanOrEqual(0.34);
      for (const one of await offer.locator("p:visible, a, summary").all()) {
        const box = await one.boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(barBox?.y ?? heightPx);
        expect((box?.y ?? heightPx) + (box?.height ?? 0)).toBeLessThanOrEqual(heightPx + 1);
      }
    });
  }
}

for (const [name, before, after] of [
  // A phone that is turned, and a window that is made smaller.
  ["warned", { width: 390, height: 844 }, { width: 844, height: 390 }],
  ["closed", { width: 1280, height: 800 }, { width: 568, height: 320 }],
  ["warned", { width: 1280, height: 800 }, { width: 320, height: 568 }],
] as const) {
  test(`a bar of ${before.width} by ${before.height} px keeps to its third in ${after.width} by ${after.height}, and its link comes with the end of the texts`, async ({
    page,
  }) => {
    await page.setViewportSize(before);
    await openVisit(page, world, world.publish("/turned", name));
    const bar = barOf(page);
    await expect(bar).toBeVisible();
    await page.setViewportSize(after);
    const box = await bar.boundingBox();
    expect((box?.height ?? after.height) / after.height).toBeLessThanOrEqual(0.34);
    // In pixels from the bar's end, the one that is left to scroll at each step.
    const steps = await bar.evaluate((element) => {
      const endOf = (selector: string) =>
        element.querySelector(selector)?.getBoundingClientRect().bottom ?? Number.NaN;
      const end = element.getBoundingClientRect().bottom;
      const found = [];
      for (let at = 0; at <= element.scrollHeight - element.clientHeight; at += 1) {
        element.scrollTop = at;
        found.push({ link: endOf(".action") - end, texts: endOf(".about > p.fine") - end });
      }
      return found;
    });
    expect(steps[0]?.texts, "there is no room for all of it any more").toBeGreaterThan(0);
    const withLink = steps.filter(({ link }) => link <= 0);
    expect(withLink.length, "the link can be scrolled to").toBeGreaterThan(0);
    expect(withLink.filter(({ texts }) => texts > 1)).toEqual([]);
    await bar.getByRole("link").click({ trial: true });
    await bar.getByText("The publisher may earn a commission").scrollIntoViewIfNeeded();
    await bar.getByRole("button", { name: "Close" }).click({ trial: true });
  });
}

test("an offer that has no room in a bar is in the overlay as often as the visitor asks for it", async ({
  page,
}) => {
  await page.setViewportSize({ width: 568, height: 320 });
  const attributes = { "data-trigger": "click", "data-opener": "#host-button" };
  await openVisit(page, world, world.publish("/pressed", "warned", { attributes }));
  for (let time = 0; time < 2; time += 1) {
    await page.locator("#host-button").click();
    await expect(page.getByRole("dialog").getByText("Representative example")).toBeVisible();
    await expect(page.locator("section.bar")).toHaveCount(0);
    await page.evaluate(() => Reflect.get(window, "offerService")("close"));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.evaluate(() => Reflect.get(window, "offerService")("page"));
  }
});

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { dismissedRequests, overlayRequests } from "./expected-requests.ts";
import {
  expectUntouched,
  holdTime,
  letPass,
  untilAtRest,
  untilAtRestInHeldTime,
  untilOpenInHeldTime,
} from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      {
        name: "gate",
        geo: everybodyBlocked,
        settings: [
          ...[
            "--not-dismissible",
            "--title",
            "Members on land only",
            "--message",
            "We serve <b>the</b> coast.",
          ],
          ...["--support-email", "crew@harbour.example", "--support-label", "Ask the crew"],
          ...["--fallback-url", "https://harbour.example/ashore", "--fallback-label", "What is open ashore"],
        ],
      },
    ],
  });
  world.publish("/article", "closed");
  world.publish("/gate", "gate");
  world.host.pages.set("/elsewhere", { html: "<!doctype html><title>Elsewhere</title>" });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

test("a blocked visitor sees what happened and the offers, the premium one apart", async ({ page }) => {
  await openVisit(page, world, "/article");
  const dialog = page.getByRole("dialog", { name: "We can’t tell where you are" });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText("Sponsored")).toBeVisible();

  const offers = dialog.getByRole("article");
  await expect(offers).toHaveCount(3);
  const premium = offers.filter({ hasText: "Paid placement" });
  await expect(premium).toHaveCount(1);
  await expect(premium.getByText("Anchor Bank")).toBeVisible();
  await expect(offers.first()).toHaveText(/Paid placement/);
  const [premiumLook, ...otherLooks] = await offers.evaluateAll((elements) =>
    elements.map((element) => {
      const { borderTopWidth, borderRadius, backgroundColor, backgroundImage } = getComputedStyle(element);
      return [borderTopWidth, borderRadius, backgroundColor, backgroundImage].join(" ");
    }),
  );
  expect(otherLooks).not.toContain(premiumLook);

  await expect(dialog.getByRole("list").getByRole("listitem")).toHaveCount(3);
  await expect(dialog.getByRole("article", { name: "Calls at sea, no roaming" })).toBeVisible();
  await expect(dialog.getByText("You can read this page all the same.")).toBeVisible();
  for (const link of await dialog.getByRole("link").all()) {
    await expect(link).toHaveAttribute("rel", /sponsored.*nofollow.*noopener/);
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("href", new RegExp(`^${world.wire.url}/v1/r\\?t=[\\w-]+$`));
  }
});

test("the page with the overlay has no accessibility violation", async ({ page }) => {
  await openVisit(page, world, "/article");
  await expect(page.getByRole("dialog")).toBeVisible();
  await settled(page);
  const { violations, passes } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
  expect(passes.length).toBeGreaterThan(15);
});

test("the focus goes in, stays in, and the page behind cannot be reached", async ({ page }) => {
  await openVisit(page, world, "/article");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await focusedText(page)).toBe("We can’t tell where you are");
  await page.locator("#host-button").evaluate((button) => button.focus());
  expect(await focusedText(page)).not.toBe("Read on");

  const reached = new Set<string>();
  for (let step = 0; step < 10; step += 1) {
    await page.keyboard.press("Tab");
    reached.add(await focusedText(page));
  }
  expect(reached).not.toContain("Read on");
  expect(reached.size, "close, the way to the page and three offers").toBe(5);
});

const waysOut: Record<string, (page: Page) => Promise<void>> = {
  Escape: (page) => page.keyboard.press("Escape"),
  "the words that lead to the page": (page) =>
    page.getByRole("button", { name: "Continue to the page" }).click(),
  "the close button": (page) => page.getByRole("button", { name: "Close" }).click(),
  "a click beside it": (page) => page.mouse.click(5, 5),
};

for (const [name, leave] of Object.entries(waysOut)) {
  test(`dismissed by ${name}, it leaves the page as it was: no click, and nothing is sent but that`, async ({
    page,
  }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/article");
    await untilOpenInHeldTime(page);
    await untilAtRestInHeldTime(page);
    await leave(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectUntouched(page);
    await letPass(page, 120_000);
    await visit.expectMade(dismissedRequests);
  });
}

test("where the page stops all that moves, and its promises are old, its buttons act all the same", async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Promise, "allSettled");
    const stop = () => {
      for (const moving of document.getAnimations()) moving.pause();
      requestAnimationFrame(stop);
    };
    stop();
  });
  await openVisit(page, world, "/article");
  await untilAtRest(page);
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a gate that the site owner made firm stays, and names the way to get help", async ({ page }) => {
  const visit = await openVisit(page, world, "/gate");
  const dialog = page.getByRole("dialog", { name: "Members on land only" });
  await expect(dialog).toContainText("We serve <b>the</b> coast.");
  await expect(dialog.getByRole("link", { name: "Ask the crew" })).toHaveAttribute(
    "href",
    "mailto:crew@harbour.example",
  );
  await expect(dialog.getByRole("link", { name: "What is open ashore" })).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await untilAtRest(page);
  await page.mouse.click(5, 5);
  await page.mouse.wheel(0, 500);
  await page.keyboard.press("PageDown");
  await expect(dialog).toBeVisible();
  const behind = () => page.evaluate(() => [scrollY, getComputedStyle(document.documentElement).overflowY]);
  expect(await behind(), "nothing scrolls behind it").toEqual([0, "hidden"]);
  await visit.untilMade(overlayRequests);
  await page.evaluate(() => (Reflect.get(window, "offerService") as (command: string) => void)("close"));
  await expect(dialog).toHaveCount(0);
  // A browser fires `close` a moment after a dialog has closed, and only then does the page move again.
  await expect.poll(behind).toEqual([0, "visible"]);
});

for (const [name, isPrinted] of [
  ["article", false],
  ["gate", true],
] as const) {
  test(`on paper the overlay of the ${name} is ${isPrinted ? "there" : "not there"}`, async ({ page }) => {
    await openVisit(page, world, `/${name}`);
    const dialog = page.locator("dialog");
    await expect(dialog).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(dialog).toBeVisible({ visible: isPrinted });
    await page.emulateMedia({ media: "screen" });
    await expect(dialog).toBeVisible();
  });
}

test("a firm gate leads back to where its visitor came from", async ({ page }) => {
  await page.goto(`${world.host.origin}/elsewhere`);
  await openVisit(page, world, "/gate");
  await page.getByRole("button", { name: "Go back" }).click();
  await page.waitForURL("**/elsewhere");
});

for (const name of ["closed", "gate"]) {
  test(`with nothing to offer, the ${name} website says what its visitor can do`, async ({ page }) => {
    world.wire.tamper = ({ path }) =>
      path === "/v1/offers"
        ? {
            status: 200,
            headers: { "access-control-allow-origin": "*" },
            body: '{"premium":[],"standard":[]}',
          }
        : null;
    await page.goto(`${world.host.origin}/elsewhere`);
    await openVisit(page, world, name === "gate" ? "/gate" : "/article");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("There is nothing else to offer you right now.")).toBeVisible();
    const way = name === "gate" ? "Go back" : "Continue to the page";
    await expect(dialog.getByRole("button", { name: way })).toBeVisible();
    const fallback = dialog.getByRole("link", { name: "What is open ashore" });
    await expect(fallback).toHaveCount(name === "gate" ? 1 : 0);
    if (name === "gate") await expect(fallback).toHaveAttribute("href", "https://harbour.example/ashore");
    await settled(page);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    return focused?.getAttribute("aria-label") ?? focused?.textContent ?? "";
  });

/** Waits until nothing in the dialog moves any more: colours that fade in cannot be judged. */
const settled = (page: Page): Promise<void> =>
  page.getByRole("dialog").evaluate(async (dialog) => {
    await Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished));
  });

import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { overlayRequests } from "./expected-requests.ts";
import { scriptTag } from "./host-site.ts";
import { holdTime, letPass, untilVisibleInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

/** Playwright hides them, and they take room as in most windows with a mouse. */
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      await use({ ...launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] });
    },
    { scope: "worker" },
  ],
});

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [{ name: "closed", geo: everybodyBlocked }],
  });
});
test.afterAll(() => world?.close());

/** A page that is higher than the window, or lower, with a dialog of its own. */
const publish = (theirs: string, { doctype = "<!doctype html>", height = "300vh" } = {}): string => {
  const tag = scriptTag(world.wire.url, world.website("closed"));
  world.host.pages.set("/article", {
    html: `${doctype}<title>Harbour news</title><main style="height: ${height}">It is late.</main>${theirs}${tag}`,
  });
  return "/article";
};
const modal = (style: string, inside = "Choose"): string =>
  `<div id="theirs" role="dialog" aria-modal="true" style="${style}">${inside}</div>`;
const ours = (page: Page) => page.locator("[data-visit-panel] dialog");

const drawer = "position: fixed; inset-block: 0; right: 0; width: 300px; transform: translateX(100%)";
/** In the window, by the box behind the article that it hangs on. */
const [absolute, fixed] = ["absolute", "fixed"].map(
  (position) => `<p style="position: ${position}; top: -300vh; width: 300px; height: 300px">Harbour</p>`,
);
const picture = '<svg style="position: absolute; inset: 0; width: 300px; height: 300px"></svg>';
const menu = '<nav style="width: 300px"><p>Harbour</p></nav>';
for (const [closed, style, inside] of [
  ["pushed out at the side of the scroll bar", drawer],
  ["shrunk to nothing", "position: fixed; inset: 0; transform: scale(0)"],
  ["transparent", "position: fixed; inset: 0; opacity: 0; pointer-events: none"],
  ["invisible", "position: fixed; inset: 0; visibility: hidden"],
  ["folded to no width", "position: fixed; inset-block: 0; left: 0; width: 0; overflow: hidden", menu],
  ["folded to no height", "position: fixed; inset: 0 0 auto; height: 0; overflow: hidden", menu],
  [
    "folded, with a picture that is absolute",
    "position: fixed; inset: 0 auto 0 0; width: 0; overflow: hidden",
    picture,
  ],
  [
    "folded and moved, with what is absolute",
    "height: 0; overflow: hidden; transform: translateY(0)",
    absolute,
  ],
  ["folded and moved, with what is fixed", "height: 0; overflow: hidden; translate: 0 9px", fixed],
  [
    "folded in a box, and blurred, with what is fixed",
    "height: 0; overflow: hidden",
    `<div style="filter: blur(1px)">${fixed}</div>`,
  ],
] as const) {
  test(`a dialog of the page's that is ${closed} is in nobody's way`, async ({ page }) => {
    // The browsers that knew this first have the names of then alone.
    await page.addInitScript(() => {
      const { checkVisibility } = Element.prototype;
      Element.prototype.checkVisibility = function (options) {
        const { checkOpacity = false, checkVisibilityCSS = false } = options ?? {};
        return checkVisibility.call(this, { checkOpacity, checkVisibilityCSS });
      };
    });
    await openVisit(page, world, publish(modal(style, inside)));
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(0);
    await expect(ours(page)).toBeVisible();
  });
}

/** A component with these contents in an open root. */
const component = (inside: string): string =>
  `<div id="theirs"><template shadowrootmode="open">${inside}</template></div>`;
const openedInRoot = `<section>${component("<dialog><button>Choose</button></dialog>")}</section>
  <script>document.querySelector("#theirs").shadowRoot.querySelector("dialog").showModal();</script>`;

/** The same without the focus, in a component within another. */
const nested = `<section>${component(`<article>${component("<dialog>Choose</dialog>")}</article>`)}</section>
  <script>
    const outer = document.querySelector("#theirs").shadowRoot;
    outer.querySelector("#theirs").shadowRoot.querySelector("dialog").showModal();
    document.activeElement.blur();
  </script>`;

for (const [name, theirs, options] of [
  ["is a wrapper without a size", modal("", '<p style="position: fixed; inset: 0">Choose</p>'), {}],
  [
    "is a wrapper without a size that cuts off all but what is fixed",
    modal("overflow: hidden", '<section><p style="position: fixed; inset: 0">Choose</p></section>'),
    {},
  ],
  [
    "is a wrapper without a size or a position, which cuts nothing off that is absolute",
    modal("overflow: hidden", '<p style="position: absolute; inset: 0">Choose</p>'),
    {},
  ],
  [
    "stands at the end of the window, in quirks mode",
    modal("position: fixed; inset: auto 0 0"),
    { doctype: "", height: "50px" },
  ],
  [
    "stands in a component of the body",
    component('<div role="dialog" aria-modal="true" style="position: fixed; inset: 0">Choose</div>'),
    {},
  ],
  ["stands in a component anywhere, and has the focus", openedInRoot, {}],
  ["stands in a component of a component, in the middle of the window", nested, {}],
] as const) {
  test(`a dialog of the page's that ${name} goes first`, async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, publish(theirs, options));
    await visit.untilMade(overlayRequests.slice(0, 3));
    await visit.untilArrived();
    await letPass(page, 1000);
    await expect(ours(page)).toHaveCount(0);
    await page.evaluate(() => document.querySelector("#theirs")?.remove());
    await letPass(page, 500);
    await untilVisibleInHeldTime(page, ours(page));
  });
}

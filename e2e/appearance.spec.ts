import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { overlayRequests } from "./expected-requests.ts";
import { groundOf, holdTime, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked, settings: ["--support-email", "crew@harbour.example"] },
    ],
    offers: ["Anchor Bank", "Buoy Mobile", "Compass Travel"].map((brand) => ({
      brand,
      title: "An account that floats, with no fee at sea",
      caps: {
        description:
          "Open it in ten minutes from any harbour, and pay nothing for the first year of the journey.",
        disclosure: "18+. Capital at risk. Terms apply.",
        terms: "New customers only.",
      },
    })),
  });
  world.publish("/english", "closed");
  world.publish("/arabic", "closed", { lang: "ar", dir: "rtl" });
  world.publish("/german", "closed", { lang: "de" });
});
test.afterAll(() => world?.close());

/** Without motion there is no fade to wait for: the first look is the final one. */
test.use({ contextOptions: { reducedMotion: "reduce" } });

const openDialog = async (page: Page, path: string) => {
  await openVisit(page, world, path);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  return dialog;
};

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("the overlay is legible", async ({ page }) => {
      const dialog = await openDialog(page, "/english");
      expect(lightness(await groundOf(dialog.getByRole("heading").first())) > 0.5).toBe(
        colorScheme === "light",
      );
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
    });
  });
}

for (const width of [320, 768, 1280]) {
  for (const path of ["/english", "/arabic"]) {
    test(`at ${width} px, ${path} needs no sideways scrolling`, async ({ page }) => {
      await page.setViewportSize({ width, height: 640 });
      const dialog = await openDialog(page, path);
      const overflows = await dialog.evaluate((element) =>
        [element, ...element.querySelectorAll("*")]
          .filter(
            (each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX === "auto",
          )
          .map((each) => each.tagName),
      );
      expect(overflows).toEqual([]);
      const box = await dialog.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth).toBe(clientWidth);
      for (const control of await dialog.locator("a, button").all()) {
        const size = await control.boundingBox();
        expect(Math.min(size?.width ?? 0, size?.height ?? 0), "size of a control").toBeGreaterThanOrEqual(24);
      }
    });
  }
}

for (const [width, height, count, limit] of [
  [320, 640, 1, 600],
  [1280, 800, 3, 800],
] as const) {
  test(`at ${width} by ${height} px ${count} can be chosen without scrolling`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page, "/english");
    for (let index = 0; index < count; index += 1) {
      const link = dialog.getByRole("article").nth(index).getByRole("link");
      const box = await link.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), "where the action ends").toBeLessThan(limit);
      await link.click({ trial: true });
    }
    const sizes = await dialog.evaluate((element) =>
      Array.from(element.querySelectorAll("h2, h3, h4, p, a, button, span, summary, bdi"))
        .filter((each) => each.checkVisibility() && each.textContent !== "")
        .map((each) => Number.parseFloat(getComputedStyle(each).fontSize)),
    );
    expect(new Set(sizes), "the sizes of its type").toEqual(new Set([22, 16, 13]));
  });
}

test("an Arabic page gets an overlay that reads from right to left", async ({ page }) => {
  const dialog = await openDialog(page, "/arabic");
  await expect(dialog).toHaveAttribute("dir", "rtl");
  await expect(dialog).toHaveAttribute("lang", /^ar/);
  const close = await dialog.getByRole("button").first().boundingBox();
  const box = await dialog.boundingBox();
  const middle = (box?.x ?? 0) + (box?.width ?? 0) / 2;
  expect(close?.x, "the close button stands on the left").toBeLessThan(middle);
  const title = dialog.getByText("An account that floats").first();
  expect(await title.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
});

test("a German page is spoken to in German, for one small file more", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/german");
  await untilOpenInHeldTime(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAttribute("lang", /^de/);
  await expect(dialog.getByText("Anzeige", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Schließen" })).toBeVisible();
  const [loader, decision, together, drawn] = overlayRequests;
  await visit.expectMade([loader, decision, [...together, "GET /c/*.js 200"], drawn]);
});

test("nothing moves for a visitor who asked for less motion", async ({ page }) => {
  const dialog = await openDialog(page, "/english");
  expect(await dialog.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0);
});

/** The lightness, from 0 to 1, of a computed colour such as `rgb(12, 14, 20)`; exact enough to tell light from dark. */
const lightness = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 3 / 255;
};

import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { overlayRequests } from "./expected-requests.ts";
import { groundOf, holdTime, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

const logo = "https://pictures.example/logo.svg";
const ownLook = ["--font", "inherit", "--logo", logo];

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked, settings: ["--support-email", "crew@harbour.example"] },
      {
        name: "square",
        geo: everybodyBlocked,
        settings: ["--accent", "000000", "--radius", "0", ...ownLook],
      },
      {
        name: "round",
        geo: everybodyBlocked,
        settings: ["--theme", "dark", "--accent", "ffffff", "--radius", "32", ...ownLook],
      },
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
  world.publish("/english/section", "closed", {
    attributes: { "data-mode": "section", "data-container": "main" },
  });
  world.publish("/arabic", "closed", { lang: "ar", dir: "rtl" });
  world.publish("/german", "closed", { lang: "de" });
  for (const name of ["square", "round"]) {
    world.publish(`/${name}`, name);
    world.publish(`/${name}/bar`, name, { attributes: { "data-placement": "bottom" } });
    world.publish(`/${name}/section`, name, {
      attributes: { "data-mode": "section", "data-container": "main" },
    });
  }
  world.publish("/square/pictureless", "square", {
    headers: { "content-security-policy": "img-src 'self'" },
  });
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

test.describe("in dark colours", () => {
  test.use({ colorScheme: "dark" });

  for (const [saying, head, theme] of [
    ["in its head alone that it has dark ones", '<meta name="color-scheme" content="light dark">', "dark"],
    [
      "by a style otherwise than in its head",
      '<meta name="color-scheme" content="light dark"><style>:root { color-scheme: light }</style>',
      "light",
    ],
    ["nothing of colours", "", "light"],
  ] as const) {
    test(`a section in a page that says ${saying} is ${theme}`, async ({ page }) => {
      const { html } = world.host.pages.get("/english/section") ?? { html: "" };
      world.host.pages.set("/scheme", { html: html.replace("<title>", `${head}<title>`) });
      await openVisit(page, world, "/scheme");
      await expect(page.locator("[data-visit-place] section")).toHaveAttribute("data-theme", theme);
    });
  }
});

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

for (const attributes of [
  {},
  { "data-mode": "section", "data-container": "main" },
  { "data-placement": "bottom" },
]) {
  test(`on a Hebrew page, which there are no words for, English ones read from left to right: ${JSON.stringify(attributes)}`, async ({
    page,
  }) => {
    world.publish("/hebrew", "closed", { lang: "he", dir: "rtl", attributes });
    await openVisit(page, world, "/hebrew");
    const ours = page.locator("dialog[lang=en], section[lang=en]").first();
    await expect(ours).toBeVisible();
    await expect(ours).toHaveAttribute("dir", "rtl");
    const read = await ours.evaluate((element) =>
      Array.from(element.querySelectorAll("h2, h3, .label, .fine, button, p, bdi"))
        // What has parts holds each in its own direction.
        .filter((each) => each.textContent !== "" && each.children.length === 0)
        .map((each) => [each.textContent, getComputedStyle(each).direction]),
    );
    expect(read.filter(([, direction]) => direction === "rtl")).toEqual([]);
    expect(read.map(([text]) => text)).toContain("Sponsored");
    if (Object.keys(attributes).length === 0) {
      const ends = await Promise.all(
        ["#title", "#message"].map(async (name) => {
          const box = await ours.locator(name).boundingBox();
          return (box?.x ?? 0) + (box?.width ?? 0);
        }),
      );
      expect(ends[0], "the title begins where its text does").toBe(ends[1]);
    }
    if ("data-placement" in attributes) {
      const [title, label] = [ours.locator("h2"), ours.locator("div > .label").first()];
      const [titleBox, labelBox] = [await title.boundingBox(), await label.boundingBox()];
      const gap = (titleBox?.x ?? 0) - (labelBox?.x ?? 0) - (labelBox?.width ?? 0);
      expect(gap, "the title stands apart from the label").toBeGreaterThanOrEqual(8);
    }
    const [mark, about] = [ours.locator(".mark").first(), ours.locator(".about").first()];
    const [markBox, aboutBox] = [await mark.boundingBox(), await about.boundingBox()];
    expect(markBox?.x, "what stands first stands on the right").toBeGreaterThan(aboutBox?.x ?? Number.NaN);
  });
}

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

for (const { name, accent, tint, ground, radius } of [
  { name: "square", accent: "rgb(0, 0, 0)", tint: 0.89, ground: "rgb(255, 255, 255)", radius: 0 },
  { name: "round", accent: "rgb(255, 255, 255)", tint: 0.208, ground: "rgb(28, 32, 41)", radius: 32 },
] as const) {
  for (const place of ["", "/bar", "/section"]) {
    test(`the look that a website has chosen is drawn and legible: ${name}${place}`, async ({ page }) => {
      await page.route(logo, (route) => route.fulfill({ contentType: "image/svg+xml", body: drawing }));
      await openVisit(page, world, `/${name}${place}`);
      await page.addStyleTag({ content: "body { font-family: Georgia, serif }" });
      const actions = page.getByRole("article").getByRole("link");
      await expect(actions.first()).toBeVisible();
      const styleOf = (action: Locator, property: string) =>
        action.evaluate((element, wanted) => getComputedStyle(element).getPropertyValue(wanted), property);
      const first = actions.first();
      expect([await styleOf(first, "color"), await styleOf(first, "background-color")]).toEqual([
        ground,
        accent,
      ]);
      expect(Number.parseFloat(await styleOf(first, "border-top-left-radius"))).toBeCloseTo(radius / 1.5, 1);
      expect(await styleOf(first, "font-family")).toBe("Georgia, serif");
      if (place !== "/bar") {
        expect(await styleOf(actions.last(), "color")).toBe(accent);
        const [, red] =
          /^color\(srgb ([\d.]+) /.exec(await styleOf(actions.last(), "background-color")) ?? [];
        expect(Number(red), "its tint").toBeCloseTo(tint, 2);
      }
      // Section and bar stand in the publisher's own page.
      await expect(page.locator(`img[src="${logo}"]`)).toHaveCount(place === "" ? 1 : 0);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    });
  }
}

for (const [how, path, answer] of [
  ["is forbidden by the page", "/square/pictureless", null],
  ["does not exist", "/square", 404],
] as const) {
  test(`a logo that ${how} leaves no gap`, async ({ page }) => {
    await page.route(logo, (route) => (answer === null ? route.abort() : route.fulfill({ status: answer })));
    const dialog = await openDialog(page, path);
    await expect(dialog.locator("img")).toHaveCount(0);
    const [heading, panel] = [
      await dialog.getByRole("heading").first().boundingBox(),
      await dialog.locator(".panel").boundingBox(),
    ];
    expect((heading?.y ?? 0) - (panel?.y ?? 0), "from the panel's edge to its title").toBeLessThan(24);
  });
}

test("with a logo, three offers can still be chosen without scrolling, and one on a phone", async ({
  page,
}) => {
  await page.route(logo, (route) => route.fulfill({ contentType: "image/svg+xml", body: drawing }));
  for (const [width, height, count, limit] of [
    [1280, 800, 3, 800],
    [320, 640, 1, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page, "/round");
    await expect(dialog.locator("img")).toBeVisible();
    for (let index = 0; index < count; index += 1) {
      const link = dialog.getByRole("article").nth(index).getByRole("link");
      const box = await link.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), "where the action ends").toBeLessThan(limit);
      await link.click({ trial: true });
    }
  }
});

test("nothing moves for a visitor who asked for less motion", async ({ page }) => {
  const dialog = await openDialog(page, "/english");
  expect(await dialog.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0);
});

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 64" width="320" height="64"><path d="M0 0h64v64H0"/></svg>';

/** The lightness, from 0 to 1, of a computed colour such as `rgb(12, 14, 20)`; exact enough to tell light from dark. */
const lightness = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return (red + green + blue) / 3 / 255;
};

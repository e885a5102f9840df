import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked, untilLive } from "../bench/catalogue.ts";
import { holdTime, letPass } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

const german = {
  title: "Ein Konto, das obenauf schwimmt",
  description: "In zehn Minuten eröffnet.",
  cta: "Konto eröffnen",
  disclosure: "Anzeige.",
  terms: "Nur für Neukunden.",
};
const arabic = { title: "حساب يطفو دائمًا", cta: "افتح حسابًا" };

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      {
        name: "titled",
        geo: everybodyBlocked,
        settings: ["--title", "Bara för medlemmar", "--message", "Vi finns vid kusten."],
      },
      { name: "patient", geo: everybodyBlocked, settings: ["--trigger", "pause"] },
    ],
    offers: [
      {
        brand: "Anchor Bank",
        title: "An account that floats",
        caps: {
          language: "en",
          description: "Open it in ten minutes.",
          disclosure: "Ad.",
          terms: "New customers.",
        },
      },
    ],
  });
  const { service, catalogue } = world;
  const [offer] = catalogue.offers;
  for (const [locale, texts] of Object.entries({ de: german, ar: arabic })) {
    const words = Object.entries(texts).flatMap(([name, text]) => [`--${name}`, text]);
    await service.admin("offer", "update", "--offer", offer?.offerId ?? "", "--locale", locale, ...words);
  }
  await untilLive(service, catalogue.publisherId);
  world.publish("/unsaid", "closed", { lang: "" });
  world.publish("/english", "closed", { lang: "en" });
  world.publish("/swedish", "closed", { lang: "sv" });
  world.publish("/patient", "patient", { lang: "" });
  world.publish("/titled", "titled", { lang: "sv" });
  world.publish("/section", "closed", {
    lang: "",
    attributes: { "data-mode": "section", "data-container": "main" },
  });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

const articleOn = async (page: Page, path: string) => {
  const visit = await openVisit(page, world, path);
  const article = page.getByRole("article").filter({ hasText: "Anchor Bank" });
  await expect(article).toBeVisible();
  const search = new URLSearchParams(visit.only("/v1/offers").search);
  return { article, asked: search.get("lang") };
};

test.describe("a German browser", () => {
  test.use({ locale: "de-AT" });

  for (const path of ["/unsaid", "/swedish", "/patient", "/section"]) {
    test(`reads ${path} with offers in German, and no text is marked as another language`, async ({
      page,
    }) => {
      const { article, asked } = await articleOn(page, path);
      expect(asked?.split(",").at(-1)).toBe("de-AT");
      await expect(article).toContainText(german.title);
      await expect(article).toContainText(german.description);
      await expect(article.getByRole("link", { name: german.cta })).toBeVisible();
      await expect(article).toContainText(german.disclosure);
      await expect(article.locator("details")).toContainText(german.terms);
      expect(await article.locator("[lang]").count()).toBe(0);
    });
  }

  test("has a publisher's own words marked as being in the page's language", async ({ page }) => {
    await articleOn(page, "/titled");
    const dialog = page.getByRole("dialog", { name: "Bara för medlemmar" });
    await expect(dialog).toHaveAttribute("lang", "de");
    for (const text of ["Bara för medlemmar", "Vi finns vid kusten."]) {
      await expect(dialog.getByText(text)).toHaveAttribute("lang", "sv");
    }
    await expect(dialog.getByText("Anzeige", { exact: true }).first()).not.toHaveAttribute("lang");
  });

  test("reads an English page with offers in English", async ({ page }) => {
    const { article } = await articleOn(page, "/english");
    await expect(article).toContainText("An account that floats");
    expect(await article.locator("[lang]").count()).toBe(0);
  });
});

test("a browser reads in the first of its languages that there are words in", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["ca", "de-AT", "de", "en"] });
  });
  const { article, asked } = await articleOn(page, "/unsaid");
  expect(asked).toBe(",,ca,de-AT,de");
  await expect(page.getByRole("dialog")).toHaveAttribute("lang", "de");
  await expect(article).toContainText(german.title);
});

test("a browser whose words do not come reads in English, from left to right", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["ar"] });
  });
  // The overlay's own file comes first, and the words are the next.
  let files = 0;
  const hanging = Promise.withResolvers<void>();
  world.wire.tamper = ({ path }) => {
    if (!path.startsWith("/c/")) return null;
    files += 1;
    return files > 1 ? hanging.promise : null;
  };
  await holdTime(page);
  try {
    await openVisit(page, world, "/unsaid");
    await expect.poll(() => files).toBeGreaterThan(1);
    const dialog = page.getByRole("dialog", { name: "We can’t tell where you are" });
    const opens = async () => {
      await letPass(page, 250);
      return dialog.count();
    };
    await expect.poll(opens, { intervals: [50], timeout: 30_000 }).toBe(1);
    expect(await dialog.evaluate(({ lang, dir }: HTMLElement) => [lang, dir])).toEqual(["en", "ltr"]);
  } finally {
    hanging.resolve();
  }
});

test.describe("an Arabic browser", () => {
  test.use({ locale: "ar-EG" });

  test("reads in Arabic what is there in Arabic, and the rest as English from left to right", async ({
    page,
  }) => {
    const { article } = await articleOn(page, "/unsaid");
    await expect(page.getByRole("dialog")).toHaveAttribute("dir", "rtl");
    const title = article.getByRole("heading");
    await expect(title).toHaveText(arabic.title);
    await expect(title).not.toHaveAttribute("lang");
    await expect(article.getByRole("link", { name: arabic.cta })).toBeVisible();
    const description = article.getByText("Open it in ten minutes.");
    await expect(description).toHaveAttribute("lang", "en");
    const directions = [title, description].map((text) =>
      text.evaluate((element) => getComputedStyle(element).direction),
    );
    expect(await Promise.all(directions)).toEqual(["rtl", "ltr"]);
    await expect(page.getByRole("dialog")).toHaveAttribute("data-rest");
    // The page around it says nothing of its language, so that the browser's decides.
    const { violations } = await new AxeBuilder({ page }).disableRules("html-has-lang").analyze();
    expect(violations).toEqual([]);
  });
});

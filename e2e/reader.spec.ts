import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { scriptTag } from "./host-site.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    environment: { RATE_LIMIT_FACTOR: "10" },
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "gate", geo: everybodyBlocked, settings: ["--not-dismissible"] },
    ],
  });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

/** Keeps Escape for itself and turns a slide at a space, as programs for slides do, and refocuses what it traps. */
const slides = `
  window.heard = [];
  window.slide = 0;
  window.hear = (event) => {
    heard.push(event.type + " " + event.key);
    if (event.key === "Escape") event.preventDefault();
    if (event.key === " ") slide += 1;
  };
  for (const type of ["keydown", "keypress", "keyup"]) {
    for (const target of [document, document.documentElement, document.body]) {
      target.addEventListener(type, hear, true);
      target.addEventListener(type, hear);
    }
    addEventListener(type, hear);
  }
  document.addEventListener("focusin", (event) => {
    const slide = document.querySelector("main");
    if (!slide.contains(event.target)) slide.querySelector("button").focus();
  });`;

/** The page listens where keys come first, too, as a script that is loaded late would. */
const listenLate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const type of ["keydown", "keypress", "keyup"]) {
      addEventListener(type, Reflect.get(window, "hear") as EventListener, true);
    }
  });

/** Listens on the window before the tag, where nobody comes first; \`act\` is what it does with an Escape that is pressed. */
const earlyListener = (act: string) => `<script>
  addEventListener("keydown", (event) => { if (event.key === "Escape") { ${act} } }, true);
</script>`;

const pages: Record<string, string> = {
  "a page of slides": "",
  "a page whose window prevents Escape": earlyListener("event.preventDefault()"),
  "a page whose window keeps Escape for itself": earlyListener(
    "event.preventDefault(); event.stopImmediatePropagation()",
  ),
};

for (const [name, first] of Object.entries(pages)) {
  test(`on ${name} one Escape closes the overlay, and no key pressed in it reaches the page`, async ({
    page,
  }) => {
    await openPage(page, { head: first, afterTag: `<script>${slides}</script>` });
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await listenLate(page);
    for (const key of ["Tab", "Tab", "ArrowDown", "PageDown", "a", "Shift+Tab", "F"])
      await page.keyboard.press(key);
    // Where nothing has the focus, a space scrolls or turns a slide.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("Space");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, "slide"))).toBe(0);

    await page.keyboard.press("x");
    const heard = await page.evaluate(() => Reflect.get(window, "heard") as string[]);
    expect(new Set(heard), "once it is closed, keys are the page's").toEqual(
      new Set(["keydown x", "keypress x", "keyup x"]),
    );
  });
}

test("a gate lets no key out either, and no Escape closes it", async ({ page }) => {
  await openPage(page, { website: "gate", afterTag: `<script>${slides}</script>` });
  await expect(page.getByRole("dialog")).toBeVisible();
  await listenLate(page);
  for (const key of ["Escape", "Escape", "Escape", "Tab", "Space"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
});

type Parts = { website?: string; head?: string; main?: string; afterTag?: string };

/** Opens a page with the tag and with whatever is difficult about it. */
const openPage = async (page: Page, parts: Parts): Promise<void> => {
  const tag = scriptTag(world.wire.url, world.website(parts.website ?? "closed"));
  world.host.pages.set("/page", {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Harbour news</title>
${parts.head ?? ""}
<main>
<h1>The ferry is late again</h1>
<p>Everybody waits on the quay. <button>Read on</button></p>
${parts.main ?? ""}
</main>
${tag}
${parts.afterTag ?? ""}
</html>`,
  });
  await page.goto(`${world.host.origin}/page`);
};

import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { scriptTag } from "./host-site.ts";
import { holdTime, letPass, untilAtRestInHeldTime } from "./page-state.ts";
import { makePatient } from "./patient-page.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
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
  });
  document.addEventListener("click", () => { slide += 1; }, true);`;

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

/** Listens as the page's own programs do: \`act\` is what the keys make them do, which counts as a slide turned. */
const keysOf = (keys: string, act: string, target = "document") => `<script>
  ${target}.addEventListener("keydown", (event) => {
    if (/^(${keys})$/.test(event.key)) { slide += 1; ${act} }
  }, ${target === "document"});
</script>`;

/** What a page may do with keys and the focus, each beside the slides. */
const pages: Record<string, string> = {
  "a page of slides": "",
  "a page whose window prevents Escape": earlyListener("event.preventDefault()"),
  "a page whose window keeps Escape for itself": earlyListener(
    "event.preventDefault(); event.stopImmediatePropagation()",
  ),
  "a page whose editor takes the focus back": `<p id="editor" contenteditable></p><script>
  editor.addEventListener("input", () => { slide += 1; });
  document.addEventListener("focusin", ({ target }) => { if (target.id !== "editor") editor.focus(); });
</script>`,
  "a page whose film goes by keys": `<video></video>${keysOf(
    " |k|f|F",
    'document.querySelector("video").requestFullscreen(); event.preventDefault();',
  )}`,
  "a page whose search begins with any letter": `<input type="search">${keysOf(
    "[a-z]",
    'document.querySelector("input").focus();',
    "window",
  )}`,
  "a page whose pictures turn by arrows": keysOf("Arrow.*|Page.*", "event.preventDefault();"),
  "a page with a menu that Escape closes": `<script>
  new CloseWatcher().onclose = () => { slide += 1; };
</script>`,
};

for (const [name, first] of Object.entries(pages)) {
  test(`on ${name} one Escape closes the overlay, and no key pressed in it reaches the page`, async ({
    page,
    context,
  }) => {
    const popups: unknown[] = [];
    context.on("page", (popup) => popups.push(popup));
    await openPage(page, { main: first, afterTag: `<script>${slides}</script>` });
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
    expect(popups, "offers that nobody meant to open").toHaveLength(0);

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
  for (const key of ["Escape", "Escape", "Escape", "Space", "Tab"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
});

/** All that one can write in, and a film; each of the functions begins with one of them. */
const engagements: Record<string, () => unknown> = {
  "a field": () => document.querySelector("input")?.focus(),
  "a text that can be edited": () => document.querySelector<HTMLElement>("[contenteditable]")?.focus(),
  "a field of a component": () =>
    document.querySelector("#component")?.shadowRoot?.querySelector("textarea")?.focus(),
  "an editor in a frame": () =>
    document
      .querySelector("iframe")
      ?.contentDocument?.querySelector<HTMLElement>("[contenteditable]")
      ?.focus(),
  "a film on the whole screen": () => document.querySelector("h1")?.requestFullscreen(),
};

/** The first of them has the focus before anything of ours is there. */
const editors = `<input autofocus><p contenteditable>Dear editor,</p><div id="component"></div>
<iframe srcdoc="<p contenteditable>Dear editor,</p>"></iframe>
<script>
document.querySelector("#component").attachShadow({ mode: "open" }).innerHTML = "<textarea></textarea>";
</script>`;

test("it waits for whoever writes or watches a film, and for two seconds after the last key", async ({
  page,
}) => {
  await holdTime(page);
  // An answer that is still under way when time jumps would have come too late.
  const finished = (part: string) =>
    page.waitForEvent("requestfinished", (made) => made.url().includes(part));
  const prepared = Promise.all([finished("/v1/offers"), finished("/c/")]);
  await openPage(page, { main: editors });
  await prepared;
  for (const [name, engage] of Object.entries(engagements)) {
    await page.evaluate(engage);
    await letPass(page, 30_000);
    await expect(page.getByRole("dialog"), name).toHaveCount(0);
  }
  await page.evaluate(() => document.exitFullscreen());
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("x");
  await letPass(page, 1900);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await letPass(page, 400);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a gate opens at once, whatever its visitor does", async ({ page }) => {
  await holdTime(page);
  await openPage(page, { website: "gate", main: editors });
  await page.keyboard.type("Dear");
  await expect
    .poll(async () => {
      await page.clock.runFor(16);
      return page.getByRole("dialog").isVisible();
    })
    .toBe(true);
});

test("whoever it comes late for is not interrupted before a pause", async ({ page }) => {
  // How late it is counts from the first paint, which a busy machine may put off by seconds.
  const paintedAgo = (milliseconds: number) =>
    page.waitForFunction(
      (ago) =>
        performance.getEntriesByType("paint").some((paint) => performance.now() - paint.startTime > ago),
      milliseconds,
    );
  world.wire.tamper = async ({ path }) => {
    if (path === "/v1/offers") await paintedAgo(2500);
  };
  // The page itself moves the pointer: from here, no call is sure to come often enough.
  const restless = `<script>
const moving = setInterval(() => dispatchEvent(new PointerEvent("pointermove")), 50);
</script>`;
  await openPage(page, { main: restless });
  await paintedAgo(6000);
  expect(world.wire.requests.findLast(({ path }) => path === "/v1/offers")?.status, "of the offers").toBe(
    200,
  );
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.evaluate("clearInterval(moving)");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("pictures that change by themselves keep nothing from opening", async ({ page }) => {
  await openPage(page, {
    main: `<div id="pictures" style="overflow-x: auto; width: 200px"><div style="width: 99999px">News</div></div>
<script>setInterval(() => { pictures.scrollLeft += 5; }, 100);</script>`,
  });
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("what is pressed before it has come to rest does nothing, and one offer is opened once a second", async ({
  page,
  context,
}) => {
  const popups: unknown[] = [];
  context.on("page", (popup) => popups.push(popup));
  await holdTime(page);
  await openPage(page, {});
  await expect
    .poll(async () => {
      await page.clock.runFor(16);
      return page.getByRole("dialog").isVisible();
    })
    .toBe(true);
  const link = page.getByRole("article").first().getByRole("link");
  const box = await link.boundingBox();
  await page.mouse.click((box?.x ?? 0) + 9, (box?.y ?? 0) + 9);
  await link.press("Enter");
  await page.getByRole("button", { name: "Close" }).press("Enter");
  await page.mouse.click(5, 5);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(popups).toHaveLength(0);

  await untilAtRestInHeldTime(page);
  await link.press("Enter");
  await expect(link).toHaveAccessibleName(/\(opened\)$/);
  await link.press("Enter");
  await letPass(page, 999);
  await link.press("Enter");
  await letPass(page, 1);
  await link.press("Enter");
  await expect.poll(() => popups.length).toBe(2);
  const clicks = () => world.wire.requests.filter(({ path }) => path === "/v1/events/click").length;
  await expect.poll(clicks).toBe(2);
});

type Parts = { website?: string; main?: string; afterTag?: string };

/** Opens a page with the tag and with whatever is difficult about it. */
const openPage = async (page: Page, parts: Parts): Promise<void> => {
  const tag = scriptTag(world.wire.url, world.website(parts.website ?? "closed"));
  world.host.pages.set("/page", {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Harbour news</title>
<main>
<h1>The ferry is late again</h1>
<p>Everybody waits on the quay. <button>Read on</button></p>
${parts.main ?? ""}
</main>
${tag}
${parts.afterTag ?? ""}
</html>`,
  });
  await makePatient(page);
  await page.goto(`${world.host.origin}/page`);
};

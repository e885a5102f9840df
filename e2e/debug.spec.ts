import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { articlePage, scriptTag } from "./host-site.ts";
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
  { name: "closed", says: /^%coffers: shown%c – with 3 offers/ },
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

test("nothing is said where nobody asked for it", async ({ page }) => {
  const lines = linesOf(page);
  await page.goto(world.host.origin + world.publish("/quiet", "closed"));
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(lines).toEqual([]);
});

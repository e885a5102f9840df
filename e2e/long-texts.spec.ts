import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

/** So many characters of a sentence that is said again and again. */
const ofLength = (length: number, sentence: string) =>
  `${sentence
    .repeat(20)
    .slice(0, length - 1)
    .trimEnd()}.`;

/** Each text of an offer, as long as it may be. */
const longest = {
  title: ofLength(
    120,
    "A loan for the boat, the berth and the two winters that it lies there, at one rate; ",
  ),
  caps: {
    description: ofLength(
      300,
      "Borrow what the repair costs, and pay it back in as many months as suit you. ",
    ),
    cta: ofLength(40, "Look at what it would cost you a month now "),
    disclosure: ofLength(
      600,
      "Representative example: a loan of 5,000 pounds over 36 months at 9.9% a year, fixed. Missed payments may harm your credit record. ",
    ),
    terms: ofLength(
      600,
      "Only for those who live here and are of age. The lender looks at your credit record. ",
    ),
  },
};

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [{ name: "closed", geo: everybodyBlocked }],
    offers: ["Anchor Bank of the Northern Harbours", "Buoy Loans", "Compass Credit"].map((brand, index) => ({
      ...longest,
      brand,
      payoutMicros: 900_000 - index * 100_000,
      premium: index === 0,
    })),
  });
});
test.afterAll(() => world?.close());

/** Without motion there is no fade to wait for. */
test.use({ contextOptions: { reducedMotion: "reduce" } });

const immediate = { "data-trigger": "immediate" };
const surfaces = {
  overlay: immediate,
  section: { "data-mode": "section", "data-container": "main" },
  "section of little height": { "data-mode": "section", "data-container": "main", "data-height": "300" },
  // Such an offer has no room there, and comes in the overlay.
  bar: { ...immediate, "data-placement": "bottom" },
} as const;

for (const [surface, attributes] of Object.entries(surfaces)) {
  for (const [width, height] of [
    [320, 568],
    [568, 320],
    [1280, 800],
  ] as const) {
    test(`at ${width} by ${height} px all of the longest offer in the ${surface} can be read, and its link is no further up than its warning`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height });
      const path = world.publish("/long", "closed", { attributes });
      const { html } = world.host.pages.get(path) ?? { html: "" };
      const scheme = '<meta name="color-scheme" content="light dark">';
      world.host.pages.set(path, { html: html.replace("<title>", `${scheme}<title>`) });
      await openVisit(page, world, path);
      const around = page.locator(surface.startsWith("section") ? "section.place" : "dialog");
      const offers = around.getByRole("article");
      await expect(offers.first()).toBeVisible();
      for (const offer of await offers.all()) {
        const [warning, link] = [offer.locator(".about > p.fine"), offer.getByRole("link")];
        await expect(warning).toHaveText(longest.caps.disclosure);
        expect(await warning.evaluate((each) => each.scrollHeight - each.clientHeight)).toBeLessThanOrEqual(
          0,
        );
        const endOf = async (each: typeof link) => {
          const box = await each.boundingBox();
          return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
        };
        // Where it stands beside them, the lines are so long that all of them are in sight.
        const isBeside = surface.startsWith("section") && width === 1280;
        if (!isBeside) expect(await endOf(link)).toBeGreaterThanOrEqual(await endOf(warning));
        await link.click({ trial: true });
      }
      const last = offers.last().locator("details");
      await last.locator("summary").click();
      const end = last.getByText(longest.caps.terms);
      await end.evaluate((each) => each.scrollIntoView({ block: "end" }));
      const box = await end.boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(height + 1);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      }
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth, "nothing is cut off at the side").toBe(clientWidth);
      if (!surface.startsWith("section")) await around.getByRole("button", { name: "Close" }).click();
      await expect(around).toHaveCount(surface.startsWith("section") ? 1 : 0);
    });
  }
}

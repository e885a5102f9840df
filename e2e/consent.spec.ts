import { fileURLToPath } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { articlePage, scriptTag } from "./host-site.ts";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: ["open", "other"].map((name) => ({
      name,
      geo: { mode: "blocklist", entries: ["FR"], unknown: "allow" },
    })),
    offers: [],
  });
});
test.afterAll(() => world?.close());

/** What the page's own platform has been told: the sections in force, and fields that differ from the first ones. */
type Said = { applicable: number[]; fields: Record<string, Record<string, unknown>> };

/** The part of the IAB's consent platform that the tests speak to; the page keeps it as `platform`. */
type Platform = {
  setFieldValue: (section: string, field: string, value: unknown) => void;
  getGppString: () => string;
  setGppString: (text: string) => void;
  setApplicableSections: (ids: number[]) => void;
  setSignalStatus: (status: string) => void;
  cmpApiContext: { eventQueue: { size: number } };
};

/** The 24 purposes, of which these are agreed to. */
const purposes = (...agreed: number[]) => Array.from({ length: 24 }, (_, at) => agreed.includes(at + 1));

/** Opens an article that waits for consent and has the IAB's own platform on it, which begins with nothing said. */
const openArticle = async (page: Page) => {
  const library = fileURLToPath(new URL(".", import.meta.resolve("@iabgpp/cmpapi")));
  await page.route(`${world.host.origin}/platform/**`, (route) =>
    route.fulfill({ path: library + new URL(route.request().url()).pathname.replace("/platform/", "") }),
  );
  const tag = scriptTag(world.wire.url, { ...world.website("open"), attributes: { "data-consent": "gpp" } });
  const platform = `<script type="module">
    import { CmpApi } from "/platform/index.js";
    window.platform = new CmpApi(31, 640);
  </script>`;
  world.host.pages.set("/article", articlePage(platform + tag));
  await page.clock.install();
  const visit = await openVisit(page, world, "/article");
  await expect
    .poll(async () => {
      await page.clock.runFor(100);
      return page.evaluate(() => Reflect.get(window, "platform")?.cmpApiContext.eventQueue.size);
    })
    .toBe(1);
  return visit;
};

/** The visitor's choice arrives at everybody who listens, by way of the string that would be stored. */
const say = (page: Page, said: Said) =>
  page.evaluate(({ applicable, fields }) => {
    const platform: Platform = Reflect.get(window, "platform");
    for (const [section, values] of Object.entries(fields))
      for (const [field, value] of Object.entries(values)) platform.setFieldValue(section, field, value);
    platform.setGppString(platform.getGppString());
    platform.setApplicableSections(applicable);
    platform.setSignalStatus("ready");
  }, said);

/** Before a yes the page has the scripts, and the service has been asked nothing. */
const nothingAsked = ["GET /embed.js 200", "GET /c/*.js 200"] as const;
const wholeVisit = [...nothingAsked, "GET /v1/decision 200", "POST /v1/events/snippet-ping 204"] as const;

const refusals: [name: string, no: Said, yes: Said][] = [
  [
    "opts out by US Privacy",
    { applicable: [6], fields: { uspv1: { Notice: "Y", OptOutSale: "Y" } } },
    { applicable: [6], fields: { uspv1: { OptOutSale: "N" } } },
  ],
  [
    "agrees to nothing in Canada",
    { applicable: [5], fields: { tcfcav1: { PurposesExpressConsent: purposes() } } },
    { applicable: [5], fields: { tcfcav1: { PurposesExpressConsent: purposes(2, 7) } } },
  ],
  [
    "is where no section is known to apply yet",
    { applicable: [0], fields: { usnat: { SaleOptOut: 2 } } },
    { applicable: [7], fields: {} },
  ],
];

for (const [name, no, yes] of refusals)
  test(`nothing is asked of the service for a visitor who ${name}, before there is a yes`, async ({
    page,
  }) => {
    const visit = await openArticle(page);
    await say(page, no);
    await page.clock.runFor(120_000);
    await visit.expectMade(nothingAsked);
    await expectUntouched(page);
    await say(page, yes);
    await visit.expectMade(wholeVisit);
  });

test("a visit is not lost by sections that object and do not apply", async ({ page }) => {
  const visit = await openArticle(page);
  await say(page, {
    applicable: [7],
    fields: {
      usnat: { SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 2 },
      usca: { SaleOptOut: 1, Gpc: true },
      uspv1: { Notice: "Y", OptOutSale: "Y" },
      tcfeuv2: { PurposeConsents: purposes() },
    },
  });
  await visit.expectMade(wholeVisit);
});

test("a website waits for the consent that its own tag names, whatever `init` says of it before", async ({
  page,
}) => {
  const [first, second] = [world.website("open"), world.website("other")];
  const stub = "window.offerService=function(){return(offerService.q=offerService.q||[]).push(arguments)};";
  const said = `offerService("init", { website: "${second.websiteKey}", lang: "fr" });`;
  const own = scriptTag(world.wire.url, { ...second, attributes: { "data-consent": "manual" } });
  // Not async, so that it is the one whose function the page calls.
  const tag = scriptTag(world.wire.url, first).replace(" async", "");
  world.host.pages.set("/two", articlePage(`<script>${stub}${said}</script>${tag}${own}`));
  const visit = await openVisit(page, world, "/two");
  const asked = () =>
    visit
      .requests()
      .filter(({ path }) => path === "/v1/decision")
      .map(({ search }) => new URLSearchParams(search).get("website"));
  await visit.untilMade(wholeVisit);
  await visit.untilArrived();
  expect(asked()).toEqual([first.websiteKey]);
  await page.evaluate(() => Reflect.get(window, "offerService")("consent", true));
  await expect.poll(asked).toEqual([first.websiteKey, second.websiteKey]);
});

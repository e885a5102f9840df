import { createHash } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import type { ParamOf } from "@offers/contract/dash/endpoints";
import { type DashPath, dashPaths } from "@offers/contract/dash/paths";
import { type BrowserContext, expect, type Page, type Response, test } from "@playwright/test";
import { signIn } from "./dash.ts";
import { type HostileWorld, noteTrouble, openHostileWorld, payload } from "./hostile-world.ts";

let world: HostileWorld;
let context: BrowserContext;
let page: Page;
let trouble: string[];

test.beforeAll(async ({ browser }) => {
  world = await openHostileWorld();
  context = await browser.newContext();
  const { service, publisherId } = world;
  await signIn(
    context,
    { service, url: service.url },
    { email: "ada@example.com", isOperator: true, publisherId },
  );
  page = await context.newPage();
  trouble = await noteTrouble(page, service.url);
});
test.beforeEach(() => {
  trouble.length = 0;
});
test.afterAll(async () => {
  await context?.close();
  await world?.service.stop();
});

/** Which page of several: those of the world that has been made. */
const addressOf = (path: string): string => {
  const { publisherId, websiteKey, advertiserId, offerId, service } = world;
  const named: Record<string, string> = {
    ":publisher": publisherId,
    ":key": websiteKey,
    ":advertiser": advertiserId,
    ":offer": offerId,
  } satisfies Record<`:${ParamOf<DashPath>}`, string>;
  return `${service.url}/dash${path.replace(/:\w+/g, (name) => named[name] ?? name)}`;
};

/** Opens a page and waits for all that it asks for. */
const open = async (path: string): Promise<void> => {
  await page.goto(addressOf(path));
  await settle();
};

const settle = async (): Promise<void> => {
  await expect(page.locator("main h1")).toBeVisible();
  await expect(page.locator("main :is(.skeleton, .spinner)")).toHaveCount(0);
};

const violationsOf = async (rules?: string[]): Promise<string[]> => {
  // The other way opens a page of its own for each look.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** By how many pixels the page is wider than its window. */
const sideways = (): Promise<number> =>
  page.evaluate(() => {
    const widest = [document.documentElement, document.body, document.querySelector("main")];
    return Math.max(...widest.map((one) => (one ? one.scrollWidth - one.clientWidth : 0)));
  });

/** Pages that show most when they are asked something. */
const asked: Partial<Record<DashPath, () => string[]>> = {
  "/explain": () => [`/explain?id=${world.requestId}`],
  "/start": () => ["/start", `/start?website=${world.websiteKey}`],
  "/reports": () => ["/reports?by=websiteKey,offer,brand"],
  "/websites/:key/simulate": () => ["/websites/:key/simulate?country=DE&surface=decline&reason=underage"],
  // Today alone is empty at first when the world was made before midnight, UTC.
  "/operator/quality": () => ["/operator/quality?days=2"],
};

/** Pages on which no text of anybody else stands. */
const ownWords: readonly string[] = ["/start", "/apps", "/me", "/operator/now", "/operator/offer-file"];

/** All that the page itself says, what is folded away and what stands in its fields too. */
const wordsOf = (): Promise<string> =>
  page.locator("main").evaluate((main) => {
    const fields = [...main.querySelectorAll("input, textarea")].map((field) => Reflect.get(field, "value"));
    return [main.textContent, ...fields].join("\n");
  });

for (const path of dashPaths) {
  test(`${path}: for everybody, at every width, of our own host alone, and texts stay texts`, async () => {
    for (const address of asked[path]?.() ?? [path]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" });
      await open(address);
      expect(await violationsOf()).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await violationsOf(["color-contrast"])).toEqual([]);
      await page.setViewportSize({ width: 390, height: 900 });
      expect(await violationsOf()).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await violationsOf(["color-contrast"])).toEqual([]);
      for (const forcedColors of ["none", "active"] as const) {
        await page.emulateMedia({ forcedColors });
        // Twice the size leaves a window of 1280 pixels 640.
        for (const width of [1024, 768, 640, 320]) {
          await page.setViewportSize({ width, height: 900 });
          // A chart is drawn anew once it knows its room.
          await expect.poll(sideways, `${address} at ${width} px`).toBeLessThanOrEqual(0);
        }
      }
      const shown = (await wordsOf()).split(payload).length - 1;
      if (!ownWords.includes(path)) expect(shown, "texts shown as they were written").toBeGreaterThan(0);
      expect(await page.evaluate(() => Reflect.get(window, "xss"))).toBeUndefined();
    }
    expect(trouble).toEqual([]);
  });
}

test("the days to choose, and the keys on the line, follow a shorter range", async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open("/?range=90d");
  const slider = page.getByRole("slider");
  await expect(slider).toHaveAttribute("max", "89");
  const range = page.locator(".range");
  await range.locator("summary").click();
  await range.getByRole("link", { name: "Last 7 days" }).click();
  await expect(slider).toHaveAttribute("max", "6");
  await range.locator("summary").click();
  const days = async () => {
    const [from, to] = await Promise.all(["From", "To"].map((name) => range.getByLabel(name).inputValue()));
    return (Date.parse(to ?? "") - Date.parse(from ?? "")) / 86_400_000 + 1;
  };
  await expect.poll(days).toBe(7);
  await slider.focus();
  await expect(slider).toHaveAttribute("aria-valuetext", /\S/);
  await expect(page.locator(".tooltip")).toBeVisible();
});

test("the overview is light: 60 kB of script and 8 kB of style at the most, in bytes of gzip on the wire", async ({
  browser,
}) => {
  const fresh = await browser.newContext({ storageState: await context.storageState() });
  const first = await fresh.newPage();
  // As a browser without anything newer would ask.
  await first.setExtraHTTPHeaders({ "accept-encoding": "gzip" });
  const bytes: Record<string, number> = { script: 0, stylesheet: 0 };
  const answers: Response[] = [];
  first.on("response", (answer) => answers.push(answer));
  await first.goto(addressOf("/"));
  await expect(first.locator("main h1")).toBeVisible();
  await expect(first.locator("main .skeleton")).toHaveCount(0);
  for (const answer of answers) {
    const kind = answer.request().resourceType();
    if (!(kind in bytes)) continue;
    const { responseBodySize } = await answer.request().sizes();
    // What is smaller than its compressed form is sent as it is.
    if (responseBodySize > 400) expect(answer.headers()["content-encoding"], answer.url()).toBe("gzip");
    bytes[kind] = (bytes[kind] ?? 0) + responseBodySize;
  }
  expect(bytes.script).toBeGreaterThan(10_000);
  expect(bytes.script).toBeLessThanOrEqual(60_000);
  expect(bytes.stylesheet).toBeGreaterThan(1000);
  expect(bytes.stylesheet).toBeLessThanOrEqual(8000);
  await fresh.close();
});

test("the pages without script show what others wrote as a text", async ({ browser }) => {
  const { service, publisherId, clientId } = world;
  const { link } = await service.admin<{ link: string }>(
    ...["user", "invite", "--publisher", publisherId, "--email", "new@example.com", "--role", "viewer"],
  );
  const stranger = await browser.newContext();
  const form = await stranger.newPage();
  const wrong = await noteTrouble(form, service.url);
  await form.goto(link);
  await expect(form.locator("main")).toContainText(payload);

  await form.goto(`${service.url}/dash/sign-in?next=${encodeURIComponent(`/dash/${payload}`)}`);
  // An address that no browser would send, but anybody else may.
  await form.getByLabel("E-mail").evaluate((field) => field.setAttribute("type", "text"));
  await form.getByLabel("E-mail").fill(payload);
  await form.getByLabel("Password").fill("a sentence that is not theirs");
  await form.getByRole("button", { name: "Sign in" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await expect(form.getByLabel("E-mail")).toHaveValue(payload);
  expect(await form.evaluate(() => Reflect.get(window, "xss"))).toBeUndefined();
  // The answer to a wrong password is no success, which browsers tell.
  expect(wrong.filter((one) => !one.includes("422"))).toEqual([]);
  await stranger.close();

  const asked = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: "https://partner.example/callback" },
    ...{ scope: "reports:read", state: payload, code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update("a verifier").digest("base64url"),
  });
  await page.goto(`${service.url}/v1/oauth/authorize?${asked}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Connect ${payload}?`);
  await expect(page.locator("main")).toContainText(`${payload} asks to`);
  expect(await page.evaluate(() => Reflect.get(window, "xss"))).toBeUndefined();
  expect(trouble).toEqual([]);
});

/** What this browser still has of a page, seen or not. */
const heldBy = async (): Promise<string> => {
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      await caches.keys(),
      history.state,
      location.href,
      ...[...document.querySelectorAll("input, textarea")].map((field) => Reflect.get(field, "value")),
    ]),
  );
  return `${await page.content()} ${stored}`;
};

const shownOnce: readonly { what: string; path: string; make: () => Promise<string> }[] = [
  {
    what: "a website's secret",
    path: "/websites/:key/secrets",
    make: async () => {
      await page.getByRole("button", { name: /^Make/ }).click();
      return page.getByLabel("The secret", { exact: true }).locator("code").innerText();
    },
  },
  {
    what: "an invitation's link",
    path: "/team",
    make: async () => {
      await page.getByRole("button", { name: "Invite somebody" }).click();
      await page.getByLabel("E-mail").fill("friend@example.com");
      await page.getByRole("button", { name: "Make the link" }).click();
      return page.getByRole("region", { name: "The link of the invitation" }).locator("code").innerText();
    },
  },
  {
    what: "an operator's invitation",
    path: "/operator/publishers/:publisher",
    make: async () => {
      await page.getByLabel("Invite by e-mail").fill("other@example.com");
      await page.getByRole("button", { name: "Make the link" }).click();
      return page.getByRole("region", { name: "The link" }).locator("code").innerText();
    },
  },
];

for (const { what, path, make } of shownOnce) {
  test(`${what} comes back neither by Back and Forward nor by a reload, and is kept nowhere`, async () => {
    await open("/me");
    await open(path);
    const secret = await make();
    expect(secret.length).toBeGreaterThan(30);
    expect(await heldBy()).toContain(secret);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Me" })).toBeVisible();
    expect(await heldBy()).not.toContain(secret);
    await page.goForward();
    await settle();
    expect(await heldBy()).not.toContain(secret);
    await page.reload();
    await settle();
    expect(await heldBy()).not.toContain(secret);
  });
}

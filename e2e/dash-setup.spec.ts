import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type Service, startService } from "../bench/service.ts";
import { signIn } from "./dash.ts";
import { articleWith, goFromLinkToGreen } from "./first-tag.ts";
import { type HostSite, openHostSite } from "./host-site.ts";
import { makePatient } from "./patient-page.ts";

let service: Service;
let host: HostSite;
test.beforeAll(async () => {
  service = await startService();
  host = await openHostSite();
});
test.afterAll(async () => {
  await host.close();
  await service.stop();
});

/** What somebody has to do on the way, counted as they would count it. */
const countWork = async (context: BrowserContext) => {
  const work = { clicks: 0, typed: new Set<string>(), screens: new Set<string>() };
  await context.exposeBinding("noteWork", (_, kind: "click" | "type" | "screen", name: string) => {
    if (kind === "click") work.clicks += 1;
    if (kind === "type") work.typed.add(name);
    if (kind === "screen") work.screens.add(name);
  });
  await context.addInitScript(() => {
    const note = (kind: string, name: string) => Reflect.get(window, "noteWork")(kind, name);
    note("screen", location.pathname.replace(/\/link\/.*/, "/link"));
    addEventListener("click", (event) => event.isTrusted && event.detail > 0 && note("click", ""), true);
    addEventListener(
      "input",
      ({ target }) => {
        if (target instanceof HTMLInputElement) note("type", target.labels?.[0]?.textContent ?? target.name);
      },
      true,
    );
  });
  return work;
};

const tagOf = (page: Page): Promise<string> => page.getByLabel("Your tag").locator("pre").innerText();

test("from the link to a green light: four screens, three fields, eight clicks", async ({ browser }) => {
  const context = await browser.newContext();
  const work = await countWork(context);
  const reader = await (await browser.newContext()).newPage();
  await makePatient(reader);
  const { page } = await goFromLinkToGreen({ context, reader }, { service, host });

  await expect(page.getByText(`${host.origin}/article`.replace("http://", ""))).toBeVisible();
  await expect(page.getByText(/script \d+\.\d+\.\d+/)).toBeVisible();
  await expect(page.getByText(/The service sees you in/)).toBeVisible();
  expect(work.clicks).toBeLessThanOrEqual(8);
  expect([...work.typed]).toHaveLength(3);
  // The link, and the dashboard, whose pages are one document: the overview and the set-up.
  expect(work.screens.size + 1).toBeLessThanOrEqual(4);

  // What is said by itself is the state alone: the ages beside it change with every look.
  const heard = page.getByRole("status").filter({ hasText: "The tag is live" });
  await expect(heard).toHaveText("The tag is live");
  await page.getByRole("link", { name: "To the website" }).click();
  await expect(page.getByText(/^Last page .* ago/)).toBeVisible();
  await expect(heard).toHaveText("The tag is live");

  // The other pages know of it without a reload.
  await expect(page.getByText("1 website", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("heading", { name: "No traffic in these days" })).toBeVisible();
  await reader.context().close();
  await context.close();
});

/** Goes on by the Tab key until what has the focus is called so. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const said: string[] = [];
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus");
    const words = await focused.evaluate((element) => {
      const { labels } = element as HTMLInputElement;
      return element.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? element.textContent ?? "";
    });
    if (name.test(words.trim())) return;
    said.push(words.trim());
  }
  throw new Error(`the Tab key reaches nothing called ${name}: ${said.join(", ")}`);
};

test("a website is set up by the keyboard alone", async ({ browser }) => {
  const { publisherId } = await service.admin<{ publisherId: string }>(
    "publisher",
    "create",
    "--name",
    "Keys",
  );
  const { link } = await service.admin<{ link: string }>(
    "user",
    "invite",
    ...["--publisher", publisherId, "--role", "owner", "--email", "keys@example.com"],
  );
  const context = await browser.newContext();
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.keyboard.type("a sentence that the test knows");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: /set up/i }).first()).toBeVisible();
  await tabTo(page, /^set up/i);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Address")).toBeVisible();
  await tabTo(page, /^Address/);
  await page.keyboard.type("https://keys.example/article");
  await tabTo(page, /^Places/);
  await page.keyboard.type("Germany,");
  await tabTo(page, /^Make the tag$/);
  // A node of the release before refuses the origin that it has read in the address.
  const errors = [{ parameter: "origins.0", message: "must be the origin of no other website" }];
  const refusal = { status: 400, json: { code: "invalid_request", errors } };
  await page.route(/\/websites$/, (route) => route.fulfill(refusal), { times: 1 });
  await page.keyboard.press("Enter");
  await expect(page.getByText("This must be the origin of no other website.")).toBeVisible();
  await page.getByRole("button", { name: "Make the tag" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Waiting for your first page")).toBeVisible();
  await tabTo(page, /^Copy/);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("data-website=");
  await context.close();
});

test("the first pages lead to what is next: a website, then its tag", async ({ browser }) => {
  const { publisherId } = await service.admin<{ publisherId: string }>(
    ...["publisher", "create", "--name", "Next"],
  );
  const context = await browser.newContext();
  const person = { email: "next@example.com", publisherId, role: "owner" } as const;
  await signIn(context, { service, url: service.url }, person);
  const page = await context.newPage();
  const main = page.locator("main");
  await page.goto(`${service.url}/dash/offers`);
  await expect(
    main.getByText("Offers are permitted website by website, and you have none yet."),
  ).toBeVisible();
  await main.getByRole("link", { name: "Set up a website" }).click();
  await page.getByLabel("Address").fill("my journal");
  await expect(page.locator(".field .wrong")).toHaveText(
    "This must be the address of a page, such as https://www.example.com/news.",
  );
  await page.getByLabel("Address").fill("https://my-journal.example/article");
  await page.getByLabel("Places").fill("Germany,");
  await page.getByRole("button", { name: "Make the tag" }).click();
  await expect(page.getByLabel("Your tag")).toBeVisible();
  const made = page.url();
  // The steps before keep their numbers, what was chosen, and a way to change it.
  await expect(main.getByRole("heading", { level: 2, name: /^\d\. / })).toHaveText([
    "1. Where is your website?",
    "2. Who sees offers in place of the page?",
    "3. Paste this into your pages",
    "4. Open a page that has it",
  ]);
  await expect(main.getByText("Visitors from Germany see offers.")).toBeVisible();
  await main.getByRole("link", { name: "Change the places" }).click();
  await expect(page.getByRole("button", { name: "Remove Germany" })).toBeVisible();

  await page.getByRole("link", { name: "Overview" }).click();
  const paste = main.getByRole("link", { name: "Paste the tag of my-journal.example" });
  await expect(paste).toBeVisible();
  await expect(main.getByRole("link", { name: "Set up a website" })).toHaveCount(0);
  await paste.click();
  await expect(page).toHaveURL(made);
  await expect(page.getByLabel("Your tag")).toBeVisible();

  await page.getByRole("link", { name: "Offers", exact: true }).click();
  await main.getByRole("link", { name: "Choose its offers" }).click();
  await expect(
    main.getByRole("heading", { level: 1, name: /^my-journal.example.*Offers allowed$/ }),
  ).toBeVisible();
  await context.close();
});

type Site = { websiteKey: string; publicKey: string };
type Case = {
  name: string;
  /** Puts a page on the host site that does not work, and has it opened if that is what shows it. */
  breaks: (given: Broken) => Promise<void>;
  /** Pressed to have the service look at the page. */
  isChecked?: true;
  says: RegExp;
  /** Of the button that mends it, or that leads to it; null: there is none. */
  button: string | null;
  /** Puts the page right; left out: the button has. */
  mends?: (given: Broken) => Promise<void>;
};
type Broken = {
  host: HostSite;
  other: HostSite;
  tag: string;
  site: Site;
  open: (url: string) => Promise<void>;
};

const publish = (at: HostSite, html: string, headers?: Record<string, string>) =>
  at.pages.set("/", { html, ...(headers && { headers }) });

const cases: Case[] = [
  {
    name: "a wrong origin",
    breaks: async ({ other, tag, open }) => {
      publish(other, articleWith(tag));
      await open(other.origin);
    },
    says: /Calls come from http:\/\/localhost:\d+, which is not registered/,
    button: "Register it",
    mends: async ({ other, site, open }) => {
      const decision = `${service.url}/v1/decision?pub=${site.publicKey}&website=${site.websiteKey}`;
      await expect
        .poll(async () => (await fetch(decision, { headers: { Origin: other.origin } })).status)
        .toBe(200);
      await open(other.origin);
    },
  },
  {
    name: "a wrong public key",
    breaks: async ({ host: at, tag, site, open }) => {
      publish(at, articleWith(tag.replace(site.publicKey, "pub_somebody")));
      await open(at.origin);
    },
    says: /carries the public key pub_somebody, which is not this website's/,
    button: "Copy the tag",
  },
  {
    name: "another website's tag",
    breaks: async ({ host: at, tag, site, open }) => {
      const other = await service.admin<Site>(
        "website",
        "create",
        ...["--publisher", owned.publisherId, "--name", "Journal", "--origin", at.origin],
      );
      await expect.poll(() => canPreview(other.websiteKey)).toBe(true);
      publish(at, articleWith(tag.replace(site.websiteKey, other.websiteKey)));
      await open(at.origin);
    },
    says: /carries the tag of Journal/,
    button: "Copy the tag",
  },
  {
    name: "an http page",
    breaks: async ({ site }) => {
      // A browser would need a host of the internet; what it sends is this header.
      const { status } = await fetch(
        `${service.url}/v1/decision?pub=${site.publicKey}&website=${site.websiteKey}`,
        { headers: { Origin: "http://journal.example" } },
      );
      expect(status).toBe(403);
    },
    says: /The page is served by plain http: http:\/\/journal\.example/,
    button: null,
  },
  {
    name: "a policy without the service",
    breaks: async ({ host: at, tag, open }) => {
      publish(at, articleWith(tag), { "content-security-policy": "script-src 'self'" });
      await open(at.origin);
    },
    isChecked: true,
    says: /script-src/,
    button: "Copy the line",
  },
  {
    name: "a tag that a consent banner holds",
    breaks: async ({ host: at, tag, open }) => {
      publish(at, articleWith(tag.replace("<script", '<script type="text/plain"')));
      await open(at.origin);
    },
    isChecked: true,
    says: /text\/plain|consent/,
    button: "Copy the tag",
  },
  {
    name: "nothing at all",
    breaks: async ({ host: at }) => {
      publish(at, articleWith(""));
    },
    isChecked: true,
    says: /tag/,
    button: "Copy the tag",
  },
];

const owned = { publisherId: "" };
let context: BrowserContext;

/** Whether the service knows the website already; asking leaves no trace among the calls of its pages. */
const canPreview = async (websiteKey: string): Promise<boolean> => {
  const path = `/dash/api/publishers/${owned.publisherId}/websites/${websiteKey}/preview`;
  const headers = { Origin: service.url, "Sec-Fetch-Site": "same-origin" };
  return (await context.request.post(service.url + path, { headers })).ok();
};

test.describe("what keeps a tag from working", () => {
  test.beforeAll(async ({ browser }) => {
    owned.publisherId = (
      await service.admin<{ publisherId: string }>("publisher", "create", "--name", "Second")
    ).publisherId;
    context = await browser.newContext();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
    const person = { email: "second@example.com", publisherId: owned.publisherId, role: "owner" } as const;
    await signIn(context, { service, url: service.url }, person);
  });
  test.afterAll(() => context.close());

  for (const { name, breaks, isChecked, says, button, mends } of cases) {
    test(`${name}: named with its fix, and green without a reload once it is mended`, async ({ browser }) => {
      const [at, other] = await Promise.all([openHostSite(), openHostSite()]);
      const readers = await browser.newContext();
      try {
        const site = await service.admin<Site>(
          "website",
          "create",
          ...["--publisher", owned.publisherId, "--name", name, "--origin", at.origin],
        );
        // The service learns within a second of what another process has made.
        await expect.poll(() => canPreview(site.websiteKey)).toBe(true);
        const page = await context.newPage();
        await page.goto(`${service.url}/dash/start?website=${site.websiteKey}`);
        await page.evaluate(() => Reflect.set(window, "wasNotReloaded", true));
        const tag = await tagOf(page);
        const reader = await readers.newPage();
        await makePatient(reader);
        const open = async (url: string) => {
          await reader.goto(url);
        };
        const given = { host: at, other, tag, site, open };
        await breaks(given);
        if (isChecked) await page.getByRole("button", { name: "Check my page" }).first().click();
        const cause = page.getByRole("alert").getByRole("listitem").filter({ hasText: says });
        await expect(cause).toBeVisible();
        await expect(page.getByRole("heading", { name: "The tag is live" })).toBeHidden();
        if (button === null) await expect(cause.getByRole("button")).toHaveCount(0);
        else await cause.getByRole("button", { name: button }).click();
        if (button === "Copy the tag") {
          expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(tag);
        }
        if (mends) {
          // What registers it has told the service, which learns of it within a second.
          await expect(cause).toBeHidden();
          await expect(page.getByRole("heading", { name: "4. Open a page that has it" })).toBeFocused();
          await mends(given);
        } else {
          publish(at, articleWith(tag));
          await open(at.origin);
        }
        await expect(page.getByRole("heading", { name: "The tag is live" })).toBeVisible();
        await expect(cause).toBeHidden();
        expect(await page.evaluate(() => Reflect.get(window, "wasNotReloaded"))).toBe(true);
        await page.close();
      } finally {
        await readers.close();
        await Promise.all([at.close(), other.close()]);
      }
    });
  }
});

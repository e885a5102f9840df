import { expect, type Page, test } from "@playwright/test";
import { previewTokenMs, signPreviewToken } from "../server/core/preview-token.ts";
import { readSessionCookie } from "../server/core/session-cookie.ts";
import { createTokenKeys } from "../server/core/token-keys.ts";
import { signIn } from "./dash.ts";
import { makePatient } from "./patient-page.ts";
import { openWorld, type World } from "./world.ts";

const secret = "a secret that the service and this test have";
let world: World;
/** What the service knows the browser's session by. */
let session: string;
test.beforeAll(async () => {
  world = await openWorld({
    environment: { TOKEN_SECRET: secret },
    websites: [
      {
        name: "closed",
        origins: ["https://journal.example"],
        geo: { mode: "allowlist", entries: ["FR"], unknown: "block" },
      },
    ],
  });
});
test.afterAll(() => world?.close());
test.beforeEach(async ({ context }) => {
  await makePatient(context);
  const email = `ada-${Math.random().toString(36).slice(2)}@example.com`;
  const cookie = await signIn(context, { service: world.service, url: world.wire.url }, { email });
  session = readSessionCookie(createTokenKeys({ current: secret }), cookie)?.hash ?? "";
  world.wire.requests.length = 0;
  world.wire.tamper = null;
});

/** A preview's address, as the dashboard makes it. The website is the first that was made. */
const addressOf = (query: string, now = Date.now()): string => {
  const token = signPreviewToken(createTokenKeys({ current: secret }), { websiteId: 1, session }, now);
  return `${world.wire.url}/dash/preview/${world.website("closed").websiteKey}?token=${token}${query}`;
};

const calls = () => world.wire.requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
const called = (path: string) =>
  expect.poll(() => calls().filter((call) => call.includes(path))).toHaveLength(1);

/** Complaints of the page's scripts and of its policy. */
const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  return complaints;
};

test("shows the overlay to who is blocked, in the language that is asked for", async ({ page }) => {
  const complaints = complaintsOf(page);
  await page.goto(addressOf("&country=DE&language=de&theme=dark"));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(dialog.getByText("An account that floats")).toBeVisible();
  await expect(dialog).toContainText(/Deutschland/);
  await called("/v1/events/drawn");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const refused = world.wire.requests.filter(({ status }) => typeof status === "number" && status >= 400);
  expect(refused.map(({ path, status }) => [path, status])).toEqual([]);
  expect(calls()).toContain("POST /v1/events/snippet-ping 204");
  expect(complaints).toEqual([]);
  // What was closed in a preview is shown again.
  await page.reload();
  await expect(dialog).toBeVisible();
});

test("shows the page to who is allowed", async ({ page }) => {
  await page.goto(addressOf("&country=FR"));
  await called("/v1/events/snippet-ping");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(calls().filter((call) => call.includes("/v1/offers"))).toEqual([]);
});

test("stands in a frame of the dashboard, and in nobody else's", async ({ page }) => {
  const html = `<!doctype html><title>Frame</title><iframe src="${addressOf("&country=DE")}" width="900" height="700"></iframe>`;
  world.wire.tamper = ({ path }) =>
    path === "/framing" ? { status: 200, headers: { "content-type": "text/html" }, body: html } : null;
  await page.goto(`${world.wire.url}/framing`);
  await expect(page.frameLocator("iframe").getByRole("dialog")).toBeVisible();

  world.wire.requests.length = 0;
  world.host.pages.set("/framing", { html });
  await page.goto(`${world.host.origin}/framing`);
  await called("/dash/preview/");
  await expect(page.frameLocator("iframe").getByRole("dialog")).toHaveCount(0);
  // What the page before was seen to show may still be on its way.
  const asked = calls().filter((call) => call.includes("/v1/") && !call.includes("/v1/events/"));
  expect(asked).toEqual([]);
});

test("says so when it has expired, and when nobody is signed in", async ({ page, context }) => {
  await page.goto(addressOf("&country=DE", Date.now() - previewTokenMs));
  await expect(page.getByText("This preview has expired. Open it again.")).toBeVisible();
  await context.clearCookies();
  await page.goto(addressOf("&country=DE"));
  await expect(page.getByText("This preview is not for this sign-in.")).toBeVisible();
  expect(calls().map((call) => call.split(" ").at(-1))).toEqual(["410", "403"]);
});

import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { Service } from "../bench/service.ts";
import type { HostSite } from "./host-site.ts";

/** A page with nothing but a heading and that tag. */
export const articleWith = (tag: string): string =>
  `<!doctype html><title>Article</title><h1>An article</h1>${tag}`;

/** The way of a new owner from the link of an invitation to a tag that is live, in a browser of their own. */
export async function goFromLinkToGreen(
  { context, reader }: { context: BrowserContext; reader: Page },
  { service, host }: { service: Service; host: HostSite },
): Promise<{ page: Page; greenMs: number; wholeMs: number }> {
  const { publisherId } = await service.admin<{ publisherId: string }>(
    "publisher",
    "create",
    "--name",
    "First",
  );
  const { link } = await service.admin<{ link: string }>(
    "user",
    "invite",
    ...["--publisher", publisherId, "--role", "owner", "--email", "first@example.com"],
  );
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
  const page = await context.newPage();
  const startedAt = Date.now();

  await page.goto(link);
  await page.getByLabel("Password").fill("a sentence that the test knows");
  await page.getByRole("button").click();
  await page.waitForURL(/\/dash\/?($|\?)|\/dash\/\w+/);
  await page
    .getByRole("link", { name: /set up/i })
    .first()
    .click();
  await page.getByLabel("Address").fill(`${host.origin}/article`);
  await page.getByLabel("Places").fill("Germany, France");
  await page.getByRole("button", { name: "Make the tag" }).click();
  await page.getByRole("button", { name: "Copy" }).click();
  const tag = await page.evaluate(() => navigator.clipboard.readText());
  await expect(page.getByText("Waiting for your first page")).toBeVisible();
  host.pages.set("/article", { html: articleWith(tag) });

  const pinged = reader.waitForResponse((answer) => answer.url().includes("/snippet-ping"));
  await reader.goto(`${host.origin}/article`);
  expect((await pinged).status()).toBe(204);
  const loadedAt = Date.now();
  await expect(page.getByRole("heading", { name: "The tag is live" })).toBeVisible();
  const now = Date.now();
  return { page, greenMs: now - loadedAt, wholeMs: now - startedAt };
}

import { expect, test } from "@playwright/test";
import { type Service, startService } from "../bench/service.ts";

let service: Service;
test.beforeAll(async () => {
  service = await startService();
});
test.afterAll(() => service.stop());

test("the interface can be read without any other host, and nothing in it is against the page's own policy", async ({
  page,
}) => {
  const hosts = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${service.url}/docs`);
  await expect(page.getByRole("heading", { name: /Affiliate Offer Service/ })).toBeVisible();
  const report = page.getByRole("button", { name: /POST\s*\/v1\/events\s*Report what a visitor saw or did/ });
  await report.click();
  await expect(page.getByText("Makes a repetition within 24 hours the same event.")).toBeVisible();
  await expect(page.getByText("Try it out")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /authoriz/i })).toHaveCount(0);
  expect([...hosts]).toEqual([new URL(service.url).host]);
  expect(complaints).toEqual([]);
});

import { expect, test } from "@playwright/test";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "elsewhere", origins: ["https://somewhere.example"] },
      // Gives the page's origin a website, so that refusals are readable there.
      { name: "here" },
    ],
    offers: [],
  });
});
test.afterAll(() => world?.close());

/** A browser reports every failed request in its console; no page can prevent that. */
const refusedByService = [/status of 403/];

test("a tag that was copied to another site is refused, and that site stays as it was", async ({ page }) => {
  const visit = await openVisit(page, world, world.publish("/copied", "elsewhere"));
  await visit.expectMade(["GET /embed.js 200", "GET /v1/decision 403"], refusedByService);
  await expectUntouched(page);
});

test("a public key of another website is refused in the same words", async ({ page }) => {
  const { websiteKey } = world.website("elsewhere");
  const { publicKey } = world.website("here");
  const ask = (query: Record<string, string>) =>
    page.evaluate(
      async (url) => {
        const answer = await fetch(url);
        // The request's own id is in each of them.
        const { instance, ...problem } = await answer.json();
        return {
          status: answer.status,
          type: answer.headers.get("content-type"),
          named: typeof instance,
          problem,
        };
      },
      `${world.wire.url}/v1/decision?${new URLSearchParams(query)}`,
    );
  world.host.pages.set("/empty", { html: "<!doctype html><title>Empty</title>" });
  await page.goto(`${world.host.origin}/empty`);
  const wrongOrigin = await ask({ pub: publicKey, website: websiteKey });
  const unknownWebsite = await ask({ pub: publicKey, website: "ws_nobody" });
  const wrongKey = await ask({ pub: "pub_nobody", website: world.website("here").websiteKey });
  expect(wrongOrigin.status).toBe(403);
  expect(wrongOrigin.type).toMatch(/^application\/problem\+json/);
  expect(wrongOrigin).toMatchObject({ named: "string", problem: { code: "origin_not_allowed" } });
  expect(unknownWebsite).toEqual(wrongOrigin);
  expect(wrongKey).toEqual(wrongOrigin);
});

import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { freePort } from "../server/testing/free-port.ts";
import { passThroughRequests } from "./expected-requests.ts";
import { articlePage, scriptTag } from "./host-site.ts";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import type { CannedAnswer } from "./wire.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  // Everybody would be blocked, so that an overlay can stay away only because of the fault.
  world = await openWorld({ websites: [{ name: "closed", geo: everybodyBlocked }] });
  world.publish("/article", "closed");
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

/** What Chromium itself writes about a request that failed. */
const failedRequest = [/Failed to load resource/, /net::ERR_/, /blocked by CORS policy/];

test("with the service gone, the page is as it was", async ({ page }) => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  world.host.pages.set("/orphan", articlePage(scriptTag(nowhere, world.website("closed"))));
  const visit = await openVisit(page, world, "/orphan");
  await visit.expectMade([], failedRequest);
  await expectUntouched(page);
});

test("with the service gone after the loader came, the page is as it was and nothing is tried again", async ({
  page,
}) => {
  world.wire.tamper = ({ path }) => (path.startsWith("/v1/") ? "drop" : null);
  await page.clock.install();
  // Where the machine stands still the browser's own second attempt is not to be given up.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const visit = await openVisit(page, world, "/article");
  // On a connection that has served before the browser itself asks once more, over another one.
  const asked = ["GET /embed.js 200", "GET /v1/decision dropped", "GET /v1/decision dropped"];
  await visit.untilMade(asked);
  await page.clock.runFor(120_000);
  await visit.expectMade(asked, failedRequest);
  await expectUntouched(page);
});

test("a decision that does not come is given up within three seconds", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  world.wire.tamper = ({ path }) => (path === "/v1/decision" ? held.promise : null);
  await page.clock.install();
  const visit = await openVisit(page, world, "/article");
  await expect.poll(() => visit.requests().at(-1)?.path).toBe("/v1/decision");
  await page.clock.runFor(3000);
  await visit.untilMade(["GET /embed.js 200", "GET /v1/decision abandoned"]);
  held.resolve();
  await page.clock.runFor(60_000);
  await visit.expectMade(["GET /embed.js 200", "GET /v1/decision abandoned"], failedRequest);
  await expectUntouched(page);
});

const json = { "content-type": "application/json", "access-control-allow-origin": "*" };
const nonsense: Record<string, CannedAnswer> = {
  "an error page": { status: 500, headers: { ...json, "content-type": "text/html" }, body: "<h1>Oops</h1>" },
  "a page instead of JSON": {
    status: 200,
    headers: { ...json, "content-type": "text/html" },
    body: "<html>",
  },
  "an empty answer": { status: 200, headers: json, body: "" },
  "half an answer": { status: 200, headers: json, body: '{"allowed":false,"requestId":"req' },
  null: { status: 200, headers: json, body: "null" },
  "a list": { status: 200, headers: json, body: "[]" },
  "a decision in words": { status: 200, headers: json, body: '{"allowed":"false","requestId":"req_x"}' },
  "a decision without an id": { status: 200, headers: json, body: '{"allowed":false}' },
  "an answer that no page may read": { status: 200, body: '{"allowed":false,"requestId":"req_x"}' },
};

for (const [name, answer] of Object.entries(nonsense)) {
  test(`when the decision is ${name}, the page is as it was`, async ({ page }) => {
    world.wire.tamper = ({ path }) => (path === "/v1/decision" ? answer : null);
    const visit = await openVisit(page, world, "/article");
    await visit.expectMade(["GET /embed.js 200", `GET /v1/decision ${answer.status}`], failedRequest);
    await expectUntouched(page);
  });
}

test("when the overlay's file is missing, the page is as it was", async ({ page }) => {
  world.wire.tamper = ({ path }) => (path.startsWith("/c/") ? { status: 404, body: "" } : null);
  const visit = await openVisit(page, world, "/article");
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 404"]);
  await expectUntouched(page);
});

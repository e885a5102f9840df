import { rateLimits } from "@offers/contract/endpoints";
import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { expectUntouched } from "./page-state.ts";
import { openVisit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    environment: { RATE_LIMIT_FACTOR: "1" },
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "neighbour", geo: everybodyBlocked },
    ],
    offers: [],
  });
});
test.afterAll(() => world?.close());

test("above the limit the answer is 429 with its headers, readable by the page, which stays as it was", async ({
  page,
}) => {
  const statuses = await Promise.all(Array.from({ length: rateLimits.decision }, () => ask("closed")));
  expect(new Set(statuses)).toEqual(new Set([200]));

  const visit = await openVisit(page, world, world.publish("/article", "closed"));
  await visit.expectMade(["GET /embed.js 200", "GET /v1/decision 429"], [/status of 429/]);
  await expectUntouched(page);
  expect(visit.only("/v1/decision").answerHeaders).toMatchObject({
    "content-type": expect.stringMatching(/^application\/problem\+json/),
    "access-control-allow-origin": world.host.origin,
    "retry-after": expect.stringMatching(/^[1-9]\d?$/),
  });

  const readable = await page.evaluate(async (url) => {
    const answer = await fetch(url);
    const names = ["Retry-After", "RateLimit", "RateLimit-Policy"];
    return { code: (await answer.json()).code, headers: names.map((name) => answer.headers.get(name)) };
  }, decisionUrl("closed"));
  expect(readable.code).toBe("rate_limited");
  expect(readable.headers).toEqual([
    expect.stringMatching(/^[1-9]\d?$/),
    expect.stringMatching(/r=0/),
    expect.stringMatching(/q=60.*w=60/),
  ]);
  expect(await ask("neighbour"), "another website at the same address").toBe(200);
});

const decisionUrl = (name: string): string => {
  const { websiteKey, publicKey } = world.website(name);
  return `${world.wire.url}/v1/decision?pub=${publicKey}&website=${websiteKey}`;
};

const ask = async (name: string): Promise<number> => {
  const answer = await fetch(decisionUrl(name), { headers: { origin: world.host.origin } });
  await answer.body?.cancel();
  return answer.status;
};

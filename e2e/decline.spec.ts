import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { passThroughRequests } from "./expected-requests.ts";
import { scriptTag } from "./host-site.ts";
import {
  holdTime,
  holdTimeAgain,
  letPass,
  turn,
  untilAtRestInHeldTime,
  untilOpenInHeldTime,
} from "./page-state.ts";
import { makePatient } from "./patient-page.ts";
import { openVisit, type Visit } from "./visit.ts";
import type { WireRequest } from "./wire.ts";
import { openWorld, type World } from "./world.ts";

test.use({ viewport: { width: 1280, height: 1400 } });

let world: World;
let secret = "";
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "lender", geo: { mode: "blocklist", entries: [], unknown: "allow" } },
      {
        name: "German lender",
        geo: { mode: "blocklist", entries: [], unknown: "allow" },
        settings: ["--language", "de"],
      },
      { name: "applications", geo: { mode: "blocklist", entries: [], unknown: "allow" } },
    ],
    offers: [
      { brand: "Anchor Bank", vertical: "banking" },
      { brand: "Buoy Bets", vertical: "gambling" },
      { brand: "Capstan Loans", vertical: "loans" },
      { brand: "Dinghy Trading", vertical: "trading" },
    ],
  });
  const { websiteKey, publicKey } = world.website("lender");
  ({ secret } = await world.service.admin<{ secret: string }>("secret", "create", "--website", websiteKey));
  // A running service knows of a new secret within a second; a session that is not there tells when.
  await expect.poll(() => trigger({ sessionId: `dcl_${"A".repeat(22)}` })).toBe(404);
  world.host.pages.set("/apply", {
    html: applicationPage(scriptTag(world.wire.url, { publicKey, websiteKey })),
  });
});
test.afterAll(() => world?.close());

/** The visit, then the commands, then the files that a session needs, then the session. */
const sessionRequests = [
  ...passThroughRequests,
  "GET /c/*.js 200",
  ["GET /c/*.js 200", "GET /c/*.js 200"],
  "POST /v1/widget-decline/session 201",
] as const;
const pollRequest = "GET /v1/widget-decline/session/* 200";

const everything = ["Anchor Bank", "Buoy Bets", "Capstan Loans", "Dinghy Trading"];
for (const [reason, expected] of [
  ["affordability", everything],
  ["self_excluded", ["Anchor Bank"]],
  ["Underage", ["Anchor Bank"]],
] as const) {
  test(`declined as ${reason}, an applicant is shown ${expected.join(", ")}`, async ({ page }) => {
    const sessionId = await decline(await openVisit(page, world, "/apply"));
    expect(await trigger({ sessionId, reason })).toBe(200);
    const dialog = page.getByRole("dialog", { name: "Other options for you" });
    await expect(dialog.getByRole("article").first()).toBeVisible();
    const shown = await dialog.getByRole("article").allInnerTexts();
    expect(everything.filter((brand) => shown.some((text) => text.includes(brand)))).toEqual(expected);
    expect(shown).toHaveLength(expected.length);
  });
}

test("the website's server may name what else is not to be shown", async ({ page }) => {
  const sessionId = await decline(await openVisit(page, world, "/apply"));
  expect(await trigger({ sessionId, suppressVerticals: ["banking", "loans"] })).toBe(200);
  const articles = page.getByRole("dialog").getByRole("article");
  await expect(articles).toHaveCount(2);
  await expect(articles.filter({ hasText: /Anchor Bank|Capstan Loans/ })).toHaveCount(0);
});

// A server may trigger the session at any time between two polls.
for (const afterMs of [0, 500, 1000, 1500, 1900]) {
  test(`said ${afterMs} ms after a poll, the word of the website's server brings offers within 2.5 s`, async ({
    page,
  }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/apply");
    const sessionId = await decline(visit);
    await untilOpenInHeldTime(page);
    await letPass(page, afterMs);
    expect(await trigger({ sessionId })).toBe(200);
    await letPass(page, 2500);
    await expect(page.getByRole("dialog").getByRole("article").first()).toBeVisible();
  });
}

test("a session that nobody triggers is asked about until its end, then goes, and is asked about no more", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  // The first command fetches the chunk of commands, which would race the ping.
  await visit.untilMade(passThroughRequests);
  await page.evaluate(() => Reflect.get(window, "listen")());
  const sessionId = await decline(visit);
  await untilOpenInHeldTime(page);
  await letPass(page, 2500);
  await visit.untilMade([...sessionRequests, pollRequest]);
  // An answer takes real time to reach the page, and only then the next poll is due: all of the time at once would be
  // over before that.
  await expect
    .poll(async () => {
      await letPass(page, 500);
      return pollsOf(visit).length;
    })
    .toBeGreaterThan(1);
  await letPass(page, 900_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await visit.untilArrived();
  const made = pollsOf(visit).length;
  await letPass(page, 900_000);
  await visit.untilArrived();
  expect(pollsOf(visit)).toHaveLength(made);
  // Time runs faster here than the wire: some polls are given up before their answer has come.
  const polls = pollsOf(visit).map(({ status }) => pollRequest.replace("200", String(status)));
  await visit.expectMade([...sessionRequests, polls]);
  // For the same reason the service may have seemed silent, which is an error.
  const heard: string[][] = await page.evaluate(() => Reflect.get(window, "heard"));
  expect(heard.filter(([event]) => event !== "error")).toEqual([
    ["session", "pending", sessionId],
    ["session", "expired", sessionId],
    ["closed", "expired", null],
  ]);
});

test("a session that is closed while it is opened is null and is told to nobody", async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const visit = await openVisit(page, world, "/apply");
  const opening = () => visit.requests().filter(({ path }) => path === "/v1/widget-decline/session");
  world.wire.tamper = ({ path }) => (path === "/v1/widget-decline/session" ? promise : null);
  await page.evaluate(() => {
    Reflect.get(window, "listen")();
    Reflect.set(window, "session", Reflect.get(window, "offerService")("decline"));
  });
  await expect.poll(opening).toHaveLength(1);
  await page.evaluate(() => Reflect.get(window, "offerService")("close"));
  world.wire.tamper = null;
  resolve();
  expect(await page.evaluate(() => Reflect.get(window, "session"))).toBeNull();
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
  await visit.untilArrived();
  expect(pollsOf(visit)).toEqual([]);
});

test("a session whose page takes consent back when it is told of it is not waited for", async ({ page }) => {
  const platform = `<script>
window.__tcfapi = (command, version, listener) => {
  window.say = (is) => listener({ gdprApplies: true, eventStatus: "tcloaded", purpose: { consents: { 2: is, 7: is } } }, true);
};
</script>`;
  const tag = scriptTag(world.wire.url, {
    ...world.website("lender"),
    attributes: { "data-consent": "tcf" },
  });
  world.host.pages.set("/consenting", { html: applicationPage(platform + tag) });
  await holdTime(page);
  const visit = await openVisit(page, world, "/consenting");
  await expect.poll(() => page.evaluate(() => typeof Reflect.get(window, "say"))).toBe("function");
  await page.evaluate(() => {
    Reflect.get(window, "say")(true);
    Reflect.get(window, "listen")();
    const offerService = Reflect.get(window, "offerService");
    offerService("on", "session", () => Reflect.get(window, "say")(false));
    return offerService("decline");
  });
  // Longer than until the dialog, and until the first poll.
  await letPass(page, 3000);
  await visit.untilArrived();
  expect(pollsOf(visit)).toEqual([]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("while the page is hidden nobody asks, and at its return the session is asked about again", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  const sessionId = await decline(visit);
  await untilOpenInHeldTime(page);
  await turn(page, "hidden");
  expect(await trigger({ sessionId })).toBe(200);
  await letPass(page, 300_000);
  await visit.expectMade([...sessionRequests]);
  await turn(page, "visible");
  await letPass(page, 100);
  await visit.untilMade([...sessionRequests, pollRequest, "GET /v1/offers 200"]);
  expect(pollsOf(visit)).toHaveLength(1);
});

test("a session whose polls all fail is said to have failed, can be tried again, and lets the page go on", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  const sessionId = await decline(visit);
  await untilOpenInHeldTime(page);
  world.wire.tamper = ({ path }) => (path.startsWith("/v1/widget-decline/") ? "drop" : null);
  const failed = page.getByRole("dialog", { name: "That didn’t work" });
  // A poll fails in real time, and only then the next one is due: all of the time at once would be over before that.
  await expect
    .poll(
      async () => {
        await letPass(page, 1000);
        return failed.isVisible();
      },
      { intervals: [50] },
    )
    .toBe(true);
  await letPass(page, 300);
  await expect(failed.getByRole("status")).toHaveText(/can’t reach the service/);
  await expect(failed.getByRole("button", { name: "Continue to the page" })).toBeVisible();
  // Axe waits by the page's clock, which runs as long as it looks.
  await page.clock.resume();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await holdTimeAgain(page);

  world.wire.tamper = null;
  expect(await trigger({ sessionId })).toBe(200);
  await untilAtRestInHeldTime(page);
  await failed.getByRole("button", { name: "Try again" }).click();
  await letPass(page, 100);
  await expect(page.getByRole("dialog").getByRole("article").first()).toBeVisible();
});

test("an applicant who closes the waiting is left alone", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  const sessionId = await decline(visit);
  await untilOpenInHeldTime(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await trigger({ sessionId })).toBe(200);
  await letPass(page, 120_000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await visit.expectMade([...sessionRequests]);
});

test("an applicant who is not told to wait before a banner has gone gets the offers all the same", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  await turnBanner(page, true);
  const sessionId = await decline(visit);
  expect(await trigger({ sessionId })).toBe(200);
  await expect
    .poll(
      async () => {
        await letPass(page, 500);
        return pollsOf(visit).some(({ status }) => status === 200);
      },
      { intervals: [50] },
    )
    .toBe(true);
  await letPass(page, 2000);
  await turnBanner(page, false);
  await expect
    .poll(async () => {
      await letPass(page, 500);
      return page.getByRole("dialog", { name: "Other options for you" }).getByRole("article").count();
    })
    .toBeGreaterThan(0);
});

test("an applicant whose dialog opens after the service has fallen silent is told so", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/apply");
  await turnBanner(page, true);
  await decline(visit);
  world.wire.tamper = ({ path }) => (path.startsWith("/v1/widget-decline/") ? "drop" : null);
  // Twenty seconds of silence are told; each poll fails in real time, and only then the next one is due.
  for (let seconds = 0; seconds < 60; seconds += 1) await letPass(page, 1000);
  await turnBanner(page, false);
  await letPass(page, 500);
  await expect(page.getByRole("dialog", { name: "That didn’t work" })).toBeVisible();
  world.wire.tamper = null;
});

test("a service that opens no session leaves the page as it was", async ({ page }) => {
  world.wire.tamper = ({ path }) => (path === "/v1/widget-decline/session" ? "drop" : null);
  await openVisit(page, world, "/apply");
  const opened = page.evaluate(() => Reflect.get(window, "offerService")("decline"));
  expect(await opened).toBe(null);
  world.wire.tamper = null;
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a service that is not there when its commands are fetched opens no session either", async ({
  page,
}) => {
  const visit = await openVisit(page, world, "/apply");
  await visit.untilMade(passThroughRequests);
  world.wire.tamper = ({ path }) => (path.startsWith("/c/") ? "drop" : null);
  expect(await page.evaluate(() => Reflect.get(window, "offerService")("decline"))).toBe(null);
  world.wire.tamper = null;
});

test("a tag that is there for declined applications alone tells the service so, and is live by it", async ({
  page,
}) => {
  const keys = world.website("applications");
  const tag = scriptTag(world.wire.url, { ...keys, attributes: { "data-mode": "none" } });
  world.host.pages.set("/only-declines", { html: applicationPage(tag) });
  const visit = await openVisit(page, world, "/only-declines");
  await visit.expectMade(["GET /embed.js 200", "GET /c/*.js 200", "POST /v1/events/snippet-ping 204"]);
  const check = () =>
    world.service.admin<{ state: string }>("website", "check", "--website", keys.websiteKey);
  await expect.poll(async () => (await check()).state).toBe("live");
  await page.evaluate(() => Reflect.get(window, "offerService")("decline"));
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a tag that is there for declined applications alone tells nothing before there is consent", async ({
  page,
}) => {
  const attributes = { "data-mode": "none", "data-consent": "manual" };
  const tag = scriptTag(world.wire.url, { ...world.website("applications"), attributes });
  world.host.pages.set("/asks-first", { html: applicationPage(tag) });
  const visit = await openVisit(page, world, "/asks-first");
  const files = ["GET /embed.js 200", "GET /c/*.js 200"];
  await visit.expectMade(files);
  await page.evaluate(() => Reflect.get(window, "offerService")("consent", true));
  await visit.expectMade([...files, "POST /v1/events/snippet-ping 204"]);
});

test.describe("an applicant who is told nothing before there are offers", () => {
  const declineQuietly = async (visit: Visit): Promise<string> => {
    await visit.untilMade(passThroughRequests);
    return visit.page.evaluate(async () => {
      Reflect.get(window, "listen")();
      return (await Reflect.get(window, "offerService")("decline", { quiet: true })).sessionId;
    });
  };
  const heard = (page: Page) => page.evaluate(() => Reflect.get(window, "heard"));

  test("is not told that there are none, and the page is", async ({ page }) => {
    const visit = await openVisit(page, world, "/apply");
    const sessionId = await declineQuietly(visit);
    const suppressVerticals = ["banking", "gambling", "loans", "trading"];
    expect(await trigger({ sessionId, suppressVerticals })).toBe(200);
    await expect
      .poll(() => heard(page))
      .toEqual([
        ["session", "pending", sessionId],
        ["session", "ready", sessionId],
        ["shown", undefined, null],
      ]);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("is shown those that there are", async ({ page }) => {
    const visit = await openVisit(page, world, "/apply");
    const sessionId = await declineQuietly(visit);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await trigger({ sessionId })).toBe(200);
    await expect(page.getByRole("dialog").getByRole("article").first()).toBeVisible();
  });

  test("is not told of a service that has fallen silent, and the page is, once", async ({ page }) => {
    await holdTime(page);
    const visit = await openVisit(page, world, "/apply");
    const sessionId = await declineQuietly(visit);
    world.wire.tamper = ({ path }) => (path.startsWith("/v1/widget-decline/") ? "drop" : null);
    for (let seconds = 0; seconds < 60; seconds += 1) await letPass(page, 1000);
    world.wire.tamper = null;
    expect(await heard(page)).toEqual([
      ["session", "pending", sessionId],
      ["error", undefined, null],
    ]);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test("a page that says all by its stub, before the script is there, declines as well, in the website's language", async ({
  page,
}) => {
  const { publicKey: pub, websiteKey: website } = world.website("German lender");
  const init = JSON.stringify({ pub, website, mode: "none" });
  const html = applicationPage(
    `<script>
window.offerService=window.offerService||function(){return(offerService.q=offerService.q||[]).push(arguments)};
offerService("init", ${init});
listen();
offerService("decline");
</script>
<script async src="${world.wire.url}/embed.js"></script>`,
  );
  world.host.pages.set("/managed", { html });
  await makePatient(page);
  await page.goto(`${world.host.origin}/managed`);
  await expect(page.getByRole("dialog", { name: "Einen Moment bitte" })).toBeVisible();
  const [event, status, sessionId] = (await page.evaluate(() => Reflect.get(window, "heard")))[0];
  expect([event, status, sessionId]).toEqual(["session", "pending", expect.stringMatching(/^dcl_/)]);
  // Once the script is there, the page's own stub gives back what the command returns.
  const again = await page.evaluate(() => Reflect.get(window, "offerService")("decline"));
  expect(again).toMatchObject({ sessionId: expect.stringMatching(/^dcl_/) });
});

const applicationPage = (tag: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A loan for a boat</title>
<main><h1>Your application</h1><p>We are looking at it. <button id="host-button" autofocus>Wait</button></p></main>
<script>
const heard = [];
function listen() {
  for (const event of ["session", "shown", "closed", "error"]) {
    offerService("on", event, ({ status, reason, sessionId }) => heard.push([event, status ?? reason, sessionId ?? null]));
  }
}
window.heard = heard;
</script>
${tag}
</html>`;

/** Opens a session as the page does, once the visit's own requests are made; resolves to the session's id. */
const decline = async ({ page, untilMade }: Visit): Promise<string> => {
  await untilMade(passThroughRequests);
  const opened = await page.evaluate(() => Reflect.get(window, "offerService")("decline"));
  expect(opened).toMatchObject({ sessionId: expect.stringMatching(/^dcl_/), expiresAt: expect.any(String) });
  return opened.sessionId;
};

/** Triggers a session as the website's own server does; resolves to the status of the answer. */
const trigger = async (body: object): Promise<number> => {
  const answer = await fetch(`${world.service.url}/v1/widget-decline/trigger`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer.body?.cancel();
  return answer.status;
};

/** Puts a banner into the page that calls itself modal, or takes it away. */
const turnBanner = (page: Page, isThere: boolean): Promise<void> =>
  page.evaluate((show) => {
    document.querySelector("#banner")?.remove();
    if (show)
      document.body.insertAdjacentHTML(
        "beforeend",
        '<div id="banner" role="dialog" aria-modal="true" aria-label="Cookies">Choose</div>',
      );
  }, isThere);

const pollsOf = (visit: Visit): WireRequest[] =>
  visit.requests().filter(({ path }) => path.startsWith("/v1/widget-decline/session/"));

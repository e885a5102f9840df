import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { drawnRequest, overlayRequests } from "./expected-requests.ts";
import {
  expectUntouched,
  holdTime,
  letPass,
  openBehind,
  turn,
  untilAtRest,
  untilOpenInHeldTime,
  untilVisibleInHeldTime,
} from "./page-state.ts";
import { openVisit } from "./visit.ts";
import type { WireRequest } from "./wire.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "gate", geo: everybodyBlocked, settings: ["--not-dismissible"] },
      { name: "ruled", geo: everybodyBlocked, settings: ["--include", "/news/*"] },
    ],
  });
  world.publish("/article", "closed");
  world.publish("/section", "closed", { attributes: { "data-mode": "section", "data-container": "main" } });
  world.publish("/bar", "closed", { attributes: { "data-trigger": "manual", "data-placement": "bottom" } });
  world.publish("/german", "closed", { lang: "de" });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

test("a view that begins while the decision is awaited is the only one", async ({ page }) => {
  await holdTime(page);
  const decision = holdFirst(isDecision);
  const visit = await openVisit(page, world, "/article");
  await decision.untilHeld();
  await command(page, "page");
  // Chromium asks for the same address once at a time.
  decision.letGo();
  await untilOpenInHeldTime(page);
  const made = [
    "GET /embed.js 200",
    "GET /v1/decision 200",
    "GET /c/*.js 200",
    "GET /v1/decision 200",
    ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200", "GET /v1/offers 200"],
    drawnRequest,
  ];
  await visit.untilMade(made);
  await letPass(page, 500);
  await command(page, "close");
  await letPass(page, 2000);
  await expectUntouched(page);
  await visit.expectMade(made);
});

test("the overlay of the view before has closed for whoever listened then, and for nobody who listens later", async ({
  page,
}) => {
  await openVisit(page, world, "/article");
  await expect(page.getByRole("dialog")).toBeVisible();
  const heard = await page.evaluate(async () => {
    const say = Reflect.get(window, "offerService");
    const told: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await say("on", "closed", () => {
      told.push("then");
      resolve();
    });
    say("page");
    await promise;
    await say("on", "closed", () => told.push("later"));
    return told;
  });
  expect(heard).toEqual(["then"]);
});

test("of the views that begin behind another tab the last one alone is decided, once it is looked at", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/article");
  await untilOpenInHeldTime(page);
  // From here on there are commands, which have nothing to wait for.
  await command(page, "close");
  await turn(page, "hidden");
  for (let view = 0; view < 3; view += 1) await command(page, "page");
  await visit.untilArrived();
  expect(visit.requests().filter(isDecision)).toHaveLength(1);
  await turn(page, "visible");
  await untilOpenInHeldTime(page);
  await visit.untilArrived();
  expect(visit.requests().filter(isDecision)).toHaveLength(2);
});

test("a view that begins before anybody has looked is decided once", async ({ page }) => {
  await openBehind(page);
  await holdTime(page);
  const visit = await openVisit(page, world, "/article");
  const said = [command(page, "page"), command(page, "page")];
  await visit.untilArrived();
  expect(visit.requests().some(isDecision)).toBe(false);
  await turn(page, "visible");
  await Promise.all(said);
  await untilOpenInHeldTime(page);
  await visit.untilArrived();
  expect(visit.requests().filter(isDecision)).toHaveLength(1);
});

test("a consent that is taken back behind another tab is heard before anything is asked", async ({
  page,
}) => {
  await openBehind(page);
  await holdTime(page);
  const path = world.publish("/consent", "closed", { attributes: { "data-consent": "manual" } });
  const visit = await openVisit(page, world, path);
  const said = [command(page, "consent", true), command(page, "consent", false)];
  await turn(page, "visible");
  await Promise.all(said);
  await turn(page, "hidden");
  await command(page, "consent", true);
  await command(page, "consent", false);
  await turn(page, "visible");
  await visit.untilArrived();
  expect(visit.requests().some(isDecision)).toBe(false);
  await command(page, "consent", true);
  await untilOpenInHeldTime(page);
});

test("an overlay that is closed behind another tab opens by command", async ({ page }) => {
  await openBehind(page);
  await holdTime(page);
  const visit = await openVisit(page, world, "/article");
  const closed = command(page, "close");
  await turn(page, "visible");
  await closed;
  await expect.poll(() => visit.requests().filter(isDecision).length).toBe(1);
  await letPass(page, 2000);
  await expectUntouched(page);
  await command(page, "open");
  await untilOpenInHeldTime(page);
});

test("an overlay that is closed while the decision is awaited opens by command alone", async ({ page }) => {
  await holdTime(page);
  const decision = holdFirst(isDecision);
  const visit = await openVisit(page, world, "/article");
  await decision.untilHeld();
  await command(page, "close");
  decision.letGo();
  const made = ["GET /embed.js 200", "GET /v1/decision 200", "GET /c/*.js 200"];
  await visit.untilMade(made);
  await letPass(page, 2000);
  await expectUntouched(page);
  await visit.expectMade(made);
  await command(page, "open");
  await untilOpenInHeldTime(page);
});

test("an overlay that is closed before its script has come asks for nothing, and opens by command", async ({
  page,
}) => {
  await holdTime(page);
  await page.addInitScript(
    `window.offerService=function(){return(offerService.q=offerService.q||[]).push(arguments)};offerService("close")`,
  );
  const visit = await openVisit(page, world, "/article");
  const made = ["GET /embed.js 200", "GET /c/*.js 200"];
  await visit.untilMade(made);
  await letPass(page, 2000);
  await expectUntouched(page);
  await visit.expectMade(made);
  await command(page, "open");
  await untilOpenInHeldTime(page);
});

test("an overlay that is closed and opened again while the decision is awaited opens with it", async ({
  page,
}) => {
  await holdTime(page);
  const decision = holdFirst(isDecision);
  const visit = await openVisit(page, world, "/article");
  await decision.untilHeld();
  await command(page, "close");
  await visit.untilMade(["GET /embed.js 200", "GET /c/*.js 200"]);
  await command(page, "open");
  decision.letGo();
  await untilOpenInHeldTime(page);
});

test("an overlay that is closed while its code is awaited does not open", async ({ page }) => {
  await holdTime(page);
  const code = holdFirst(isCode);
  const path = world.publish("/patient", "closed", { attributes: { "data-trigger": "pause" } });
  const visit = await openVisit(page, world, path);
  await code.untilHeld();
  await command(page, "close");
  code.letGo();
  await expect
    .poll(() =>
      visit
        .requests()
        .filter(isCode)
        .map(({ status }) => status),
    )
    .toEqual([200, 200]);
  // The code has to be evaluated in real time before any of the page's time counts for it.
  for (let round = 0; round < 8; round += 1) await letPass(page, 500);
  await visit.untilArrived();
  await expectUntouched(page);
  expect(visit.requests().filter((request) => request.path === "/v1/offers")).toEqual([]);
});

test("a section that is closed while its code is awaited asks for no offers", async ({ page }) => {
  const commands = holdFirst(isCode);
  const visit = await openVisit(page, world, "/section");
  await commands.untilHeld();
  const code = holdFirst(isCode);
  commands.letGo();
  await code.untilHeld();
  await command(page, "close");
  code.letGo();
  await visit.expectMade([
    "GET /embed.js 200",
    "GET /c/*.js 200",
    "GET /v1/decision 200",
    ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200", "GET /c/*.js 200"],
  ]);
  await expectUntouched(page);
});

test("offers that are on their way when the page closes their overlay are asked for no more", async ({
  page,
}) => {
  await holdTime(page);
  const offers = holdFirst(({ path }) => path === "/v1/offers");
  const visit = await openVisit(page, world, "/article");
  await page.evaluate(() => {
    const heard: unknown[] = [];
    Reflect.set(window, "heard", heard);
    Reflect.get(window, "offerService")("on", "error", (detail: unknown) => heard.push(detail));
  });
  await offers.untilHeld();
  await command(page, "close");
  // Longer than a failed attempt waits for the next.
  await letPass(page, 1000);
  offers.letGo();
  await visit.untilArrived();
  await letPass(page, 1000);
  await visit.untilArrived();
  await expectUntouched(page);
  expect(visit.requests().filter(({ path }) => path === "/v1/offers")).toHaveLength(1);
  expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
});

for (const [name, steps] of [
  ["without a word", ["unmount", "mount"]],
  ["and says `page` before", ["page", "unmount", "mount"]],
  ["and says `page` between the two", ["unmount", "page", "mount"]],
  ["and says `page` after", ["unmount", "mount", "page"]],
  ["and says `close` before", ["close", "unmount", "mount"]],
] as const) {
  test(`a page that mounts its section's tag anew with each route has one section: ${name}`, async ({
    page,
  }) => {
    const path = world.publish("/mounting", "closed", { attributes: { "data-mode": "none" } });
    const visit = await openVisit(page, world, path);
    const take = async (step: "mount" | "unmount" | "page" | "close") => {
      if (step === "page" || step === "close") return command(page, step);
      await page.evaluate((isMount) => {
        document.querySelector("#view")?.remove();
        if (!isMount) return;
        const view = document.createElement("div");
        view.id = "view";
        const { src, dataset } = document.querySelector("script[data-website]") as HTMLScriptElement;
        const tag = document.createElement("script");
        Object.assign(tag.dataset, dataset, { mode: "section", container: "#view" });
        tag.src = src;
        view.append(tag);
        document.querySelector("main")?.append(view);
      }, step === "mount");
    };
    const shown = page.locator("#view [data-visit-place]").getByRole("article");
    await take("mount");
    await expect(shown).toHaveCount(3);
    for (let route = 0; route < 2; route += 1) {
      for (const step of steps) await take(step);
      await expect(shown).toHaveCount(3);
    }
    await visit.untilArrived();
    await expect(page.locator("[data-visit-place]")).toHaveCount(1);
  });
}

for (const [name, swap] of [
  ["another body", () => document.body.replaceWith(document.createElement("body"))],
  ["a copy of the body", () => document.body.replaceWith(document.body.cloneNode(true))],
  ["another content of the body", () => document.body.replaceChildren()],
] as const) {
  test(`${name} under an open overlay gets its keys and moves, and may have an overlay of its own`, async ({
    page,
  }) => {
    world.publish("/gate", "gate");
    await openVisit(page, world, "/gate");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Reflect.set(window, "heard", heard);
      document.addEventListener("keydown", ({ key }) => heard.push(key));
      Reflect.get(window, "offerService")("on", "closed", ({ reason }: { reason: string }) =>
        heard.push(reason),
      );
    });
    const heard = () => page.evaluate(() => Reflect.get(window, "heard"));
    await page.evaluate(swap);
    await expect.poll(heard).toEqual(["page"]);
    await page.keyboard.press("a");
    expect(await heard()).toEqual(["page", "a"]);
    const moves = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    expect(await moves()).toBe("visible");
    await command(page, "page");
    await expect(dialog).toBeVisible();
    expect(await moves()).toBe("hidden");
  });
}

for (const name of ["closed", "gate"]) {
  test(`a page that wraps what its body holds leaves the overlay of the ${name} website over it`, async ({
    page,
  }) => {
    await openVisit(page, world, world.publish(`/${name}`, name));
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    await page.evaluate(() => {
      const wrapper = document.createElement("div");
      wrapper.append(...document.body.childNodes);
      document.body.append(wrapper);
    });
    await expect.poll(() => dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
    await expect(dialog.getByRole("heading", { level: 2 }).first()).toBeFocused();
    await expect(dialog.getByRole("article")).toHaveCount(3);
  });
}

test("an overlay that goes with the body counts as closed by nobody", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, "/article");
  await untilOpenInHeldTime(page);
  await visit.untilMade(overlayRequests);
  await page.evaluate(() => document.body.replaceChildren());
  await letPass(page, 50);
  await visit.expectMade(overlayRequests);
});

test("commands whose code did not come keep no overlay away, and the next one asks for it again", async ({
  page,
}) => {
  const decision = holdFirst(isDecision);
  await holdTime(page);
  await openVisit(page, world, "/article");
  await decision.untilHeld();
  for (let time = 0; time < 2; time += 1) {
    const code = await failCode(page, 2);
    const closed = command(page, "close");
    await code.untilFailed(1);
    if (time === 1) decision.letGo();
    await letPass(page, 1000);
    await code.untilFailed(2);
    await closed;
  }
  await untilOpenInHeldTime(page);
  await command(page, "close");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("commands whose code did not come the first time lose nothing, and keep their order", async ({
  page,
}) => {
  const code = await failCode(page, 1);
  await holdTime(page);
  const { publicKey: pub, websiteKey: website } = world.website("closed");
  world.host.pages.set("/queued", {
    html: `<!doctype html><title>Harbour news</title><main>It is late.</main>
      <script>
        window.heard = [];
        window.offerService = function () { return (offerService.q = offerService.q || []).push(arguments) };
        offerService("on", "decision", () => heard.push("decision"));
        offerService("on", "closed", ({ reason }) => heard.push(reason));
        offerService("init", { pub: "${pub}", website: "${website}" });
      </script>
      <script async src="${world.wire.url}/embed.js"></script>`,
  });
  const visit = await openVisit(page, world, "/queued");
  await code.untilFailed(1);
  const later = command(page, "later");
  await letPass(page, 900);
  expect(visit.requests().some(isDecision)).toBe(false);
  await letPass(page, 100);
  await later;
  await untilOpenInHeldTime(page);
  await command(page, "close");
  await expect.poll(() => page.evaluate(() => Reflect.get(window, "heard"))).toEqual(["decision", "page"]);
});

test("an overlay whose code did not come the first time is asked for once more, and opens", async ({
  page,
}) => {
  const code = await failCode(page, 1);
  await holdTime(page);
  const visit = await openVisit(page, world, "/article");
  await code.untilFailed(1);
  await letPass(page, 900);
  await visit.untilArrived();
  expect(visit.requests().some(isCode)).toBe(false);
  await letPass(page, 100);
  await untilOpenInHeldTime(page);
});

const surfaces = [
  ["a section", "/section", null, (page: Page) => page.getByRole("article").first()],
  ["a bar", "/bar", ["open"], (page: Page) => page.getByRole("region").getByRole("article")],
  ["a declined application", "/bar", ["decline"], (page: Page) => page.getByRole("dialog")],
] as const;
for (const [surface, path, said, drawn] of surfaces) {
  // Behind the commands come its own file, and by that one the overlay's.
  for (const [whose, before] of [
    ["whose code", 1],
    ["whose share of the overlay's code", 2],
  ] as const) {
    test(`${surface} ${whose} did not come the first time is asked for once more, and comes`, async ({
      page,
    }) => {
      const code = await failCode(page, 1, before);
      await holdTime(page);
      await openVisit(page, world, path);
      if (said) {
        await command(page, "later");
        await page.evaluate((all) => void Reflect.get(window, "offerService")(...all), said);
      }
      await code.untilFailed(1);
      await letPass(page, 900);
      await expect(drawn(page)).toHaveCount(0);
      await letPass(page, 100);
      await untilVisibleInHeldTime(page, drawn(page));
    });
  }
}

test("an application that is declined after one whose code did not come at all is opened", async ({
  page,
}) => {
  const code = await failCode(page, 2, 1);
  await holdTime(page);
  await openVisit(page, world, "/bar");
  await command(page, "later");
  const first = command(page, "decline");
  await code.untilFailed(1);
  await code.untilFailed(2, () => page.clock.runFor(500));
  expect(await first).toBeNull();
  expect(await command(page, "decline")).toMatchObject({ sessionId: expect.stringMatching(/^dcl_/) });
});

test("a file that did not come leaves the overlay that waits for a pause the only one", async ({ page }) => {
  await holdTime(page);
  const path = world.publish("/patient", "closed", { attributes: { "data-trigger": "pause" } });
  const visit = await openVisit(page, world, path);
  await visit.untilMade([
    "GET /embed.js 200",
    "GET /v1/decision 200",
    ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200"],
  ]);
  await command(page, "later");
  const code = await failCode(page, 1);
  // Quiet, so that no dialog of its own is in the way.
  const declined = command(page, "decline", { quiet: true });
  await code.untilFailed(1);
  let isDeclined = false;
  void declined.then(() => {
    isDeclined = true;
  });
  await expect
    .poll(async () => {
      await page.clock.runFor(500);
      return isDeclined;
    })
    .toBe(true);
  expect(await declined).toMatchObject({ sessionId: expect.stringMatching(/^dcl_/) });
  await command(page, "open");
  await letPass(page, 500);
  await untilOpenInHeldTime(page);
  for (let round = 0; round < 8; round += 1) await letPass(page, 500);
  await visit.untilArrived();
  expect(visit.requests().filter(({ path }) => path === "/v1/offers")).toHaveLength(1);
  // The overlay's, that of the commands, that of declined applications, and the overlay's under the address that came after it.
  expect(visit.requests().filter(isCode)).toHaveLength(4);
});

test("words that did not come the first time are asked for once more", async ({ page }) => {
  const code = await failCode(page, 1, 1);
  await holdTime(page);
  await openVisit(page, world, "/german");
  await code.untilFailed(1);
  await letPass(page, 1000);
  await untilOpenInHeldTime(page);
  await expect(page.getByRole("button", { name: "Weiter zur Seite" })).toBeVisible();
});

test("a router that puts each script in once has the overlay on the routes that have one, and a section whenever its page comes", async ({
  page,
}) => {
  const { publicKey: pub, websiteKey: website } = world.website("ruled");
  // What the dashboard writes for Next.js does this: a layout and the page of a route each draw a Script.
  world.host.pages.set("/front", {
    html: `<!doctype html><title>Harbour news</title><main></main><script>
      const put = new Set();
      const draw = (src) => {
        if (put.has(src)) return;
        put.add(src);
        document.body.append(Object.assign(document.createElement("script"), { src }));
      };
      const say = (...said) => {
        const queue = (...later) => (queue.q ??= []).push(later);
        (window.offerService ??= queue)(...said);
      };
      const keys = { pub: "${pub}", website: "${website}" };
      const src = "${world.wire.url}/embed.js";
      let shown = null;
      window.go = (path, hasSection) => {
        history.pushState(null, "", path);
        document.querySelector("main").innerHTML = hasSection ? '<div id="offers"></div>' : "It is late.";
        // The effects of what stands within come first.
        if (hasSection) {
          say("init", { ...keys, mode: "section", container: "#offers" });
          draw(src);
        }
        if (shown === null) say("init", { ...keys, mode: "overlay" });
        else say("page");
        draw(src);
        shown = path;
      };
      window.go("/front", false);
    </script>`,
  });
  const visit = await openVisit(page, world, "/front");
  const decisions = () => visit.requests().filter(isDecision).length;
  await expect.poll(decisions).toBe(1);
  const go = (path: string, hasSection: boolean) =>
    page.evaluate(([to, has]) => Reflect.get(window, "go")(to, has), [path, hasSection] as const);
  const dialog = page.getByRole("dialog");
  for (let round = 1; round <= 2; round += 1) {
    await go("/news/1", true);
    await expect(dialog).toBeVisible();
    await untilAtRest(page);
    await page.getByRole("button", { name: "Continue to the page" }).click();
    await expect(page.locator("#offers article").first()).toBeVisible();
    await go("/front", false);
    await expect.poll(decisions).toBe(1 + 3 * round);
    await expect(dialog).toHaveCount(0);
  }
  expect(visit.requests().filter(({ path }) => path === "/embed.js")).toHaveLength(1);
});

/** Has the next requests for code fail, so many of them, and those `before` come. */
const failCode = async (page: Page, times: number, before = 0) => {
  let asked = 0;
  let failed = 0;
  await page.route("**/c/*.js", (route) => {
    asked += 1;
    if (asked <= before || failed === times) return route.fallback();
    failed += 1;
    return route.abort();
  });
  /** `letPass`: the page hears of a failure later than the test does, and asks once more so much later. */
  const untilFailed = (count: number, letPass = async () => {}) =>
    expect
      .poll(async () => {
        await letPass();
        return failed;
      })
      .toBe(count);
  return { untilFailed };
};

const isDecision = ({ path }: WireRequest) => path === "/v1/decision";
const isCode = ({ path }: WireRequest) => path.startsWith("/c/");

/** Has the first of these requests wait until it is let go. */
const holdFirst = (isMeant: (request: WireRequest) => boolean) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  world.wire.tamper = (request) => {
    if (isHeld || !isMeant(request)) return null;
    isHeld = true;
    return promise;
  };
  return { letGo: resolve, untilHeld: () => expect.poll(() => isHeld).toBe(true) };
};

/** Has the page say a command; resolves once it is carried out. */
const command = (page: Page, ...said: [name: string, more?: unknown]): Promise<unknown> =>
  page.evaluate((all) => Reflect.get(window, "offerService")(...all), said);

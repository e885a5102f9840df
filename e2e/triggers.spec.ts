import { expect, type Page, test } from "@playwright/test";
import { everybodyBlocked } from "../bench/catalogue.ts";
import { overlayRequests, passThroughRequests } from "./expected-requests.ts";
import { scriptTag } from "./host-site.ts";
import { holdTime, letPass, openBehind, turn, untilOpenInHeldTime } from "./page-state.ts";
import { openVisit, type Visit } from "./visit.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
test.beforeAll(async () => {
  world = await openWorld({
    websites: [
      { name: "closed", geo: everybodyBlocked },
      { name: "patient", geo: everybodyBlocked, settings: ["--trigger", "pause"] },
      { name: "gate", geo: everybodyBlocked, settings: ["--trigger", "exit", "--not-dismissible"] },
      {
        name: "ruled",
        geo: everybodyBlocked,
        settings: ["--include", "/news/*,/front", "--exclude", "/news/paid/*"],
      },
    ],
  });
});
test.afterEach(() => {
  world.wire.tamper = null;
});
test.afterAll(() => world?.close());

test("`pause` fetches the code at once, and the offers and the overlay once nothing has moved", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, world.publish("/patient", "patient"));
  const atFirst = [
    ...passThroughRequests.slice(0, 2),
    ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200"],
  ];
  await visit.untilMade(atFirst);
  for (let round = 0; round < 3; round += 1) {
    await letPass(page, 1500);
    await page.mouse.move(40 + round, 40);
    await letPass(page, 100);
  }
  await letPass(page, 1500);
  await visit.expectMade(atFirst);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await letPass(page, 700);
  await visit.untilMade([...atFirst, "GET /v1/offers 200"]);
  await untilOpenInHeldTime(page);
});

test("`pause` does not open behind another tab", async ({ page }) => {
  await holdTime(page);
  const visit = await openVisit(page, world, world.publish("/patient", "patient"));
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
  await turn(page, "hidden");
  await letPass(page, 60_000);
  expect(visit.requests().some(({ path }) => path === "/v1/offers")).toBe(false);
  await turn(page, "visible");
  await letPass(page, 2500);
  await untilOpenInHeldTime(page);
});

for (const [name, attributes, made] of [
  ["the overlay", {}, overlayRequests],
  [
    "declined applications",
    { "data-mode": "none" },
    ["GET /embed.js 200", "GET /c/*.js 200", "POST /v1/events/snippet-ping 204"],
  ],
] as const) {
  test(`in a tab that is opened behind another a tag for ${name} waits until somebody looks`, async ({
    page,
  }) => {
    await openBehind(page);
    await holdTime(page);
    const visit = await openVisit(page, world, world.publish("/behind", "closed", { attributes }));
    await letPass(page, 60_000);
    await visit.expectMade(["GET /embed.js 200"]);
    await turn(page, "visible");
    await expect
      .poll(async () => {
        await letPass(page, 16);
        return visit.requests().length;
      })
      .toBe(made.flat().length);
    await visit.expectMade(made);
  });
}

const say = (command: string) => (page: Page) =>
  page.evaluate((said) => Reflect.get(window, "offerService")(said), command);
const offersIn = (page: Page) => page.locator("[data-visit-panel] article");
const statusesOf = ({ requests }: Visit, wanted: string) =>
  requests()
    .filter(({ path }) => path === wanted)
    .map(({ status }) => status);

for (const frequency of ["once", "Day"]) {
  test(`a firm overlay opens though the tag has the frequency "${frequency}", which is none`, async ({
    page,
  }) => {
    const attributes = { "data-frequency": frequency };
    const visit = await openVisit(page, world, world.publish("/mistyped", "gate", { attributes }));
    await expect(page.getByRole("dialog").getByRole("article").first()).toBeVisible();
    expect(statusesOf(visit, "/v1/decision")).toEqual([200]);
  });
}

/** Has the service find the decision too old, the next time that offers are asked for. */
const letHalfAnHourPass = (): void => {
  let isPast = false;
  world.wire.tamper = ({ path }) => {
    if (isPast || path !== "/v1/offers") return null;
    isPast = true;
    const headers = { "content-type": "application/problem+json", "access-control-allow-origin": "*" };
    return { status: 410, headers, body: '{"code":"request_expired"}' };
  };
};

for (const [name, attributes, ask] of [
  ["press", { "data-trigger": "click" }, (page: Page) => page.locator("#host-button").click()],
  ["`open`", { "data-trigger": "manual" }, say("open")],
  ["`open` for a bar", { "data-trigger": "manual", "data-placement": "bottom" }, say("open")],
] as const) {
  test(`a ${name} that comes when the decision is too old has another one taken, and opens`, async ({
    page,
  }) => {
    const visit = await openVisit(page, world, world.publish("/late", "closed", { attributes }));
    await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
    letHalfAnHourPass();
    await ask(page);
    await expect(offersIn(page).first()).toBeVisible();
    expect(statusesOf(visit, "/v1/offers")).toEqual([410, 200]);
    expect(statusesOf(visit, "/v1/decision")).toEqual([200, 200]);
  });
}

test("an overlay that was closed opens again when its decision is too old", async ({ page }) => {
  const visit = await openVisit(page, world, world.publish("/late", "closed"));
  await expect(offersIn(page).first()).toBeVisible();
  await say("close")(page);
  await expect(offersIn(page)).toHaveCount(0);
  letHalfAnHourPass();
  await say("open")(page);
  await expect(offersIn(page).first()).toBeVisible();
  expect(statusesOf(visit, "/v1/offers")).toEqual([200, 410, 200]);
});

test("a pause that comes when the decision is too old has another one taken, and the next one is used", async ({
  page,
}) => {
  await holdTime(page);
  const visit = await openVisit(page, world, world.publish("/patient", "patient"));
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
  letHalfAnHourPass();
  await expect
    .poll(async () => {
      await letPass(page, 500);
      return offersIn(page).count();
    })
    .toBe(3);
  expect(statusesOf(visit, "/v1/offers")).toEqual([410, 200]);
});

test("`click` waits for a visitor's own press, whatever scripts of the page press", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.set(window, "presses", 0);
    addEventListener("click", () => Reflect.set(window, "presses", Reflect.get(window, "presses") + 1));
    setInterval(() => document.getElementById("host-button")?.click(), 100);
  });
  const attributes = { "data-trigger": "click" };
  const visit = await openVisit(page, world, world.publish("/pressed", "closed", { attributes }));
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
  const presses = () => page.evaluate(() => Reflect.get(window, "presses"));
  const before = await presses();
  await expect.poll(presses).toBeGreaterThan(before + 5);
  await visit.untilArrived();
  expect(statusesOf(visit, "/v1/offers")).toEqual([]);
  await page.locator("main").click();
  await expect(offersIn(page).first()).toBeVisible();
});

/**
 * What zone.js before 0.14.3 (Angular until 17, OpenTelemetry's web SDK) makes of listeners: one of the browser's own for
 * all of a target, type and phase, with the options of the first, whose signal it knows nothing of.
 */
function groupListeners(): void {
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  type Heard = (this: EventTarget, event: Event) => void;
  type Options = AddEventListenerOptions | boolean;
  const kept = new WeakMap<EventTarget, Map<string, { all: Heard[]; own: Heard }>>();
  const keyOf = (type: string, options?: Options) =>
    `${type} ${typeof options === "object" ? !!options.capture : !!options}`;
  const patched = {
    addEventListener(this: EventTarget | undefined, type: string, heard: Heard, options?: Options) {
      const target = this ?? window;
      if (typeof heard !== "function" || (typeof options === "object" && options.once))
        return add.call(target, type, heard, options);
      const groups = kept.get(target) ?? new Map();
      kept.set(target, groups);
      const group = groups.get(keyOf(type, options));
      if (group) {
        if (!group.all.includes(heard)) group.all.push(heard);
        return;
      }
      const all = [heard];
      const own = (event: Event) => {
        for (const each of [...all]) each.call(target, event);
      };
      groups.set(keyOf(type, options), { all, own });
      add.call(target, type, own, options);
    },
    removeEventListener(this: EventTarget | undefined, type: string, heard: Heard, options?: Options) {
      const target = this ?? window;
      const group = kept.get(target)?.get(keyOf(type, options));
      if (!group?.all.includes(heard)) return remove.call(target, type, heard, options);
      group.all.splice(group.all.indexOf(heard), 1);
      if (group.all.length > 0) return;
      kept.get(target)?.delete(keyOf(type, options));
      remove.call(target, type, group.own, options);
    },
  };
  Object.assign(EventTarget.prototype, patched);
}

test("on a page that keeps one listener for all that are alike, scrolling opens it once", async ({
  page,
}) => {
  await holdTime(page);
  await page.addInitScript(groupListeners);
  await page.addInitScript(() => {
    Reflect.set(window, "scrolls", 0);
    addEventListener("scroll", () => Reflect.set(window, "scrolls", Reflect.get(window, "scrolls") + 1));
    addEventListener("DOMContentLoaded", () => document.body.style.setProperty("height", "400vh"));
  });
  const attributes = { "data-trigger": "scroll" };
  const visit = await openVisit(page, world, world.publish("/grouped", "closed", { attributes }));
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
  const scroll = async (share: number) => {
    const before = await page.evaluate(() => Reflect.get(window, "scrolls"));
    await page.evaluate((part) => window.scrollTo(0, part * document.documentElement.scrollHeight), share);
    await expect
      .poll(async () => {
        await letPass(page, 16);
        return page.evaluate(() => Reflect.get(window, "scrolls"));
      })
      .toBeGreaterThan(before);
  };
  await scroll(0.1);
  await letPass(page, 3000);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await scroll(0.6);
  // When its code has been fetched it still has to run, which takes as long as it takes.
  await visit.untilMade([...passThroughRequests, "GET /c/*.js 200", "GET /c/*.js 200", "GET /v1/offers 200"]);
  await expect
    .poll(
      async () => {
        await letPass(page, 250);
        return page.getByRole("dialog").count();
      },
      { intervals: [50], timeout: 30_000 },
    )
    .toBe(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await scroll(0.7);
  await letPass(page, 5000);
  await visit.untilArrived();
  await letPass(page, 500);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(statusesOf(visit, "/v1/offers")).toEqual([200]);
});

/** A page of one line, which a script makes higher than the window a second after it was complete. */
const drawnLate = `<script>
  addEventListener("load", () => setTimeout(() => (document.querySelector("main").style.height = "400vh"), 1000));
</script>`;
for (const [name, script, isDrawn] of [
  ["whose scripts draw it a second after it was complete is read to its half first", drawnLate, true],
  ["that cannot be scrolled is waited for three seconds", "", false],
] as const) {
  test(`with \`scroll\` a page ${name}`, async ({ page }) => {
    await holdTime(page);
    const tag = scriptTag(world.wire.url, {
      ...world.website("closed"),
      attributes: { "data-trigger": "scroll" },
    });
    world.host.pages.set("/short", {
      html: `<!doctype html><title>Harbour news</title><main>It is late.</main>${script}${tag}`,
    });
    const visit = await openVisit(page, world, "/short");
    await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
    await visit.untilArrived();
    await letPass(page, 2900);
    expect(statusesOf(visit, "/v1/offers")).toEqual([]);
    if (isDrawn) {
      await letPass(page, 60_000);
      await visit.untilArrived();
      expect(statusesOf(visit, "/v1/offers")).toEqual([]);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    }
    const slowly = { intervals: [50], timeout: 30_000 };
    // Time passes until they are asked for, and no further before they are there: they are not waited for without end.
    const askedFor = async () => {
      if (statusesOf(visit, "/v1/offers").length === 0) await letPass(page, 250);
      return statusesOf(visit, "/v1/offers");
    };
    await expect.poll(askedFor, slowly).toEqual([200]);
    const opens = async () => {
      await letPass(page, 250);
      return page.getByRole("dialog").count();
    };
    await expect.poll(opens, slowly).toBe(1);
  });
}

test("a gate opens at once, whatever trigger the website or its tag has", async ({ page }) => {
  await openVisit(page, world, world.publish("/gate", "gate"));
  await expect(page.getByRole("dialog")).toBeVisible();
  world.publish("/gate", "gate", { attributes: { "data-trigger": "manual" } });
  await openVisit(page, world, "/gate");
  await expect(page.getByRole("dialog")).toBeVisible();
});

for (const path of ["/", "/news/paid/1", "/newsletter"]) {
  test(`the page ${path} is outside the website's rules, and says so to who listens`, async ({ page }) => {
    const visit = await openVisit(page, world, world.publish(path, "ruled"));
    await visit.untilMade([...passThroughRequests, "GET /c/*.js 200"]);
    const told = page.evaluate(
      () => new Promise((resolve) => Reflect.get(window, "offerService")("on", "withheld", resolve)),
    );
    expect(await told).toMatchObject({ reason: "page_rules", path });
    await visit.expectMade([
      ...passThroughRequests.slice(0, 2),
      ["POST /v1/events/snippet-ping 204", "GET /c/*.js 200"],
    ]);
    await expect(page.getByRole("dialog")).toHaveCount(0);

    await page.evaluate(() => Reflect.get(window, "offerService")("open"));
    await expect(page.getByRole("dialog")).toBeVisible();
  });
}

for (const path of ["/news/1", "/front"]) {
  test(`the page ${path} is within them`, async ({ page }) => {
    await openVisit(page, world, world.publish(path, "ruled"));
    await expect(page.getByRole("dialog")).toBeVisible();
  });
}

import { expect, test } from "@playwright/test";
import { everybodyBlocked } from "../../bench/catalogue.ts";
import { scriptTag } from "../host-site.ts";
import { openWorld, type World } from "../world.ts";
import { ask, type Engine, type EngineName, type Visitor } from "./engine.ts";
import { expectManners, expectOverlay, expectPageAsItWas, expectSection } from "./expect-manners.ts";
import { type HostPageCase, hostPage, type Keys } from "./host-page.ts";
import type { PageView } from "./page-view.ts";
import { appearancePages } from "./pages/appearance.ts";
import { faultPages } from "./pages/faults.ts";
import { policyPages } from "./pages/policies.ts";
import { scriptPages } from "./pages/scripts.ts";
import { sectionPages } from "./pages/sections.ts";
import { surroundingPages } from "./pages/surroundings.ts";
import { tagPages } from "./pages/tags.ts";
import { until, visitPage } from "./visit-page.ts";
import { watchScript } from "./watch-page.ts";

const groups: Record<string, readonly HostPageCase[]> = {
  "ways in": tagPages,
  "strict policies": policyPages,
  "bent scripts": scriptPages,
  "bent styles": appearancePages,
  "sections of the page": sectionPages,
  "a failing service": faultPages,
  surroundings: surroundingPages,
};

/**
 * Drives every page in one engine. `absence` is why there is no such engine here: then nothing is started and
 * every page is skipped with that line.
 */
export function describeManners(
  name: EngineName,
  engine: { absence: string | null; start: (visitor: Visitor) => Promise<Engine> },
): void {
  test.skip(engine.absence !== null, engine.absence ?? "");
  let world: World;
  const started = new Map<Visitor | HostPageCase, Engine>();

  test.beforeAll(async () => {
    test.setTimeout(120_000);
    world = await openWorld({
      environment: { RATE_LIMIT_FACTOR: "100" },
      websites: [
        { name: "closed", geo: everybodyBlocked },
        { name: "open", geo: { mode: "blocklist", entries: ["AQ"], unknown: "allow" } },
        { name: "elsewhere", origins: ["https://somewhere.example"], geo: everybodyBlocked },
      ],
    });
    world.host.pages.set("/watch.js", {
      html: watchScript(),
      headers: {
        "content-type": "text/javascript; charset=utf-8",
        "cross-origin-resource-policy": "same-origin",
      },
    });
    started.set("ordinary", await engine.start("ordinary"));
  });
  test.afterAll(async () => {
    for (const each of started.values()) await each.close();
    await world?.close();
  });

  /** The browser for a page; one beside the ordinary is started only when a page needs it. */
  const engineOf = async (page: HostPageCase): Promise<Engine> => {
    const visitor = page.visitor ?? "ordinary";
    const key = page.isFirstPage ? page : visitor;
    const running = started.get(key) ?? (await engine.start(visitor));
    started.set(key, running);
    return running;
  };

  const publish = (page: HostPageCase, path: string): string => {
    const keys = world.website(page.website ?? "closed");
    const wanted: Keys = {
      service: world.wire.url,
      alias: (name) => world.wire.url.replace("127.0.0.1", `${name}.localhost`),
      pub: keys.publicKey,
      website: keys.websiteKey,
      tag: (attributes = {}) => tagWith(scriptTag(world.wire.url, keys), attributes),
    };
    world.host.pages.set(path, page.page(wanted));
    world.host.pages.set(`${path}/elsewhere`, hostPage({}));
    return world.host.origin + path;
  };

  test(`${name}: what fails in a page fails here`, { tag: "@smoke" }, async () => {
    const tab = await started.get("ordinary")?.open();
    const failing = tab && ask(tab, () => Promise.reject(new Error("not on this page")));
    await expect(failing).rejects.toThrow("not on this page");
    await tab?.close();
  });

  let number = 0;
  for (const [group, pages] of Object.entries(groups)) {
    test.describe(`${name}: ${group}`, () => {
      for (const page of pages) {
        number += 1;
        const path = `/page-${number}`;
        test(page.name, { tag: page.isSmoke ? "@smoke" : [] }, async () => {
          test.skip(page.not?.[name] !== undefined, `${name} ${page.not?.[name]}`);
          const tab = await (await engineOf(page)).open();
          world.wire.tamper = page.tamper ?? null;
          try {
            const visit = await visitPage(tab, world.wire, publish(page, path), page.addressTail ?? "");
            await look(page, visit);
          } finally {
            world.wire.tamper = null;
            await tab.close();
          }
        });
      }
    });
  }
}

const look = async (page: HostPageCase, visit: Awaited<ReturnType<typeof visitPage>>): Promise<void> => {
  /** The page before `close` takes its section away, which moves the text below: shifts count until then. */
  let drawn: PageView | null = null;
  await page.first?.(visit);
  if (page.sees === "overlay") {
    await expectOverlay(visit);
    await page.meanwhile?.(visit);
    await visit.tab.press("Escape");
    await until(async () => (await visit.view()).hosts, 0, "elements of ours after Escape");
  } else if (page.sees === "section") {
    await expectSection(visit, page.placed ?? 3);
    await page.meanwhile?.(visit);
    await visit.settle();
    drawn = await visit.view();
    await visit.run(() => {
      (Reflect.get(window, "offerService") as (command: string) => void)("close");
      return null;
    });
    await until(async () => (await visit.view()).hosts, 0, "elements of ours after `close`");
  } else {
    for (const directive of page.violations ?? []) {
      const isSeen = async () => (await visit.view()).watch.violations.includes(directive);
      await until(isSeen, true, `a violation of ${directive}`);
    }
    if ((page.decisions ?? 1) > 0) {
      await until(() => visit.requests().some(({ path }) => path === "/v1/decision"), true, "a decision");
    }
    await visit.settle();
    await page.meanwhile?.(visit);
  }
  const view = await expectPageAsItWas(visit, page);
  expectManners(visit, page, view, drawn ?? view);
};

/** The tag's line with more attributes, or without some. */
const tagWith = (line: string, attributes: Record<string, string | null>): string => {
  let tag = line;
  for (const [name, value] of Object.entries(attributes)) {
    tag = tag.replace(new RegExp(` ${name}(="[^"]*")?(?=[ >])`), "");
    if (value !== null) tag = tag.replace("<script", `<script ${name}="${value}"`);
  }
  return tag;
};

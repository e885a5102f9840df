import { randomBytes } from "node:crypto";
import { websiteInput } from "@offers/contract/catalogue";
import type { Attention, CheckedPage, HealthAnswer, WebsiteRow } from "@offers/contract/dash/tag-health";
import { websiteKey } from "@offers/contract/ids";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createWebsite, updateWebsite } from "../../store/catalogue/websites.ts";
import { type DashCalls, dashCallsOf, signedIn } from "../../testing/dash-calls.ts";
import { rules } from "../../testing/fixture.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let editor: DashCalls;
let viewer: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer" } });
});
afterAll(() => service.close());

const own = "/dash/api/publishers/publisher_a";
const health = (website = "ws_a") => `${own}/websites/${website}/health`;
const read = async (website?: string) => (await viewer.get(health(website))).json<HealthAnswer>();
const ping = (url: string, origin: string, websiteKey = "ws_a") =>
  service.post("snippet-ping", { pub: "pub_a", websiteKey, url, scriptVersion: "0.1.0" }, { origin });

describe("the health of a website's tag", () => {
  it("waits, then says the page, the host, the script's version and where the asker is", async () => {
    expect(await read()).toMatchObject({ state: "waiting", lastPage: null, origins: [{ lastPage: null }] });
    const at = service.context.clock();
    expect((await ping("https://shop-a.example/news", "https://shop-a.example")).status).toBe(204);
    const answer = await viewer.get(health(), { from: "DE" });
    expect(answer.json<HealthAnswer>()).toMatchObject({
      state: "live",
      lastPage: { at, page: "https://shop-a.example/news", host: "shop-a.example", scriptVersion: "0.1.0" },
      origins: [{ origin: "https://shop-a.example", lastPage: { at } }],
    });
    const { hours } = answer.json<HealthAnswer>();
    expect([hours.length, hours.at(-1), hours.at(-2)]).toEqual([48, 1, 0]);
  });

  it("is told again and again without reading all offers each time", async () => {
    // What was changed beside the service is known before offers are counted.
    await service.context.store.reload();
    await read();
    const rankedOffers = vi.spyOn(service.context.store.catalogue(), "rankedOffers");
    for (let poll = 0; poll < 3; poll += 1) await read();
    expect(rankedOffers).not.toHaveBeenCalled();
    rankedOffers.mockRestore();
  });

  it("names a refused origin with a button that registers it, and is live after its next page", async () => {
    const refusedPing = () =>
      ping("https://www.dev.shop-a.example/", "https://www.dev.shop-a.example", "ws_dev");
    expect((await refusedPing()).status).toBe(403);
    await expect.poll(async () => (await read("ws_dev")).state).toBe("broken");
    const { causes, refused } = await read("ws_dev");
    expect(causes[0]).toMatchObject({
      code: "origin_not_registered",
      says: expect.stringContaining("https://www.dev.shop-a.example"),
      button: { kind: "register_origin", origin: "https://www.dev.shop-a.example" },
    });
    expect(refused).toMatchObject([{ origin: "https://www.dev.shop-a.example", times: 1 }]);
    const attention = (await viewer.get(`${own}/attention`)).json<{ items: Attention[] }>();
    expect(attention.items[0]).toMatchObject({ websiteKey: "ws_dev", code: "origin_not_registered" });
    const listed = (await viewer.get(`${own}/websites`)).json<{ items: WebsiteRow[] }>();
    expect(listed.items.map(({ websiteKey, health }) => [websiteKey, health])).toEqual([
      ["ws_a", "live"],
      ["ws_dev", "broken"],
      ["ws_wild", "waiting"],
    ]);

    const body = { origin: "https://www.dev.shop-a.example" };
    const mended = await editor.change("POST", `${health("ws_dev")}/register-origin`, body);
    expect(mended.status, mended.text).toBe(200);
    await service.change(async () => undefined);
    expect((await refusedPing()).status).toBe(204);
    expect(await read("ws_dev")).toMatchObject({ state: "live", refused: [] });
  });

  it("looks at a page of the website alone, and tells what it found until a page loads the tag", async () => {
    const path = `${health("ws_wild")}/check-page`;
    const elsewhere = await editor.change("POST", path, { url: "https://elsewhere.example/" });
    expect(elsewhere.json()).toMatchObject({ status: 400, errors: [{ parameter: "url" }] });
    expect((await editor.change("POST", path)).json()).toMatchObject({ code: "missing_parameter" });
    const body = { url: "https://page.wild-a.example/" };
    const checked = (await editor.change("POST", path, body)).json<CheckedPage>();
    expect(checked.checked).toEqual({ url: "https://page.wild-a.example/", findings: 1 });
    expect(checked.causes.map(({ code }) => code)).toContain("unreachable");
    expect((await read("ws_wild")).state).toBe("broken");
    service.moveClock(1000);
    await ping("https://page.wild-a.example/", "https://page.wild-a.example", "ws_wild");
    expect((await read("ws_wild")).causes.map(({ code }) => code)).not.toContain("unreachable");
    for (let check = 1; check < 6; check += 1) {
      expect((await editor.change("POST", path, body)).status).toBe(200);
    }
    const tooOften = await editor.change("POST", path, body);
    expect([tooOften.status, tooOften.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  it.each<[string, { pings?: string[]; origins: string[]; checked: string }]>([
    [
      "the last one of a registered address",
      {
        pings: ["https://new.example/kept", "https://old.example/gone"],
        origins: ["https://new.example"],
        checked: "https://new.example/kept",
      },
    ],
    [
      "a registered address where its last page's is registered no longer",
      {
        pings: ["https://old.example/gone"],
        origins: ["https://new.example"],
        checked: "https://new.example/",
      },
    ],
    [
      "one that a wildcard covers",
      {
        pings: ["https://page.new.example/kept"],
        origins: ["https://*.new.example"],
        checked: "https://page.new.example/kept",
      },
    ],
    [
      "its address's first one where the last may have been cut",
      {
        pings: [`https://new.example/${"x".repeat(236)}`],
        origins: ["https://other.example", "https://new.example"],
        checked: "https://new.example/",
      },
    ],
    [
      "its address's first one where the last was cut before a visitor's name",
      {
        pings: ["https://new.example/account/ada@example.com"],
        origins: ["https://other.example", "https://new.example"],
        checked: "https://new.example/",
      },
    ],
    [
      "none of this machine where there is another address",
      {
        pings: ["http://localhost:9/page"],
        origins: ["http://localhost:9", "https://new.example"],
        checked: "https://new.example/",
      },
    ],
    [
      "one of this machine where there is no other address",
      { origins: ["http://localhost:9"], checked: "http://localhost:9/" },
    ],
  ])("looks at %s where nobody names a page", async (_, { pings = [], origins, checked }) => {
    const key = websiteKey.parse(`ws_${randomBytes(8).toString("hex")}`);
    const asked = pings.map((url) => ({ url, origin: new URL(url).origin }));
    const input = websiteInput.parse({
      ...{ publisherId: "publisher_a", name: "Moved", development: true },
      origins: [...new Set([...asked.map(({ origin }) => origin), ...origins])],
    });
    const now = service.context.clock();
    await service.change((catalogue) => createWebsite(catalogue, input, { now, rules, key }));
    for (const { url, origin } of asked) {
      service.moveClock(1000);
      expect((await ping(url, origin, key)).status).toBe(204);
    }
    await service.change((catalogue) => updateWebsite(catalogue, key, { origins }, rules));
    const answer = await editor.change("POST", `${health(key)}/check-page`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json<CheckedPage>().checked.url).toBe(checked);
  });

  it("tells on every node what a page was found to be by another one, and no longer than an hour", async () => {
    const path = `${health()}/check-page`;
    const other = await startTestService({ beside: service });
    try {
      const there = dashCallsOf(other, editor.cookie);
      const codes = async () =>
        (await there.get(health())).json<HealthAnswer>().causes.map(({ code }) => code);
      const listed = async () => {
        const { items } = (await there.get("/dash/api/publishers/publisher_a/attention")).json<{
          items: { websiteKey: string; code: string }[];
        }>();
        return items.filter(({ websiteKey }) => websiteKey === "ws_a").map(({ code }) => code);
      };
      expect(await codes()).not.toContain("unreachable");
      other.moveClock(service.context.clock() - other.context.clock());
      service.moveClock(2000);
      other.moveClock(2000);
      expect(await codes()).not.toContain("unreachable");
      await editor.change("POST", path, { url: "https://shop-a.example/?mail=ada@example.com" });
      const kept = service.stored.table("page_check").find((row) => row.website_key === "ws_a");
      expect(kept?.url).toBe("https://shop-a.example/");
      expect([await codes(), await listed()]).toEqual([
        expect.arrayContaining(["unreachable"]),
        expect.arrayContaining(["unreachable"]),
      ]);
      other.moveClock(60 * 60 * 1000);
      expect(await codes()).not.toContain("unreachable");
    } finally {
      await other.close();
    }
  });

  it("is nobody's to mend who may only look, and nobody's to see of another publisher", async () => {
    const body = { origin: "https://x.com" };
    for (const end of ["/check-page", "/register-origin"]) {
      const given = end === "/check-page" ? {} : body;
      expect((await viewer.change("POST", `${health()}${end}`, given)).json()).toMatchObject({
        code: "role_too_low",
      });
      expect((await editor.change("POST", `${health("ws_b")}${end}`, given)).status).toBe(404);
    }
    expect((await viewer.get(health("ws_b"))).alike).toBe((await viewer.get(health("ws_none"))).alike);
    for (const end of ["websites", "attention"]) {
      expect((await viewer.get(`/dash/api/publishers/publisher_b/${end}`)).status).toBe(404);
    }
    const suffix = await editor.change("POST", `${health()}/register-origin`, { origin: "https://co.uk" });
    expect(suffix.json()).toMatchObject({ status: 400, errors: [{ parameter: "origins" }] });
  });
});

import type { WebsitesAnswer } from "@offers/contract/dash/tag-health";
import type { DashWebsite, MadeWebsite, PreviewLink, ReadAddress } from "@offers/contract/dash/websites";
import type { OffersAnswer } from "@offers/contract/offers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { audit } from "../../store/books/audit.ts";
import { recount } from "../../store/books/recount.ts";
import { type DashCalls, signedIn } from "../../testing/dash-calls.ts";
import { withSecret } from "../../testing/decline-calls.ts";
import { withKey } from "../../testing/key-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";
import { readingMs } from "../../testing/visitor-journeys.ts";

let service: TestService;
let owner: DashCalls;
let editor: DashCalls;
let viewer: DashCalls;
beforeAll(async () => {
  service = await startTestService();
  owner = await signedIn(service);
  editor = await signedIn(service, { publishers: { publisher_a: "editor" } });
  viewer = await signedIn(service, { publishers: { publisher_a: "viewer" } });
});
afterAll(() => service.close());

const own = "/dash/api/publishers/publisher_a";
const others = "/dash/api/publishers/publisher_b";
const made = async (address: string, more: object = {}): Promise<MadeWebsite> => {
  const answer = await editor.change("POST", `${own}/websites`, { address, ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<MadeWebsite>();
};
const shown = async (websiteKey: string): Promise<DashWebsite> =>
  (await viewer.get(`${own}/websites/${websiteKey}`)).json<DashWebsite>();

describe("an address that somebody pastes", () => {
  it.each([
    ["https://www.news.com/local?day=1", ["https://www.news.com", "https://news.com"], "news.com", null],
    ["news.co.uk", ["https://news.co.uk", "https://www.news.co.uk"], "news.co.uk", null],
    ["https://sub.news.com", ["https://sub.news.com"], "sub.news.com", null],
    ["https://github.io", ["https://github.io"], "github.io", "public suffix"],
    ["http://news.com", ["http://news.com", "http://www.news.com"], "news.com", "must be https"],
    ["nonsense here", ["nonsense here"], "Website", "must be the address of a page"],
  ])("%s stands for %j", async (address, origins, name, wrong) => {
    const answer = await viewer.get(`${own}/address?address=${encodeURIComponent(address)}`);
    const read = answer.json<ReadAddress>();
    expect(read).toMatchObject({ origins, name });
    if (wrong === null) expect(read.wrong).toBeNull();
    else expect(read.wrong).toContain(wrong);
  });

  it("is needed", async () => {
    expect((await viewer.get(`${own}/address`)).json()).toMatchObject({ code: "missing_parameter" });
    expect((await viewer.get(`${others}/address?address=news.com`)).status).toBe(404);
  });
});

describe("a website that is made of an address", () => {
  it("has both origins, a name, a careful allowlist and a rule that blocks nobody", async () => {
    const { websiteKey, origins, development } = await made("https://www.journal.com/news");
    expect({ origins, development }).toEqual({
      origins: ["https://www.journal.com", "https://journal.com"],
      development: false,
    });
    expect(await shown(websiteKey)).toMatchObject({
      publicKey: "pub_a",
      name: "journal.com",
      vertical: "unassigned",
      geoRule: { mode: "blocklist", entries: [], unknownLocation: "allow" },
      secretCarrier: "any",
      paused: false,
    });
    const allowed = await viewer.get(`${own}/websites/${websiteKey}/allowlist`);
    expect(allowed.json()).toMatchObject({
      allowlist: { mode: "all", block: { verticals: ["gambling", "loans", "trading"] } },
    });
  });

  it("takes what is given in place of the defaults, and is a development website on this machine", async () => {
    const rule = { mode: "blocklist", entries: ["DE"], unknownLocation: "block" };
    const { websiteKey, origins } = await made("https://one.com", {
      origins: ["https://one.com"],
      name: "One",
      vertical: "news",
      geoRule: rule,
    });
    expect(origins).toEqual(["https://one.com"]);
    expect(await shown(websiteKey)).toMatchObject({ name: "One", vertical: "news", geoRule: rule });
    expect(await made("localhost:3000")).toMatchObject({ development: true });
  });

  it.each([
    ["https://co.uk", "address", "public suffix"],
    ["http://plain.com", "address", "must be https"],
    ["no address", "address", "must be the address of a page"],
  ])("is not made of %s", async (address, parameter, says) => {
    const before = (await viewer.get(`${own}/websites`)).json<{ items: unknown[] }>().items.length;
    const answer = await editor.change("POST", `${own}/websites`, { address });
    expect(answer.status).toBe(400);
    expect(answer.json<{ errors: object[] }>().errors[0]).toMatchObject({ parameter });
    expect(answer.text).toContain(says);
    expect((await viewer.get(`${own}/websites`)).json<{ items: unknown[] }>().items).toHaveLength(before);
  });

  it("is made by editors alone, and for one's own publisher", async () => {
    const body = { address: "https://two.com" };
    expect((await viewer.change("POST", `${own}/websites`, body)).json()).toMatchObject({
      code: "role_too_low",
    });
    expect((await editor.change("POST", `${others}/websites`, body)).status).toBe(404);
  });
});

describe("the settings of a website", () => {
  it("are changed member by member, and checked as a whole", async () => {
    const { websiteKey } = await made("https://settings.com");
    const path = `${own}/websites/${websiteKey}`;
    const before = await shown(websiteKey);
    const answer = await editor.change("PATCH", path, {
      name: "Settings",
      geoRule: { entries: ["DE", "US-NJ"] },
      settings: { title: "Hello", supportContact: { email: "help@settings.com" } },
      secretCarrier: "body",
    });
    expect(answer.status, answer.text).toBe(200);
    const after = await shown(websiteKey);
    expect(after).toEqual({
      ...before,
      name: "Settings",
      geoRule: { ...before.geoRule, entries: ["DE", "US-NJ"] },
      settings: { ...before.settings, title: "Hello", supportContact: { email: "help@settings.com" } },
      secretCarrier: "body",
      version: after.version,
    });
    expect(after.version).toBeGreaterThan(before.version);
    const wrong = await editor.change("PATCH", path, { geoRule: { entries: ["XX"] } });
    expect(wrong.json()).toMatchObject({ status: 400, errors: [{ parameter: "geoRule.entries" }] });
    expect(await shown(websiteKey)).toEqual(after);
  });

  it("keep their publisher and their share, whatever is sent", async () => {
    const { websiteKey } = await made("https://share.com");
    const path = `${own}/websites/${websiteKey}`;
    expect((await editor.change("PATCH", path, { publisherId: "publisher_b" })).status).toBe(200);
    expect((await owner.get(path)).status).toBe(200);
    const answer = await owner.change("PATCH", path, { shareBasisPoints: 10_000 });
    expect(answer.json()).toMatchObject({ status: 403, code: "role_too_low" });
    const operator = await signedIn(service, { isOperator: true });
    expect((await operator.change("PATCH", path, { shareBasisPoints: 7000 })).json()).toMatchObject({
      shareBasisPoints: 7000,
    });
    expect((await operator.get(path)).json()).toMatchObject({ shareBasisPoints: 7000 });
    // Whoever knew it could tell what advertisers pay.
    const late = { headers: { "If-Match": '"1"' } };
    for (const answer of [
      await viewer.get(path),
      await owner.change("PATCH", path, { name: "Shared" }),
      await owner.change("POST", `${path}/pause`),
      await owner.change("PATCH", path, { name: "Late" }, late),
      await owner.change("PUT", `${path}/allowlist`, { mode: "all", allow: {}, block: {} }, late),
    ]) {
      expect(answer.text).toContain('"shareBasisPoints":null');
      expect(answer.text).not.toContain("7000");
    }
  });

  it("are nobody's to change who may only look, and nobody's to see of another publisher", async () => {
    const path = `${own}/websites/ws_a`;
    for (const [method, at, body] of [
      ["PATCH", path, { name: "X" }],
      ["POST", `${path}/pause`, undefined],
      ["POST", `${path}/resume`, undefined],
      ["DELETE", path, { name: "ws_a" }],
    ] as const) {
      expect((await viewer.change(method, at, body)).json()).toMatchObject({ code: "role_too_low" });
      const foreign = await owner.change(method, at.replace("ws_a", "ws_b"), body);
      const unknown = await owner.change(method, at.replace("ws_a", "ws_none"), body);
      expect([foreign.status, foreign.alike]).toEqual([404, unknown.alike]);
    }
    expect((await editor.change("DELETE", path, { name: "x" })).json()).toMatchObject({
      code: "role_too_low",
    });
    expect((await viewer.get(`${own}/websites/ws_b`)).alike).toBe(
      (await viewer.get(`${own}/websites/ws_none`)).alike,
    );
  });

  it("are saved by the first of two who have read the same version, and the second is shown both", async () => {
    const { websiteKey } = await made("https://both.com");
    const path = `${own}/websites/${websiteKey}`;
    const { version } = await shown(websiteKey);
    const ifMatch = (seen: number) => ({ headers: { "If-Match": `"${seen}"` } });
    const first = await editor.change("PATCH", path, { vertical: "sport" }, ifMatch(version));
    expect(first.status, first.text).toBe(200);
    const second = await owner.change("PATCH", path, { name: "Mine" }, ifMatch(version));
    expect(second.json()).toMatchObject({
      status: 412,
      code: "version_conflict",
      version: first.json<DashWebsite>().version,
      current: { name: "both.com", vertical: "sport" },
      changedBy: expect.any(String),
    });
    expect(await shown(websiteKey)).toMatchObject({ name: "both.com", vertical: "sport" });
    const allowlist = { mode: "all", allow: {}, block: {} };
    const late = await owner.change("PUT", `${path}/allowlist`, allowlist, ifMatch(version));
    const paused = await owner.change("POST", `${path}/pause`, undefined, ifMatch(version));
    expect([late.status, paused.status]).toEqual([412, 412]);
    const third = await owner.change(
      "PATCH",
      path,
      { name: "Mine" },
      ifMatch(first.json<DashWebsite>().version),
    );
    expect(third.json()).toMatchObject({ name: "Mine", vertical: "sport" });
  });

  it("pause it and resume it", async () => {
    const path = `${own}/websites/ws_a`;
    expect((await editor.change("POST", `${path}/pause`)).json()).toMatchObject({ paused: true });
    expect(await service.decide()).toMatchObject({ allowed: true });
    expect((await editor.change("POST", `${path}/resume`)).json()).toMatchObject({ paused: false });
    expect(await service.decide()).toMatchObject({ allowed: false });
  });
});

describe("a website that is deleted", () => {
  it("lets whoever still holds a link of it arrive, billed once, and the books add up", async () => {
    const origin = "https://linked.com";
    const { websiteKey, publicKey } = await made(origin, {
      origins: [origin],
      geoRule: { mode: "blocklist", entries: ["DE"], unknownLocation: "allow" },
    });
    await service.change(async () => undefined);
    const decide = `/v1/decision?pub=${publicKey}&website=${websiteKey}`;
    const { requestId } = (await service.call(decide, { origin })).json<{ requestId: string }>();
    const offers = `/v1/offers?website=${websiteKey}&requestId=${requestId}&country=DE`;
    const { premium, standard } = (await service.call(offers, { origin })).json<OffersAnswer>();
    const link = [...premium, ...standard].find(({ id }) => id === "offer_premium")?.url ?? "";
    service.moveClock(readingMs);

    const path = `${own}/websites/${websiteKey}`;
    expect((await owner.change("DELETE", path, { name: "linked.com" })).status).toBe(204);
    await service.change(async () => undefined);
    const spent = () => service.stored.figures().spend_micros;
    const before = spent();
    for (const _ of [1, 2]) {
      const answer = await service.follow(link);
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toMatch(/^https:/);
    }
    expect(spent()).toBe(before + 500_000);
    expect((await recount(service.catalogue.db)).differences).toEqual([]);
    expect((await audit(service.catalogue.db)).differences).toEqual([]);
  });

  it.each([
    ["journal-at-sea.com", "Journal at Sea", "Journal  at Sea"],
    ["pier-times.com", "Pier  Times", " Pier Times"],
  ])("needs its name as a page shows it (%s)", async (host, name, typed) => {
    const { websiteKey } = await made(`https://${host}`, { name });
    const path = `${own}/websites/${websiteKey}`;
    expect((await shown(websiteKey)).name).toBe(name);
    expect((await owner.change("DELETE", path, { name: "another" })).status).toBe(400);
    expect((await owner.change("DELETE", path, { name: typed })).status).toBe(204);
  });

  it("is reached by nobody, is never made again, and goes on counting", async () => {
    const { websiteKey, publicKey } = await made("https://gone.com", {
      origins: ["https://gone.com"],
      geoRule: { mode: "blocklist", entries: ["DE"], unknownLocation: "allow" },
    });
    await service.change(async () => undefined);
    const path = `${own}/websites/${websiteKey}`;
    const secret = await withSecret(service, {
      website: websiteKey,
      pub: publicKey,
      origin: "https://gone.com",
    });
    const { key } = await withKey(service, { websiteKey });
    const decide = `/v1/decision?pub=${publicKey}&website=${websiteKey}`;
    expect((await service.call(decide, { origin: "https://gone.com" })).json()).toMatchObject({
      allowed: false,
    });
    const report = async () =>
      (await owner.get("/dash/api/report?groupBy=websiteKey&from=2026-11-01&to=2026-11-30")).json();
    const before = await report();
    expect(before).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ websiteKey })]),
    });

    expect((await owner.change("DELETE", path, { name: "another" })).status).toBe(400);
    expect((await owner.get(path)).status).toBe(200);
    expect((await owner.change("DELETE", path, { name: "gone.com" })).status).toBe(204);
    await service.change(async () => undefined);

    expect((await owner.get(path)).status).toBe(404);
    expect((await owner.change("DELETE", path, { name: "gone.com" })).status).toBe(404);
    const listed = (await owner.get(`${own}/websites`)).json<WebsitesAnswer>();
    expect(listed.items.map((one) => one.websiteKey)).not.toContain(websiteKey);
    // By its name its figures are told, which go on counting in every sum.
    expect(listed.deleted).toContainEqual({ websiteKey, name: "gone.com" });
    const refused = await service.call(decide, { origin: "https://gone.com" });
    const stranger = await service.call("/v1/decision?pub=pub_a&website=ws_none", {
      origin: "https://gone.com",
    });
    expect([refused.status, refused.alike]).toEqual([403, stranger.alike]);
    expect((await secret.trigger({ sessionId: "dcl_x" })).status).toBe(401);
    const headers = { Authorization: `Bearer ${key.key}` };
    const asked = `/v1/decision?website=${websiteKey}`;
    expect((await service.call(asked, { origin: null, headers })).status).toBe(404);
    expect(await report()).toEqual(before);
    const alone = await owner.get(
      `/dash/api/report?groupBy=websiteKey&from=2026-11-01&to=2026-11-30&websiteKey=${websiteKey}`,
    );
    expect(alone.json()).toMatchObject({ items: [{ websiteKey, blocked: 1 }] });
  });
});

describe("a preview of a website", () => {
  it("shows the overlay by a token, to its own session alone", async () => {
    const answer = await viewer.change("POST", `${own}/websites/ws_a/preview`);
    const { link } = answer.json<PreviewLink>();
    const page = await viewer.get(link);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("/embed.js")]);
    expect((await owner.get(link)).status).toBe(403);
    expect((await viewer.change("POST", `${own}/websites/ws_b/preview`)).status).toBe(404);
  });
});

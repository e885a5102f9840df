import { endpoints } from "@offers/contract/endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Call } from "../testing/call.ts";
import { strangers } from "../testing/odd-origins.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let routes: { name: string; path: string; given: Call }[];

beforeAll(async () => {
  service = await startTestService();
  const { decision, offers } = await service.visit();
  const event = { requestId: decision.requestId, offerId: offers[0]?.id };
  const post = (body: unknown): Call => ({ method: "POST", body });
  const opened = await service.call("/v1/widget-decline/session?pub=pub_a&website=ws_a", post(undefined));
  const { sessionId } = opened.json<{ sessionId: string }>();
  routes = [
    { name: "decision", path: "/v1/decision?pub=pub_a&website=ws_a", given: {} },
    { name: "section", path: "/v1/decision?pub=pub_a&website=ws_a&mode=section", given: {} },
    {
      name: "offers",
      path: `/v1/offers?website=ws_a&requestId=${decision.requestId}&country=DE`,
      given: {},
    },
    {
      name: "drawn",
      path: "/v1/events/drawn",
      given: post({ requestId: decision.requestId, offerIds: [offers[0]?.id] }),
    },
    { name: "impression", path: "/v1/events/impression", given: post(event) },
    {
      name: "impression with its website",
      path: "/v1/events/impression",
      given: post({ ...event, website: "ws_a" }),
    },
    { name: "click", path: "/v1/events/click", given: post(event) },
    { name: "dismiss", path: "/v1/events/dismiss", given: post({ requestId: decision.requestId }) },
    {
      name: "snippet-ping",
      path: "/v1/events/snippet-ping",
      given: post({ websiteKey: "ws_a", pub: "pub_a" }),
    },
    {
      name: "opening a decline session",
      path: "/v1/widget-decline/session?pub=pub_a&website=ws_a",
      given: post(undefined),
    },
    {
      name: "polling a decline session",
      path: `/v1/widget-decline/session/${sessionId}?pub=pub_a&website=ws_a`,
      given: {},
    },
  ];
});
afterAll(() => service.close());

/** Origins of other websites: their pages may read the refusal, and get no further. */
const neighbours = ["https://shop-b.example", "https://empty.example", "https://x.wild-a.example"];

const referrers: Record<string, string>[] = [{}, { Referer: "https://shop-a.example/" }];

const stored = () => service.stored.events().length;
const pings = () => service.stored.table("snippet_ping").length;
const sessions = () => service.stored.sessions().length;

describe("the origin guard", () => {
  it("has at least 40 strangers to try", () => {
    expect(strangers.length).toBeGreaterThanOrEqual(40);
  });

  it("has a row for every route that pages call", () => {
    const tried = routes.map(({ path, given }) => `${given.method ?? "GET"} ${path.replace(/\?.*/, "")}`);
    const ofPages = endpoints.filter(({ group }) => group === "embed");
    const untried = ofPages.filter(({ method, path }) => {
      const called = new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}$`);
      return !tried.some((call) => called.test(call));
    });
    expect(untried.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("lets the registered origin in on every route", async () => {
    for (const { name, path, given } of routes) {
      const { status, headers } = await service.call(path, given);
      expect([name, status < 300, headers["access-control-allow-origin"]]).toEqual([
        name,
        true,
        "https://shop-a.example",
      ]);
    }
  });

  it.each(referrers)("admits no stranger on any route, with the headers %j", async (headers) => {
    const before = [stored(), pings(), sessions()];
    const bodies = new Set<string>();
    let tried = 0;
    for (const origin of strangers) {
      for (const { name, path, given } of routes) {
        const answer = await service.call(path, { ...given, origin, headers });
        tried += 1;
        expect([origin, name, answer.status]).toEqual([origin, name, 403]);
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
        expect(answer.headers.vary).toBe("Origin");
        expect(answer.text).not.toMatch(/req_|dcl_/);
        bodies.add(answer.alike);
      }
    }
    expect(tried).toBe(strangers.length * routes.length);
    expect(bodies.size).toBe(1);
    expect([stored(), pings(), sessions()]).toEqual(before);
  });

  it.each(neighbours)("refuses the page of another website, %s, which may read why", async (origin) => {
    const before = [stored(), pings(), sessions()];
    for (const { path, given } of routes) {
      const answer = await service.call(path, { ...given, origin });
      expect([400, 403]).toContain(answer.status);
      expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    }
    expect([stored(), pings(), sessions()]).toEqual(before);
  });

  it("matches a wildcard's sub-domains, and not its apex", async () => {
    const path = "/v1/decision?pub=pub_a&website=ws_wild";
    const statusOf = async (origin: string) => (await service.call(path, { origin })).status;
    expect(await statusOf("https://x.wild-a.example")).toBe(200);
    expect(await statusOf("https://a.b.wild-a.example")).toBe(200);
    expect(await statusOf("https://wild-a.example")).toBe(403);
    expect(await statusOf("https://xwild-a.example")).toBe(403);
  });

  it("answers an unknown website, a wrong key and a wrong origin alike to the byte", async () => {
    const answers: Answer[] = [];
    for (const [query, origin] of [
      ["pub=pub_a&website=ws_nobody", "https://shop-a.example"],
      ["pub=pub_b&website=ws_a", "https://shop-a.example"],
      ["pub=pub_nobody&website=ws_a", "https://shop-a.example"],
      ["pub=pub_a&website=ws_b", "https://shop-a.example"],
      ["pub=pub_a&website=ws_a", "https://shop-b.example"],
    ] as const) {
      answers.push(await service.call(`/v1/decision?${query}`, { origin }));
    }
    expect(new Set(answers.map(({ status, alike }) => `${status} ${alike}`)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ code: "origin_not_allowed", status: 403 });
  });
});

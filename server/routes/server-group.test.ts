import { readFileSync } from "node:fs";
import { endpoints } from "@offers/contract/endpoints";
import { type Scope, scopes } from "@offers/contract/words";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeApiKey, rotateApiKey } from "../store/catalogue/api-keys.ts";
import { revokeGrant } from "../store/catalogue/oauth-grants.ts";
import { type KeyCalls, withKey } from "../testing/key-calls.ts";
import {
  connect,
  newPartner,
  type OauthService,
  type Partner,
  person,
  startOauthService,
  type Tokens,
} from "../testing/partner.ts";

let service: OauthService;
let a: KeyCalls;
let requestId: string;
beforeAll(async () => {
  service = await startOauthService();
  a = await withKey(service);
  ({ requestId } = await service.decide());
});
afterAll(() => service.close());

const event = { type: "served", websiteKey: "ws_a", offerId: "offer_best" };
/** Every route of the group, with a request that a good key would have answered; `{requestId}` is put in. */
const routes: [method: "GET" | "POST", path: string, body?: object][] = [
  ["GET", "/v1/decision?website=ws_a"],
  ["GET", "/v1/offers"],
  ["POST", "/v1/events", event],
  ["GET", "/v1/reports/aggregate"],
  ["GET", "/v1/reports/aggregate.csv"],
  ["GET", "/v1/explain?requestId={requestId}"],
];
const withoutQuery = (path: string) => path.replace(/\?.*/, "");
/** Those whose path no page calls: without a key the others are the page's. */
const ownRoutes = routes.filter(
  ([, path]) => !endpoints.some((row) => row.group === "embed" && row.path === withoutQuery(path)),
);
/** The paths that each scope opens. */
const opened: Record<Scope, readonly string[]> = {
  "decision:read": ["/v1/decision"],
  "offers:read": ["/v1/offers"],
  "events:write": ["/v1/events"],
  "reports:read": ["/v1/reports/aggregate", "/v1/reports/aggregate.csv", "/v1/explain"],
};

it("every route of the group is tried here, and opened by one scope", () => {
  const rows = endpoints.filter(({ group }) => group === "server");
  const told = rows.map(({ method, path }) => `${method} ${path}`);
  expect(routes.map(([method, path]) => `${method} ${withoutQuery(path)}`).toSorted()).toEqual(
    told.toSorted(),
  );
  expect(Object.values(opened).flat().toSorted()).toEqual(rows.map(({ path }) => path).toSorted());
});

it("the page for partners names with each scope the routes that it opens, and no other", () => {
  const page = readFileSync(new URL("../../docs/partners.md", import.meta.url), "utf8");
  for (const scope of scopes) {
    const [row = ""] = page.split("\n").filter((line) => line.startsWith(`| \`${scope}\` |`));
    const told = [...row.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, route]) => route);
    const rows = endpoints.filter((one) => one.group === "server" && one.scope === scope);
    expect(told).toEqual(rows.map(({ method, path }) => `${method} ${path}`));
  }
});

const callAs = (
  method: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string | string[]>,
) =>
  service.call(path.replace("{requestId}", requestId), {
    method,
    origin: null,
    ...(body && { body }),
    headers: { ...(body && { "Content-Type": "application/json" }), ...headers },
  });

describe("without a key", () => {
  it("the shared decision is the embed's, and the key's own routes are 401", async () => {
    const decision = await callAs("GET", "/v1/decision", undefined, {});
    expect(decision.status).toBe(400);
    expect(decision.json()).toMatchObject({ code: "missing_parameter" });
    for (const [method, path, body] of ownRoutes) {
      const answer = await callAs(method, path, body, {});
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(answer.json()).toMatchObject({ code: "unauthorized", status: 401 });
    }
  });

  it("a key in the query or in the body opens nothing", async () => {
    for (const [method, path, body] of ownRoutes) {
      const query = `${path}${path.includes("?") ? "&" : "?"}api_key=${a.key.key}&access_token=${a.key.key}`;
      const answer = await callAs(method, query, body && { ...body, api_key: a.key.key }, {});
      expect(answer.status).toBe(401);
    }
    expect(JSON.stringify(service.errors)).not.toContain(a.key.key);
  });
});

describe("with a key that is not good", () => {
  it.each(routes)("%s %s is the same 401 for each of them", async (method, path, body) => {
    const revoked = await withKey(service);
    await service.change((db) => revokeApiKey(db, revoked.key.keyId, service.context.clock()));
    const expired = await withKey(service, { expiresAt: service.context.clock() + 1 });
    service.moveClock(1);
    const good = a.key.key;
    const other = good.at(-1) === "a" ? "b" : "a";
    const texts = new Set<string>();
    for (const key of [
      revoked.key.key,
      expired.key.key,
      good.slice(0, -1),
      good.slice(0, -1) + other,
      good.replace(/_[^_]{4}/, "_0000"),
      "sk_unknownunkno_0000000000000000000000000000000000",
      "pub_a",
      "x",
    ]) {
      const answer = await callAs(method, path, body, { Authorization: `Bearer ${key}` });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      texts.add(answer.alike);
    }
    expect(texts.size).toBe(1);
  });

  it.each(routes)("%s %s takes the scheme in any case, and exactly one token", async (method, path, body) => {
    const key = a.key.key;
    for (const good of [`bearer ${key}`, `BEARER ${key}`]) {
      expect((await callAs(method, path, body, { Authorization: good })).status).toBeLessThan(300);
    }
    for (const bad of [
      "Bearer",
      "Bearer ",
      `Bearer ${key} ${key}`,
      `Basic ${btoa(key)}`,
      key,
      `Bearer ${key},`,
    ]) {
      expect((await callAs(method, path, body, { Authorization: bad })).status).toBe(401);
    }
    const twice = await callAs(method, path, body, { Authorization: [`Bearer ${key}`, `Bearer ${key}`] });
    expect(twice.status).toBe(401);
  });
});

describe("with a good key", () => {
  it.each(routes)("%s %s is refused to a browser, without a CORS grant", async (method, path, body) => {
    const key = { Authorization: `Bearer ${a.key.key}` };
    for (const browser of [
      { Origin: "https://shop-a.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ]) {
      const answer = await callAs(method, path, body, { ...key, ...browser });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ code: "browser_not_allowed" });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it.each(routes)("%s %s is counted by the limit of its row", async (method, path, body) => {
    const row = endpoints.find((one) => one.group === "server" && one.path === withoutQuery(path));
    const { headers } = await callAs(method, path, body, { Authorization: `Bearer ${a.key.key}` });
    expect(headers["ratelimit-policy"]).toMatch(new RegExp(`^"${row?.limit}";`));
  });

  it("a preflight is not granted the header that a key travels in", async () => {
    for (const [method, path] of routes) {
      const answer = await service.call(withoutQuery(path), {
        method: "OPTIONS",
        headers: {
          "Access-Control-Request-Method": method,
          "Access-Control-Request-Headers": "authorization",
        },
      });
      expect(String(answer.headers["access-control-allow-headers"] ?? "").toLowerCase()).not.toContain(
        "authorization",
      );
    }
  });

  it.each(scopes)("a key with the scope %s opens what is its own alone", async (scope) => {
    const limited = await withKey(service, { scopes: [scope] });
    for (const [method, path, body] of routes) {
      const answer = await callAs(method, path, body, { Authorization: `Bearer ${limited.key.key}` });
      if (opened[scope].includes(withoutQuery(path))) expect(answer.status).toBeLessThan(300);
      else {
        expect(answer.status).toBe(403);
        expect(answer.json()).toMatchObject({ code: "insufficient_scope" });
        expect(answer.headers["www-authenticate"]).toContain('error="insufficient_scope"');
      }
    }
  });

  const withoutCredential = endpoints.filter(
    ({ path, limit }) =>
      limit !== null && !routes.some(([, own]) => withoutQuery(own) === path) && !path.endsWith("/trigger"),
  );
  it.each(withoutCredential)(
    "is told by $method $path to leave it out, as a bad one is",
    async ({ method, path }) => {
      const told = async (key: string) => {
        const body = method === "POST" ? { requestId: "req_1", offerId: "offer_best" } : undefined;
        const answer = await callAs(method, path, body, { Authorization: `Bearer ${key}` });
        expect(answer.status).toBe(401);
        expect(answer.json()).toMatchObject({
          detail: expect.stringMatching(/no credential.*leave Authorization out/),
        });
        return answer.alike;
      };
      expect(await told(a.key.key)).toBe(await told("sk_x"));
    },
  );

  it("is exchanged without a gap, and revoked at once where it is known", async () => {
    const old = await withKey(service);
    let fresh = "";
    await service.change(async (db) => {
      const now = service.context.clock();
      fresh = (await rotateApiKey(db, old.key.keyId, { overlapMs: 60_000, now })).key;
    });
    const statusOf = async (key: string) =>
      (await callAs("GET", "/v1/offers", undefined, { Authorization: `Bearer ${key}` })).status;
    expect([await statusOf(old.key.key), await statusOf(fresh)]).toEqual([200, 200]);
    service.moveClock(60_000);
    expect([await statusOf(old.key.key), await statusOf(fresh)]).toEqual([401, 200]);
  });

  it("is revoked within five seconds although nobody tells this process", async () => {
    let tookMs = Number.POSITIVE_INFINITY;
    // Up to three times: where the machine stands still, some of the seconds are not the service's.
    for (let turn = 0; turn < 3 && tookMs >= 5000; turn += 1) {
      const doomed = await withKey(service);
      expect((await doomed.get("/v1/offers")).status).toBe(200);
      await revokeApiKey(service.catalogue, doomed.key.keyId, service.context.clock());
      const since = performance.now();
      await expect.poll(async () => (await doomed.get("/v1/offers")).status, { timeout: 15_000 }).toBe(401);
      tookMs = performance.now() - since;
    }
    expect(tookMs).toBeLessThan(5000);
  }, 60_000);

  it("has its last use noted, to the minute", async () => {
    const used = await withKey(service);
    const lastUse = () =>
      service.stored.table("api_key").find(({ id }) => id === used.key.keyId)?.last_used_at;
    const first = service.context.clock();
    await used.get("/v1/offers");
    await expect.poll(lastUse).toBe(first);
    service.moveClock(1000);
    await used.get("/v1/offers");
    service.moveClock(60_000);
    await used.get("/v1/offers");
    await expect.poll(lastUse).toBe(first + 61_000);
  });
});

describe("with a partner's access token", () => {
  let partner: Partner;
  beforeAll(async () => {
    partner = await newPartner(service);
  });
  const asPartner = (method: string, path: string, body: object | undefined, { access }: Tokens) =>
    callAs(method, path, body, { Authorization: `Bearer ${access}` });
  const grantOf = () => service.stored.table("oauth_grant").at(-1);

  it.each(scopes)("the scope %s opens what is its own alone", async (scope) => {
    const tokens = await connect(partner, { more: { scope } });
    for (const [method, path, body] of routes) {
      const answer = await asPartner(method, path, body, tokens);
      if (opened[scope].includes(withoutQuery(path))) expect(answer.status).toBeLessThan(300);
      else {
        expect(answer.status).toBe(403);
        expect(answer.json()).toMatchObject({ code: "insufficient_scope" });
        expect(answer.headers["www-authenticate"]).toContain('error="insufficient_scope"');
      }
    }
  });

  it("is one publisher's: another's website is unknown", async () => {
    const both = person(3, "Bob", { publisher_a: "owner", publisher_b: "editor" });
    service.signIn(both);
    const [ofA, ofB] = [
      await connect(partner, { form: { user: "3", publisher: "publisher_a" } }),
      await connect(partner, { form: { user: "3", publisher: "publisher_b" } }),
    ];
    service.signIn(person(1, "Ada", { publisher_a: "owner" }));
    const statusOf = async (website: string, tokens: Tokens) =>
      (await asPartner("GET", `/v1/reports/aggregate?websiteKey=${website}`, undefined, tokens)).status;
    expect([await statusOf("ws_a", ofA), await statusOf("ws_b", ofA)]).toEqual([200, 404]);
    expect([await statusOf("ws_a", ofB), await statusOf("ws_b", ofB)]).toEqual([404, 200]);
  });

  it.each(routes)(
    "%s %s is refused to a browser, and to a token that is none",
    async (method, path, body) => {
      const tokens = await connect(partner);
      const browser = { Authorization: `Bearer ${tokens.access}`, Origin: "https://shop-a.example" };
      expect((await callAs(method, path, body, browser)).status).toBe(403);
      for (const access of [tokens.refresh, tokens.access.slice(1), `${tokens.access}x`, "A".repeat(43)]) {
        const answer = await asPartner(method, path, body, { ...tokens, access });
        expect(answer.status).toBe(401);
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
      }
    },
  );

  it("ends after an hour, to the second", async () => {
    const tokens = await connect(partner);
    const statusNow = async () => (await asPartner("GET", "/v1/offers", undefined, tokens)).status;
    service.moveClock(60 * 60 * 1000 - 1);
    expect(await statusNow()).toBe(200);
    service.moveClock(1);
    expect(await statusNow()).toBe(401);
  });

  it("ends within five seconds of its connection, though it was used all the time", async () => {
    const tokens = await connect(partner);
    const statusNow = async () => (await asPartner("GET", "/v1/offers", undefined, tokens)).status;
    expect(await statusNow()).toBe(200);
    const grantId = String(grantOf()?.id);
    await revokeGrant(service.catalogue, {
      grantId,
      publisherId: "publisher_a",
      at: service.context.clock(),
    });
    let passed = 0;
    while ((await statusNow()) === 200 && passed < 10_000) {
      service.moveClock(100);
      passed += 100;
    }
    expect(passed).toBeLessThan(5000);
    expect(await statusNow()).toBe(401);
  });

  it("has the last use of its connection noted, to the minute", async () => {
    const tokens = await connect(partner);
    const lastUse = () => grantOf()?.last_used_at;
    expect(lastUse()).toBeNull();
    const first = service.context.clock();
    await asPartner("GET", "/v1/offers", undefined, tokens);
    await expect.poll(lastUse).toBe(first);
    service.moveClock(1000);
    await asPartner("GET", "/v1/offers", undefined, tokens);
    service.moveClock(60_000);
    await asPartner("GET", "/v1/offers", undefined, tokens);
    await expect.poll(lastUse).toBe(first + 61_000);
  });
});

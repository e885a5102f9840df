import { execFileSync } from "node:child_process";
import { rateLimits as limits } from "@offers/contract/endpoints";
import { oauthPaths } from "@offers/contract/oauth";
import { scopes } from "@offers/contract/words";
import * as oauth from "oauth4webapi";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { consentTries } from "../core/sign-in-limit.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { createTries } from "../core/tries.ts";
import { createRateLimits, type RateLimits } from "../http/rate-limits.ts";
import { listPartners, revokePartner } from "../store/catalogue/oauth-clients.ts";
import { type Call, call } from "../testing/call.ts";
import {
  allowed,
  answerConsent,
  callback,
  callWith,
  connect,
  fetchFrom,
  newBrowser,
  newPartner,
  type OauthService,
  openConsent,
  type Partner,
  redeem,
  refresh,
  refreshed,
  startConnecting,
  startOauthService,
} from "../testing/partner.ts";
import { baseUrl } from "../testing/test-service.ts";

let service: OauthService;
let partner: Partner;
let rateLimits: RateLimits = createRateLimits(1000);
const manyConsents = createTries({ ...consentTries, most: 100_000 });
let askedConsents = manyConsents;
const logged: unknown[] = [];
/** What went to the console, where the library says what it does not like. */
const said: unknown[] = [];
const { info, warn } = console;
Object.assign(console, {
  info: (...line: unknown[]) => said.push(line),
  warn: (...line: unknown[]) => said.push(line),
});
beforeAll(async () => {
  service = await startOauthService({
    rateLimits: { take: (name, key) => rateLimits.take(name, key) },
    askedConsents: { ...manyConsents, take: (key, now) => askedConsents.take(key, now) },
    log: (line) => logged.push(line),
  });
  partner = await newPartner(service);
});
afterEach(() => {
  rateLimits = createRateLimits(1000);
  askedConsents = manyConsents;
});
afterAll(async () => {
  Object.assign(console, { info, warn });
  await service.close();
});

/** An answer of OAuth has its own forms, which the document leaves to RFC 6749. */
const ask = (path: string, given: Call = {}) => call(`${service.url}${path}`, given);

const lies = {
  Host: "evil.example",
  "X-Forwarded-Host": "evil.example",
  "X-Forwarded-Proto": "http",
  Forwarded: "host=evil.example;proto=http",
};

describe("the metadata", () => {
  it("is what a client library accepts, and names each way once, under BASE_URL", async () => {
    const { server } = partner;
    expect(server).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/v1/oauth/authorize`,
      token_endpoint: `${baseUrl}/v1/oauth/token`,
      revocation_endpoint: `${baseUrl}/v1/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: scopes,
      response_types_supported: ["code"],
    });
    expect(JSON.stringify(server)).not.toMatch(
      /dpop|pushed|registration|introspection|jwks|id_token|userinfo/,
    );
  });

  it("never follows Host or a forwarded header", async () => {
    const honest = await ask(oauthPaths.metadata, { origin: null });
    const answer = await ask(oauthPaths.metadata, { origin: null, headers: lies });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(honest.text);
    expect(answer.text).not.toContain("evil.example");
  });

  it("has no head of another length", async () => {
    const [get, head] = [
      await ask(oauthPaths.metadata, { origin: null }),
      await ask(oauthPaths.metadata, { origin: null, method: "HEAD" }),
    ];
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  });
});

it("a way to the consent never leads elsewhere, and its cookies are secure, whatever a proxy says", async () => {
  const { target } = await startConnecting(partner);
  const answer = await ask(target, { origin: null, headers: lies });
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toMatch(/^\/connect\/[\w-]{43}$/);
  const cookies = answer.headers["set-cookie"] ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).toMatch(/^offers_connect/);
  }
});

describe("another method", () => {
  it.each([
    [oauthPaths.metadata, ["POST", "PUT", "DELETE"], "GET, HEAD, OPTIONS"],
    [oauthPaths.authorize, ["POST", "HEAD", "DELETE"], "GET, OPTIONS"],
    [`${oauthPaths.authorize}/x`, ["POST", "HEAD"], "GET, OPTIONS"],
    [oauthPaths.token, ["GET", "HEAD", "PUT"], "POST, OPTIONS"],
    [oauthPaths.revoke, ["GET", "PATCH"], "POST, OPTIONS"],
    ["/connect/x", ["PUT", "HEAD"], "GET, POST, OPTIONS"],
  ])("at %s is refused with what there is", async (path, methods, allow) => {
    for (const method of methods) {
      const answer = await ask(path, { method, origin: null });
      expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
      if (method !== "HEAD") expect(answer.json()).toMatchObject({ code: "method_not_allowed", status: 405 });
    }
    const asked = await ask(path, { method: "OPTIONS" });
    expect([asked.status, asked.headers.allow]).toEqual([204, allow]);
    expect(asked.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

it.each([
  "/v1/oauth",
  "/v1/oauth/",
  "/v1/oauth/authorize/",
  "/v1/oauth/authorize/a/b",
  "/v1/oauth/jwks",
  "/jwks",
  "/request",
  "/session/end",
  "/me",
  "/reg",
  "/.well-known/openid-configuration",
  "/connect",
  "/connect/",
])("there is nothing at %s", async (path) => {
  const answer = await ask(path, { origin: null });
  expect(answer.status).toBe(404);
  expect(answer.json()).toMatchObject({ code: "not_found" });
});

it.each([
  ["a parameter twice", "scope=reports%3Aread&scope=offers%3Aread"],
  ["an unknown partner", "client_id=client_unknown"],
  ["a partner whose name no database can hold", "client_id=%00"],
  ["nothing", ""],
])("a person who comes with %s sees a page", async (_, query) => {
  const answer = await newBrowser(service).open(`${oauthPaths.authorize}?${query}`);
  expect([answer.status, answer.location]).toEqual([400, ""]);
  expect(answer.headers.get("content-type")).toContain("text/html");
  expect(answer.text).not.toContain("client_unknown");
});

it("a person who comes with more than is kept for them sees a page, and nothing is kept", async () => {
  const { target } = await startConnecting(partner);
  const { pathname, search } = new URL(target, baseUrl);
  const saving = vi.spyOn(service.context.oauth.rows, "saveOauthRow");
  const openWith = (bytes: number) => {
    const query = `${search.slice(1)}&more=`;
    return newBrowser(service).open(`${pathname}?${query.padEnd(bytes, "x")}`);
  };
  const tooLong = await openWith(8193);
  const kept = saving.mock.calls.length;
  const longest = await openWith(8192);
  saving.mockRestore();
  expect([tooLong.status, tooLong.location, kept]).toEqual([400, "", 0]);
  expect(tooLong.headers.get("content-type")).toContain("text/html");
  expect(longest.status).toBe(303);
});

it("a person for whom no more consents may wait sees a page, and is told when to come again", async () => {
  const { target } = await startConnecting(partner);
  const saving = vi.spyOn(service.context.oauth.rows, "saveOauthRow");
  saving.mockResolvedValueOnce(false);
  const answer = await newBrowser(service).open(target);
  saving.mockRestore();
  expect([answer.status, answer.headers.get("retry-after"), answer.location]).toEqual([503, "60", ""]);
  expect(answer.headers.get("content-type")).toContain("text/html");
  expect(answer.text).toContain("Wait a minute");
});

it("asks 200 people of one network in a quarter of an hour, and those of others all the same", async () => {
  const { most, windowMs } = consentTries;
  askedConsents = createTries(consentTries);
  const { target } = await startConnecting(partner);
  const from = (address: string) => ask(target, { origin: null, from: address });
  for (let person = 0; person < most; person += 1)
    expect((await from(`2001:db8:5:${person.toString(16)}::1`)).status).toBe(303);
  const refused = await from("2001:db8:5:ffff::1");
  expect(refused.status).toBe(429);
  expect(refused.headers["content-type"]).toContain("text/html");
  const seconds = Number(refused.headers["retry-after"]);
  expect(seconds).toBeGreaterThan(60);
  expect(seconds).toBeLessThanOrEqual(windowMs / 1000);
  expect((await from("2001:db8:6::1")).status).toBe(303);
  // Whoever was asked goes on.
  const going = await ask(`${oauthPaths.authorize}/unknown`, { origin: null, from: "2001:db8:5:ffff::1" });
  expect(going.status).not.toBe(429);
});

it("people are counted by their network, and partners' servers by their address", async () => {
  const keys: unknown[] = [];
  const { take } = createRateLimits(1000);
  rateLimits = {
    take: (name, key) => {
      if (name === "oauth_address") keys.push(key);
      return take(name, key);
    },
  };
  for (const from of ["2001:db8:1:2::1", "2001:db8:1:3::1"]) {
    await ask(`${oauthPaths.authorize}/unknown`, { origin: null, from });
    await ask("/connect/unknown", { origin: null, from });
    await ask(oauthPaths.token, { method: "POST", origin: null, from });
  }
  const person = "- 2001:db8:1::/48";
  const ofServer = (part: number) => expect.stringMatching(new RegExp(`^- 2001:db8:1:${part}:.*/64$`));
  expect(keys).toEqual([person, person, ofServer(2), person, person, ofServer(3)]);
});

it("a way back that leads nowhere is a page", async () => {
  const answer = await newBrowser(service).open(`${oauthPaths.authorize}/unknown`);
  expect([answer.status, answer.location]).toEqual([400, ""]);
  expect(answer.text).toContain("start again");
});

describe("the token endpoint", () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask(oauthPaths.token, {
      method: "POST",
      origin: null,
      body,
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
    });

  it("answers errors as RFC 6749 says, to whoever would take a page as well", async () => {
    const answer = await post("grant_type=authorization_code&client_id=client_unknown", {
      Accept: "text/html",
    });
    expect(answer.status).toBe(401);
    expect(answer.headers["content-type"]).toContain("application/json");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({ error: "invalid_client" });
  });

  it("refuses JSON, and a body without an end", async () => {
    const json = await post(JSON.stringify({ grant_type: "authorization_code" }), {
      "Content-Type": "application/json",
    });
    expect(json.json()).toMatchObject({ error: "invalid_request" });
    const long = await post(`code=${"a".repeat(17_000)}`);
    expect([long.status, long.json().code]).toEqual([413, "body_too_large"]);
  });

  it("is for no page: neither with a secret nor without", async () => {
    const open = await newPartner(service, { isPublic: true });
    // Not even for the partner's own.
    const page = { Origin: new URL(callback).origin };
    const body = `grant_type=authorization_code&client_id=${open.clientId}&code=x&redirect_uri=${callback}`;
    const without = await post(body, page);
    expect(without.status).toBe(400);
    expect(without.headers["access-control-allow-origin"]).toBeUndefined();
    const secret = Buffer.from(`${partner.clientId}:${partner.clientSecret}`).toString("base64");
    const withSecret = await post(body, { ...page, Authorization: `Basic ${secret}` });
    expect([withSecret.status, withSecret.json().code]).toEqual([403, "browser_not_allowed"]);
  });

  it("takes 20 calls a minute of one partner, tells how many are left, and leaves others in peace", async () => {
    rateLimits = createRateLimits(1);
    const statuses: number[] = [];
    for (let call = 0; call < limits.oauth_token; call += 1) {
      const answer = await refresh(partner, "unknown".padEnd(43, "x"));
      statuses.push(answer.status);
      expect(answer.headers.get("ratelimit")).toContain(`r=${limits.oauth_token - 1 - call};`);
    }
    expect(new Set(statuses)).toEqual(new Set([400]));
    const refused = await refresh(partner, "unknown".padEnd(43, "x"));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    // A client id is no secret: whoever names it elsewhere uses up nothing of its partner's.
    const other = await newPartner(service);
    expect((await refresh(other, "unknown".padEnd(43, "x"))).status).toBe(400);
    const elsewhere = await ask(oauthPaths.token, {
      method: "POST",
      origin: null,
      from: "203.0.113.99",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `grant_type=refresh_token&refresh_token=x&client_id=${partner.clientId}`,
    });
    expect(elsewhere.status).toBe(401);
  });

  it("takes one whose long name begins as another's for somebody else", async () => {
    rateLimits = createRateLimits(1);
    const named = (end: string) => post(`grant_type=refresh_token&client_id=${"x".repeat(100)}${end}`);
    for (let call = 0; call < limits.oauth_token; call += 1) await named("a");
    expect((await named("a")).status).toBe(429);
    expect((await named("b")).status).not.toBe(429);
  });

  it("takes no endless guesses from one address, whatever names they go through", async () => {
    rateLimits = createRateLimits(1);
    const refused: unknown[] = [];
    for (let call = 0; call < limits.oauth_address + 5; call += 1) {
      const { status, headers } = await post(
        `grant_type=refresh_token&client_id=client_${call}&client_secret=x`,
      );
      if (status === 429) refused.push([headers["ratelimit-policy"], headers.ratelimit]);
    }
    expect(refused).toHaveLength(5);
    const told = [
      `"oauth_address";q=${limits.oauth_address};w=60`,
      expect.stringMatching(/^"oauth_address";r=0;t=/),
    ];
    for (const one of refused) expect(one).toEqual(told);
    const { target } = await startConnecting(partner);
    const person = await ask(target, { origin: null });
    expect(person.status).toBe(429);
    expect(person.headers["content-type"]).toContain("text/html");
  });

  it("says try again when the store cannot be asked", async () => {
    const failing = vi.spyOn(service.context.oauth.rows, "findOauthRow");
    failing.mockRejectedValueOnce(new StorageUnavailable("the store is closing", 3));
    const answer = await refresh(partner, "unknown".padEnd(43, "x"));
    failing.mockRestore();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3"]);
    expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  });

  it("answers with the tokens, whose code is used up by then, where it cannot be read for whom they are", async () => {
    const got = await allowed(partner);
    const failing = vi.spyOn(service.context.oauth.rows, "findConnection");
    failing.mockRejectedValueOnce(new StorageUnavailable("the store is closing", 3));
    const answer = await redeem(partner, got);
    failing.mockRestore();
    const tokens = await answer.json();
    expect([answer.status, tokens]).toEqual([
      200,
      expect.objectContaining({ access_token: expect.any(String) }),
    ]);
    expect(tokens).not.toHaveProperty("publisher_id");
  });

  it("says try again when a code that was guessed at cannot be used up", async () => {
    const got = await allowed(partner);
    const ending = vi.spyOn(service.context.oauth.rows, "endGrant");
    ending.mockRejectedValueOnce(new StorageUnavailable("the store is closing", 3));
    const answer = await redeem(partner, { ...got, verifier: oauth.generateRandomCodeVerifier() });
    ending.mockRestore();
    const { status, headers } = answer;
    expect([status, headers.get("retry-after"), headers.get("cache-control")]).toEqual([
      503,
      "3",
      "no-store",
    ]);
    expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
  });
});

it.each(["open", "submit"] as const)(
  "a person sees a page when the store cannot be asked: %s",
  async (does) => {
    const browser = newBrowser(service);
    const consent = await openConsent(browser, (await startConnecting(partner)).target);
    const failing = vi.spyOn(service.context.oauth.rows, "findOauthRow");
    failing.mockRejectedValueOnce(new StorageUnavailable("the store is closing", 3));
    const answer = await browser[does](consent, {});
    failing.mockRestore();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3"]);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  },
);

it("a connection outlives a restart, and so does a consent under way", async () => {
  const tokens = await connect(partner);
  const browser = newBrowser(service);
  const { target } = await startConnecting(partner);
  const consent = await openConsent(browser, target);
  const restarted = await startOauthService({ copyOf: service });
  try {
    const there = { ...partner, service: restarted, options: { [oauth.customFetch]: fetchFrom(restarted) } };
    expect((await refresh(there, tokens.refresh)).status).toBe(200);
    const again = newBrowser(restarted);
    for (const [name, cookie] of browser.cookies) again.cookies.set(name, cookie);
    const back = await answerConsent(again, consent);
    expect(back.searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  } finally {
    await restarted.close();
  }
});

it("a connection is limited as a key is, and each by itself", async () => {
  const [one, other] = [await connect(partner), await connect(partner)];
  rateLimits = createRateLimits(0.01);
  const statuses: number[] = [];
  for (let call = 0; call < 7; call += 1) {
    const answer = await callWith(service, one.access, ["/v1/offers", "/v1/reports/aggregate"][call % 2]);
    statuses.push(answer.status);
    expect(answer.headers["ratelimit-policy"]).toBe('"key";q=6;w=60');
  }
  expect(statuses).toEqual([...Array(6).fill(200), 429]);
  expect((await callWith(service, other.access, "/v1/offers")).status).toBe(200);
});

describe("what OAuth 2.0 does not know", () => {
  it.each([
    ["a nonce", { nonce: "n-0S6_WzA2Mj" }],
    ["an age", { max_age: "3600" }],
    ["classes of authentication", { acr_values: "urn:mace:incommon:iap:silver" }],
    ["locales", { claims_locales: "de" }],
    ["a hint of who it is", { id_token_hint: "e30.e30.e30" }],
    ["a prompt of another server", { prompt: "select_account" }],
    ["a prompt of both", { prompt: "select_account consent" }],
    ["a mode without a value", { response_mode: "" }],
  ])("is passed over: %s", async (_, more) => {
    const { code } = await allowed(partner, { more });
    expect(code).toMatch(/^[\w-]{43}$/);
  });

  it("takes no word from beside it", async () => {
    const { target } = await startConnecting(partner, { prompt: "none select_account" });
    const { location } = await newBrowser(service).open(target);
    expect(new URL(location).searchParams.get("error")).toBe("login_required");
  });
});

describe("a question that cannot be answered", () => {
  it.each([
    ["for a service that is not this one", { resource: "https://other.example" }, "invalid_target"],
    ["with an object in its place", { request: "e30.e30." }, "request_not_supported"],
    ["for an identity", { nonce: "x", scope: "openid reports:read" }, "invalid_scope"],
    ["with an object's address", { request_uri: "https://partner.example/x" }, "request_uri_not_supported"],
    ["with a registration", { registration: "{}" }, "registration_not_supported"],
  ])("%s goes back as an error", async (_, more, error) => {
    const { target, state } = await startConnecting(partner, more);
    const { location } = await newBrowser(service).open(target);
    const back = new URL(location);
    expect(back.origin + back.pathname).toBe(callback);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state, iss: baseUrl });
  });

  it.each([
    "response_mode=fragment",
    "response%5Fmode=fragment",
    "%72esponse_mode=%66ragment",
    "response_mode=form_post",
    "response_mode=web_message",
  ])("by %s asks nobody", async (asked) => {
    const { target } = await startConnecting(partner);
    const answer = await newBrowser(service).open(`${target}&${asked}`);
    expect(answer.location).not.toContain("/connect/");
    expect(answer.location + answer.text).toMatch(/invalid_request|unsupported_response_mode/);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  });
});

describe("a native application", () => {
  it("comes back at any port of a loopback host, and at no other path", async () => {
    const app = await newPartner(service, {
      isPublic: true,
      applicationType: "native",
      redirectUris: ["http://127.0.0.1/callback"],
    });
    const more = { redirect_uri: "http://127.0.0.1:51004/callback" };
    const { address } = await allowed(app, { more });
    expect(address.host).toBe("127.0.0.1:51004");
    for (const uri of ["http://127.0.0.1:51004/other", "http://localhost:51004/callback"]) {
      const { target } = await startConnecting(app, { redirect_uri: uri });
      expect((await newBrowser(service).open(target)).status).toBe(400);
    }
  });

  it("is the only one: on the web the port counts", async () => {
    const web = await newPartner(service, { redirectUris: ["http://127.0.0.1:9000/callback"] });
    const { target } = await startConnecting(web, { redirect_uri: "http://127.0.0.1:9001/callback" });
    expect((await newBrowser(service).open(target)).status).toBe(400);
  });
});

describe("a partner with fewer scopes", () => {
  it("is not asked about others", async () => {
    const reader = await newPartner(service, { scopes: ["reports:read"] });
    const { target } = await startConnecting(reader, { scope: "reports:read offers:read" });
    const { location } = await newBrowser(service).open(target);
    expect(new URL(location).searchParams.get("error")).toBe("invalid_scope");
    const tokens = await connect(reader, { more: { scope: "reports:read" } });
    expect(tokens.scope).toBe("reports:read");
  });

  it("cannot widen what it was allowed by refreshing, and may narrow it", async () => {
    const tokens = await connect(partner, { more: { scope: "reports:read offers:read" } });
    const ask = (scope: string, token: string) =>
      oauth.refreshTokenGrantRequest(partner.server, partner.client, partner.auth, token, {
        ...partner.options,
        additionalParameters: { scope },
      });
    const wider = await ask("reports:read events:write", tokens.refresh);
    expect(await wider.json()).toMatchObject({ error: "invalid_scope" });
    const narrower = await ask("offers:read", tokens.refresh);
    const { access_token: access, scope } = JSON.parse(await narrower.text());
    expect(scope).toBe("offers:read");
    expect((await callWith(service, access)).status).toBe(403);
    expect((await callWith(service, access, "/v1/offers")).status).toBe(200);
  });
});

it("a partner that is revoked loses every connection, and is known no more", async () => {
  const doomed = await newPartner(service);
  const tokens = await connect(doomed);
  const got = await allowed(doomed);
  const now = service.context.clock();
  const liveOf = async () =>
    (await listPartners(service.catalogue.db, now)).find(({ clientId }) => clientId === doomed.clientId)
      ?.liveGrants;
  expect(await liveOf()).toBe(2);
  await revokePartner(service.catalogue, doomed.clientId, now);
  expect(await liveOf()).toBe(0);
  expect((await callWith(service, tokens.access)).status).toBe(401);
  expect((await redeem(doomed, got)).status).toBe(401);
  expect((await refresh(doomed, tokens.refresh)).status).toBe(401);
  const { target } = await startConnecting(doomed);
  expect((await newBrowser(service).open(target)).status).toBe(400);
});

it("no code, token, cookie or secret stands in the database or in the log, and nothing speaks to the console", async () => {
  const browser = newBrowser(service);
  const { target } = await startConnecting(partner);
  const waiting = await openConsent(browser, target);
  const open = await allowed(partner, { browser: newBrowser(service) });
  const used = await allowed(partner);
  const { access_token: first, refresh_token: rotated } = JSON.parse(
    await (await redeem(partner, used)).text(),
  );
  const next = await refreshed(partner, rotated);
  await callWith(service, next.access);
  const secrets = [
    partner.clientSecret,
    waiting.slice("/connect/".length),
    open.code,
    used.code,
    first,
    rotated,
    next.access,
    next.refresh,
    ...[...browser.cookies.values()].map(({ value }) => value),
  ].map(String);
  expect(secrets.every((secret) => secret.length >= 20)).toBe(true);
  const stored = service.dump();
  // The search finds what is there.
  expect(stored.includes(partner.clientId)).toBe(true);
  for (const secret of secrets) {
    expect(stored.includes(secret)).toBe(false);
    expect(JSON.stringify(logged)).not.toContain(secret);
  }
  expect(said).toEqual([]);
});

it("what has expired is deleted, and what has not is kept", async () => {
  const tokens = await connect(partner);
  await allowed(partner);
  const rowsOf = (model: string) => service.stored.table("oauth_row").filter((row) => row.model === model);
  const unused = () => rowsOf("AuthorizationCode").filter((row) => row.consumed_at === null);
  expect(unused()).not.toEqual([]);
  service.moveClock(60 * 60 * 1000);
  await service.purge(service.context.clock());
  expect([...unused(), ...rowsOf("AccessToken"), ...rowsOf("Interaction")]).toEqual([]);
  expect(rowsOf("AuthorizationCode"), "it tells that somebody uses it again").not.toEqual([]);
  expect(rowsOf("RefreshToken")).not.toEqual([]);
  expect((await refresh(partner, tokens.refresh)).status).toBe(200);
  service.moveClock(31 * 24 * 60 * 60 * 1000);
  await service.purge(service.context.clock());
  expect(service.stored.table("oauth_row")).toEqual([]);
});

it("the library is loaded by the first who needs it", () => {
  const names = (file: string) =>
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { registerHooks } from "node:module";
         const asked = [];
         registerHooks({ resolve: (name, context, next) => { asked.push(name); return next(name, context); } });
         await import(${JSON.stringify(new URL(file, import.meta.url).href)});
         console.log(asked.join(" "));`,
      ],
      { encoding: "utf8" },
    ).split(/\s/);
  expect(names("./serve-oauth.ts")).not.toContain("oidc-provider");
  expect(names("./provider.ts")).toContain("oidc-provider");
});

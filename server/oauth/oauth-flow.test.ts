import { oauthLifetimes } from "@offers/contract/oauth";
import { scopes } from "@offers/contract/words";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { retirePartnerSecrets, rotatePartnerSecret } from "../store/catalogue/oauth-clients.ts";
import { listGrants } from "../store/catalogue/oauth-grants.ts";
import {
  ada,
  allowed,
  callback,
  callWith,
  connect,
  holdUntil,
  newBrowser,
  newPartner,
  type OauthService,
  openConsent,
  type Partner,
  redeem,
  refresh,
  refreshed,
  revoke,
  startConnecting,
  startOauthService,
} from "../testing/partner.ts";
import { baseUrl } from "../testing/test-service.ts";

let service: OauthService;
let confidential: Partner;
let open: Partner;
beforeAll(async () => {
  service = await startOauthService();
  confidential = await newPartner(service);
  open = await newPartner(service, { name: "On a phone", isPublic: true });
});
afterAll(async () => {
  await service.close();
  expect(service.errors).toEqual([]);
});

const bothKinds = [
  ["with a secret", () => confidential],
  ["without a secret", () => open],
] as const;

const past = 2100;
/** What may still be believed of a token is over. */
const letBelievedPass = () => service.moveClock(past);

/** Under fake timers: the library has no other clock than the process's. */
const pass = (seconds: number) => {
  vi.setSystemTime(Date.now() + seconds * 1000);
  service.moveClock(seconds * 1000);
};

/** The connections of a partner that its publisher is shown. */
const connectionsOf = async ({ clientId }: Partner) => {
  const asked = { publisherId: "publisher_a", now: service.context.clock() };
  return (await listGrants(service.catalogue.db, asked)).filter((grant) => grant.clientId === clientId);
};

const errorOf = async (response: Response) => {
  const { status } = response;
  const body = (await response.json()) as { error?: string };
  return { status, error: body.error };
};

/** Those of the one good answer among these. */
const tokensIn = async (
  answers: readonly Response[],
): Promise<{ access_token: string; refresh_token: string }> =>
  JSON.parse((await answers.find(({ status }) => status === 200)?.text()) ?? "{}");

describe("a partner's secret that is replaced", () => {
  const hourMs = 60 * 60 * 1000;
  const withSecret = (partner: Partner, secret: string): Partner => ({
    ...partner,
    auth: oauth.ClientSecretBasic(secret),
  });
  const refused = { status: 401, error: "invalid_client" };

  it("goes on for its time beside the new one, and both refresh the connections that there are", async () => {
    const partner = await newPartner(service, { name: "Two secrets" });
    const first = partner.clientSecret ?? "";
    const tokens = await connect(partner);
    const now = service.context.clock();
    const { clientSecret: second } = await rotatePartnerSecret(service.catalogue, partner.clientId, {
      overlapMs: hourMs,
      now,
    });
    const byOld = await refreshed(withSecret(partner, first), tokens.refresh);
    const byNew = await refreshed(withSecret(partner, second), byOld.refresh);
    service.moveClock(hourMs + 1);
    expect(await errorOf(await refresh(withSecret(partner, first), byNew.refresh))).toEqual(refused);
    expect((await refresh(withSecret(partner, second), byNew.refresh)).status).toBe(200);
  });

  it("ends sooner where the partner has changed over, and the newest goes on", async () => {
    const partner = await newPartner(service, { name: "Changed over" });
    const tokens = await connect(partner);
    const now = service.context.clock();
    const { clientId } = partner;
    const { clientSecret } = await rotatePartnerSecret(service.catalogue, clientId, {
      overlapMs: hourMs,
      now,
    });
    expect(await retirePartnerSecrets(service.catalogue, clientId)).toEqual({ clientId, endedSecrets: 1 });
    expect(await errorOf(await refresh(partner, tokens.refresh))).toEqual(refused);
    expect((await refresh(withSecret(partner, clientSecret), tokens.refresh)).status).toBe(200);
  });

  it("ends at once where nothing else is wanted, with all that were replaced before, and is nobody else's", async () => {
    const partner = await newPartner(service, { name: "Leaked" });
    const other = await newPartner(service, { name: "Somebody else" });
    const tokens = await connect(partner);
    const ofOther = await connect(other);
    const turn = (overlapMs: number) =>
      rotatePartnerSecret(service.catalogue, partner.clientId, { overlapMs, now: service.context.clock() });
    const { clientSecret: second } = await turn(hourMs);
    const strangers = withSecret(other, partner.clientSecret ?? "");
    expect(await errorOf(await refresh(strangers, ofOther.refresh))).toEqual(refused);
    const { clientSecret: third } = await turn(0);
    for (const secret of [partner.clientSecret ?? "", second]) {
      expect(await errorOf(await refresh(withSecret(partner, secret), tokens.refresh))).toEqual(refused);
    }
    expect((await refresh(withSecret(partner, third), tokens.refresh)).status).toBe(200);
  });
});

describe.each(bothKinds)("a partner %s", (_, partnerOf) => {
  it("is connected, reads a report, refreshes, and is let in no more once it has revoked", async () => {
    const partner = partnerOf();
    const tokens = await connect(partner);
    expect(tokens.scope.split(" ").toSorted()).toEqual([...scopes].toSorted());
    expect((await callWith(service, tokens.access)).status).toBe(200);
    const next = await refreshed(partner, tokens.refresh);
    expect(next.refresh).not.toBe(tokens.refresh);
    expect((await callWith(service, next.access)).status).toBe(200);
    expect((await revoke(partner, next.refresh)).status).toBe(200);
    letBelievedPass();
    for (const { access } of [tokens, next]) expect((await callWith(service, access)).status).toBe(401);
    expect(await errorOf(await refresh(partner, next.refresh))).toEqual({
      status: 400,
      error: "invalid_grant",
    });
  });

  it("is answered with its state and with whose answer it is", async () => {
    const { parameters, address } = await allowed(partnerOf());
    expect(parameters.get("iss")).toBe(baseUrl);
    expect(address.origin + address.pathname).toBe(callback);
  });

  it("gets tokens that nobody keeps", async () => {
    const partner = partnerOf();
    const answer = await redeem(partner, await allowed(partner));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const { access_token: access, refresh_token: token, ...told } = JSON.parse(await answer.text());
    expect(told).toEqual({
      token_type: "Bearer",
      scope: expect.any(String),
      expires_in: oauthLifetimes.accessTokenSeconds,
      refresh_token_expires_in: oauthLifetimes.connectionSeconds,
      publisher_id: "publisher_a",
      publisher_name: "Publisher a",
    });
    const next = JSON.parse(await (await refresh(partner, token)).text());
    expect({ ...next, scope: told.scope }).toEqual({
      ...told,
      access_token: expect.not.stringMatching(access),
      refresh_token: expect.not.stringMatching(token),
    });
  });

  it.each([
    ["no code_challenge", { code_challenge: null, code_challenge_method: null }],
    ["plain", { code_challenge_method: "plain" }],
    ["plain by leaving the method out", { code_challenge_method: null }],
  ])("with %s is sent back with invalid_request", async (_, more) => {
    const { target, state } = await startConnecting(partnerOf(), more);
    const answer = await newBrowser(service).open(target);
    expect(answer.status).toBe(303);
    const back = new URL(answer.location);
    expect(back.origin + back.pathname).toBe(callback);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "invalid_request",
      state,
      iss: baseUrl,
    });
    expect(back.searchParams.has("code")).toBe(false);
  });

  it.each([
    ["another address", "https://partner.example/other"],
    ["an address below", `${callback}/below`],
    ["another query", `${callback}?a=1`],
    ["another case", "https://PARTNER.example/callback"],
    ["a slash more", `${callback}/`],
    ["another port", "https://partner.example:444/callback"],
    ["another host", "https://evil.example/callback"],
    ["no address", null],
  ])("is not sent back to %s: a person sees a page", async (_, redirectUri) => {
    const { target } = await startConnecting(partnerOf(), { redirect_uri: redirectUri });
    const answer = await newBrowser(service).open(target);
    expect(answer.status).toBe(400);
    expect(answer.location).toBe("");
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).not.toContain("evil.example");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("uses its code up with a wrong verifier", async () => {
    const partner = partnerOf();
    const others = await connectionsOf(partner);
    const got = await allowed(partner);
    const wrong = { ...got, verifier: oauth.generateRandomCodeVerifier() };
    expect(await connectionsOf(partner)).toHaveLength(others.length + 1);
    expect(await errorOf(await redeem(partner, wrong))).toEqual({ status: 400, error: "invalid_grant" });
    expect(await connectionsOf(partner), "nobody can use that one any more").toEqual(others);
    expect(await errorOf(await redeem(partner, got))).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("uses its code up with another redirect address", async () => {
    const partner = partnerOf();
    const got = await allowed(partner);
    const wrong = { ...got, redirectUri: "https://partner.example/other" };
    expect(await errorOf(await redeem(partner, wrong))).toEqual({ status: 400, error: "invalid_grant" });
    expect(await errorOf(await redeem(partner, got))).toEqual({ status: 400, error: "invalid_grant" });
  });

  it("comes too late with a code after 60 seconds, and in time just before", async () => {
    const partner = partnerOf();
    const late = await allowed(partner);
    service.moveClock(60_000);
    expect(await errorOf(await redeem(partner, late))).toEqual({ status: 400, error: "invalid_grant" });
    const inTime = await allowed(partner);
    service.moveClock(59_999);
    expect((await redeem(partner, inTime)).status).toBe(200);
  });

  it.each([
    ["as it was", {}],
    ["with another verifier", { verifier: oauth.generateRandomCodeVerifier() }],
    ["with another redirect address", { redirectUri: "https://partner.example/other" }],
  ])(
    "loses the connection when a code is used twice, the second time %s, and no other one",
    async (_, change) => {
      const partner = partnerOf();
      const stranger = partner === open ? confidential : open;
      const other = await connect(partner);
      const got = await allowed(partner);
      const first = await redeem(partner, got);
      const { access_token: access } = (await first.json()) as { access_token: string };
      expect((await redeem(stranger, { ...got, ...change })).status).toBe(400);
      letBelievedPass();
      expect((await callWith(service, access)).status).toBe(200);
      expect(await errorOf(await redeem(partner, { ...got, ...change }))).toEqual({
        status: 400,
        error: "invalid_grant",
      });
      letBelievedPass();
      expect((await callWith(service, access)).status).toBe(401);
      expect((await callWith(service, other.access)).status).toBe(200);
    },
  );

  it("loses the connection when a used code comes again weeks later", async () => {
    const partner = partnerOf();
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const got = await allowed(partner);
      const { refresh_token: first } = await tokensIn([await redeem(partner, got)]);
      pass(20 * 24 * 60 * 60);
      const { access } = await refreshed(partner, first);
      expect(await errorOf(await redeem(partner, got))).toEqual({ status: 400, error: "invalid_grant" });
      letBelievedPass();
      expect((await callWith(service, access)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it("gets one answer for a code that comes eight times at once, twenty times over, and no connection", async () => {
    const partner = partnerOf();
    for (let round = 0; round < 20; round += 1) {
      const got = await allowed(partner);
      const stop = holdUntil(service, "AuthorizationCode", 8);
      const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(partner, got)));
      stop();
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses, `round ${round}`).toEqual([200, ...Array(7).fill(400)]);
      const won = await tokensIn(answers);
      expect((await callWith(service, won.access_token)).status).toBe(401);
    }
  });

  it("loses all tokens of the connection when a refresh token is used again", async () => {
    const partner = partnerOf();
    const first = await connect(partner);
    const second = await refreshed(partner, first.refresh);
    expect(await errorOf(await refresh(partner, first.refresh))).toEqual({
      status: 400,
      error: "invalid_grant",
    });
    letBelievedPass();
    for (const { access } of [first, second]) expect((await callWith(service, access)).status).toBe(401);
    expect((await refresh(partner, second.refresh)).status).toBe(400);
  });

  it("loses them also when what comes with a used refresh token is refused anyway, and not with a fresh one", async () => {
    const partner = partnerOf();
    const stranger = partner === open ? confidential : open;
    const widerBy = ({ server, client, auth, options }: Partner, token: string) =>
      oauth.refreshTokenGrantRequest(server, client, auth, token, {
        ...options,
        additionalParameters: { scope: scopes.join(" ") },
      });
    const first = await connect(partner, { more: { scope: "reports:read" } });
    expect(await errorOf(await widerBy(partner, first.refresh))).toEqual({
      status: 400,
      error: "invalid_scope",
    });
    const { access } = await refreshed(partner, first.refresh);
    expect((await widerBy(stranger, first.refresh)).status).toBe(400);
    letBelievedPass();
    expect((await callWith(service, access)).status).toBe(200);
    expect(await errorOf(await widerBy(partner, first.refresh))).toEqual({
      status: 400,
      error: "invalid_scope",
    });
    letBelievedPass();
    expect((await callWith(service, access)).status).toBe(401);
  });

  it("gets one answer for a refresh token that comes four times at once, and then none at all", async () => {
    const partner = partnerOf();
    const tokens = await connect(partner);
    const stop = holdUntil(service, "RefreshToken", 4);
    const answers = await Promise.all(Array.from({ length: 4 }, () => refresh(partner, tokens.refresh)));
    stop();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    const won = await tokensIn(answers);
    expect((await callWith(service, won.access_token)).status).toBe(401);
    expect((await refresh(partner, won.refresh_token)).status).toBe(400);
  });

  it("keeps the end of the first refresh token", async () => {
    const partner = partnerOf();
    const kept = () => service.stored.table("oauth_row").filter(({ model }) => model === "RefreshToken");
    const known = new Set(kept().map(({ id_hash }) => id_hash));
    const endOfTheNext = (): number => {
      const next = kept().find(({ id_hash }) => !known.has(id_hash));
      known.add(next?.id_hash);
      return Number(next?.expires_at);
    };
    const days = 20 * 24 * 60 * 60;
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const tokens = await connect(partner);
      const end = endOfTheNext();
      expect(end - service.context.clock()).toBe(30 * 24 * 60 * 60 * 1000);
      pass(days);
      const next = await refreshed(partner, tokens.refresh);
      expect(Math.abs(endOfTheNext() - end)).toBeLessThanOrEqual(1000);
      pass(days);
      expect(await errorOf(await refresh(partner, next.refresh))).toEqual({
        status: 400,
        error: "invalid_grant",
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not refreshed beyond its consent, however late the code came", async () => {
    const partner = partnerOf();
    const { connectionSeconds } = oauthLifetimes;
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { target, verifier, state } = await startConnecting(partner);
      const browser = newBrowser(service);
      const consent = await openConsent(browser, target);
      const form = { user: "1", publisher: "publisher_a", answer: "allow" };
      const { location } = await browser.submit(consent, form);
      pass(600);
      const address = new URL((await browser.open(location)).location);
      const parameters = oauth.validateAuthResponse(partner.server, partner.client, address, state);
      const answer = await redeem(partner, { parameters, verifier, redirectUri: callback });
      const { refresh_token: first } = await tokensIn([answer]);
      pass(connectionSeconds - 660);
      const answered = await refresh(partner, first);
      const text = await answered.clone().text();
      // No longer than the token opens anything.
      expect(JSON.parse(text)).toMatchObject({ expires_in: 60, refresh_token_expires_in: 60 });
      const { access_token: access, refresh_token: token } = await tokensIn([answered]);
      const next = { access, refresh: token };
      expect((await callWith(service, next.access)).status).toBe(200);
      pass(61);
      expect(await errorOf(await refresh(partner, next.refresh))).toEqual({
        status: 400,
        error: "invalid_grant",
      });
      expect((await callWith(service, next.access)).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends its connection once by giving a token back", async () => {
    const partner = partnerOf();
    const tokens = await connect(partner);
    const ending = vi.spyOn(service.context.oauth.rows, "endGrant");
    expect((await revoke(partner, tokens.access)).status).toBe(200);
    expect(ending).toHaveBeenCalledOnce();
    ending.mockRestore();
    expect((await refresh(partner, tokens.refresh)).status).toBe(400);
  });

  it("revokes what is none, or somebody else's, without effect", async () => {
    const partner = partnerOf();
    const other = partner === open ? confidential : open;
    const theirs = await connect(other);
    expect((await revoke(partner, "unknown".padEnd(43, "x"))).status).toBe(200);
    expect((await revoke(partner, theirs.access)).status).toBe(200);
    expect((await revoke(partner, theirs.refresh)).status).toBe(200);
    letBelievedPass();
    expect((await callWith(service, theirs.access)).status).toBe(200);
    expect((await refresh(other, theirs.refresh)).status).toBe(200);
  });

  it("cannot redeem what was given to another", async () => {
    const partner = partnerOf();
    const other = partner === open ? confidential : open;
    const got = await allowed(other);
    expect((await redeem(partner, got)).status).toBe(400);
    expect((await redeem(other, got)).status).toBe(200);
  });

  it("is refused grants and answers that there are none of", async () => {
    const partner = partnerOf();
    const password = await oauth.genericTokenEndpointRequest(
      partner.server,
      partner.client,
      partner.auth,
      "password",
      { username: "ada", password: "secret" },
      partner.options,
    );
    expect(await errorOf(password)).toEqual({ status: 400, error: "unsupported_grant_type" });
    const { target } = await startConnecting(partner, { response_type: "token" });
    const answer = await newBrowser(service).open(target);
    expect(new URL(answer.location).hash + new URL(answer.location).search).toContain(
      "error=unsupported_response_type",
    );
  });

  it.each(["reports:read admin", "openid", "offline_access", "reports:read offline_access"])(
    "is not asked about the scope %s",
    async (scope) => {
      const { target, state } = await startConnecting(partnerOf(), { scope });
      const browser = newBrowser(service);
      let { location } = await browser.open(target);
      // Some are found out on the way to the consent, which is not shown then.
      while (!location.startsWith(callback)) ({ location } = await browser.open(location));
      const back = new URL(location);
      expect(back.searchParams.get("error")).toBe("invalid_scope");
      expect(back.searchParams.get("state")).toBe(state);
    },
  );

  it("that asks for nothing is sent back with invalid_scope before anybody signs in", async () => {
    const { target, state } = await startConnecting(partnerOf(), { scope: null });
    service.signIn(null);
    try {
      const browser = newBrowser(service);
      const answer = await browser.open(await openConsent(browser, target));
      const back = new URL((await browser.open(answer.location)).location);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error: "invalid_scope",
        state,
        iss: baseUrl,
      });
    } finally {
      service.signIn(ada);
    }
  });

  it("hears login_required when nobody may be asked, though somebody was asked before in that browser", async () => {
    const browser = newBrowser(service);
    await connect(partnerOf(), { browser });
    expect([...browser.cookies.keys()].filter((name) => !name.startsWith("offers_connect"))).toEqual([]);
    expect(service.stored.table("oauth_row").filter(({ model }) => model === "Session")).toEqual([]);
    const { target } = await startConnecting(partnerOf(), { prompt: "none" });
    const back = new URL((await browser.open(target)).location);
    expect(back.searchParams.get("error")).toBe("login_required");
  });
});

it("refuses a partner with a wrong secret, or none", async () => {
  const got = await allowed(confidential);
  for (const auth of [
    oauth.ClientSecretBasic("cs_wrong"),
    oauth.None(),
    oauth.ClientSecretPost("cs_wrong"),
  ]) {
    expect(await errorOf(await redeem({ ...confidential, auth }, got))).toEqual({
      status: 401,
      error: "invalid_client",
    });
  }
  // The secret is kept as its hash, which opens nothing.
  const kept = service.stored.table("oauth_client").find(({ id }) => id === confidential.clientId);
  expect(kept?.secret_hash).toMatch(/^[\w-]{43}$/);
  const auth = oauth.ClientSecretBasic(String(kept?.secret_hash));
  expect((await redeem({ ...confidential, auth }, got)).status).toBe(401);
  const inBody = oauth.ClientSecretPost(confidential.clientSecret ?? "");
  expect((await redeem({ ...confidential, auth: inBody }, got)).status).toBe(200);
});

import { publicKey, publisherId } from "@offers/contract/ids";
import { oauthPaths } from "@offers/contract/oauth";
import { type Role, scopes } from "@offers/contract/words";
import * as oauth from "oauth4webapi";
import type { SignedIn } from "../core/signed-in.ts";
import { createPartner, type IssuedPartner, type PartnerInput } from "../store/catalogue/oauth-clients.ts";
import { putMember } from "../store/catalogue/team-members.ts";
import { baseUrl, startTestService, type TestService } from "./test-service.ts";

export const callback = "https://partner.example/callback";

/** A service that partners can be connected to. */
export type OauthService = TestService & {
  /** Who is signed in to the dashboard in every browser of the test; null: nobody. */
  signIn: (who: SignedIn | null) => void;
};

export async function startOauthService(
  settings: Parameters<typeof startTestService>[0] = {},
): Promise<OauthService> {
  const now: { who: SignedIn | null; kept: Promise<void> | null } = { who: ada, kept: null };
  const service = await startTestService({
    signedIn: async () => {
      const { who } = now;
      if (who !== null && now.kept === null) now.kept = keepPerson(service, who);
      await now.kept;
      return who;
    },
    ...settings,
  });
  return Object.assign(service, {
    signIn: (who: SignedIn | null) => {
      Object.assign(now, { who, kept: null });
    },
  });
}

/** Has the database say of somebody what the test does. */
const keepPerson = ({ catalogue }: TestService, who: SignedIn): Promise<void> =>
  catalogue.transact(async (db) => {
    const { userId, email, name, memberships } = who;
    await db
      .insertInto("user")
      .values({
        ...{ id: userId, email, name, password_hash: null, is_operator: 0, created_at: 0, disabled_at: null },
      })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ disabled_at: null }))
      .execute();
    await db.deleteFrom("member").where("user_id", "=", userId).execute();
    // A test may have somebody work for a publisher that is not there.
    const there = new Set((await db.selectFrom("publisher").select("id").execute()).map(({ id }) => id));
    for (const { publisherId: owned, role } of memberships) {
      if (there.has(owned)) await putMember(db, { userId, publisherId: owned, role }, 0);
    }
  });

/** Somebody who works for these publishers of the fixture. */
export function person(userId: number, name: string, works: Readonly<Record<string, Role>>): SignedIn {
  return {
    userId,
    email: `${name.toLowerCase()}@people.example`,
    name,
    isOperator: false,
    theme: "auto",
    memberships: Object.entries(works).map(([id, role]) => ({
      publisherId: publisherId.parse(id),
      publicKey: publicKey.parse(id.replace("publisher", "pub")),
      name: `Publisher ${id.slice(-1).toUpperCase()}`,
      role,
    })),
    sessionId: userId,
    hasPassword: true,
    // A moment ago, whatever time it is.
    signedInAt: Number.MAX_SAFE_INTEGER,
  };
}

export const ada = person(1, "Ada", { publisher_a: "owner" });

/** Fetches what is under BASE_URL from the service of the test, with these headers more. */
export function fetchFrom(service: Pick<TestService, "url">, headers: Record<string, string> = {}) {
  return (target: string, init: Fetched = {}): Promise<Response> => {
    const url = target.replace(baseUrl, service.url);
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const { method = "GET", body = null } = init;
    return fetch(url, { method, body, headers: all, redirect: "manual" });
  };
}

type Fetched = {
  method?: string;
  body?: URLSearchParams | string | null | undefined;
  headers?: Record<string, string>;
};

/** A browser: it keeps cookies, and goes to where it is told only when the test says so. */
export function newBrowser(service: Pick<TestService, "url">) {
  const cookies = new Map<string, { value: string; path: string }>();
  const send = async (target: string, init: Fetched = {}) => {
    const url = new URL(target, baseUrl);
    const sent = [...cookies]
      .filter(([, { path }]) => url.pathname === path || path === "/" || url.pathname.startsWith(`${path}/`))
      .map(([name, { value }]) => `${name}=${value}`);
    const headers = { ...(sent.length > 0 && { Cookie: sent.join("; ") }) };
    const response = await fetchFrom(service, headers)(url.href, init);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? "/";
      if (value === "" || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, { value, path });
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  };
  return {
    cookies,
    open: (target: string, headers: Record<string, string> = {}) => send(target, { headers }),
    submit: (target: string, form: Record<string, string>, headers: Record<string, string> = sameOrigin) =>
      send(target, { method: "POST", body: new URLSearchParams(form), headers }),
  };
}

export type Browser = ReturnType<typeof newBrowser>;

const sameOrigin = { "Sec-Fetch-Site": "same-origin" };

export type Partner = IssuedPartner & {
  client: oauth.Client;
  auth: oauth.ClientAuth;
  server: oauth.AuthorizationServer;
  service: OauthService;
  options: { [oauth.customFetch]: ReturnType<typeof fetchFrom> };
};

/** A partner that is registered and knows the service as its metadata has it. */
export async function newPartner(service: OauthService, input: Partial<PartnerInput> = {}): Promise<Partner> {
  const now = service.context.clock();
  const given = { name: "Reports & Co", redirectUris: [callback], ...input };
  const issued = await createPartner(service.catalogue, given, now);
  const options = { [oauth.customFetch]: fetchFrom(service) };
  const server = await oauth.processDiscoveryResponse(
    new URL(baseUrl),
    await oauth.discoveryRequest(new URL(baseUrl), { algorithm: "oauth2", ...options }),
  );
  const { clientId, clientSecret } = issued;
  const auth = clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
  return { ...issued, client: { client_id: clientId }, auth, server, service, options };
}

/** A way to the consent: its address, and what the partner has to remember of it. */
export async function startConnecting(
  partner: Partner,
  more: Record<string, string | null> = {},
): Promise<{ target: string; verifier: string; state: string }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const asked: Record<string, string | null> = {
    client_id: partner.clientId,
    redirect_uri: callback,
    response_type: "code",
    scope: scopes.join(" "),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...more,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== null) query.append(name, value);
  return { target: `${oauthPaths.authorize}?${query}`, verifier, state };
}

/** Goes as far as the consent page in a browser; where it stands. */
export async function openConsent(browser: Browser, target: string): Promise<string> {
  const sent = await browser.open(target);
  if (sent.status !== 303 || !sent.location.startsWith("/connect/"))
    throw new Error(`no consent was asked for: ${sent.status} ${sent.location} ${sent.text}`);
  return sent.location;
}

/** Answers a consent page, and follows to where the partner is told. */
export async function answerConsent(
  browser: Browser,
  consent: string,
  form: Record<string, string> = {},
): Promise<URL> {
  const answered = await browser.submit(consent, {
    user: "1",
    publisher: "publisher_a",
    answer: "allow",
    ...form,
  });
  if (answered.status !== 303) throw new Error(`not answered: ${answered.status} ${answered.text}`);
  const back = await browser.open(answered.location);
  if (back.status !== 303) throw new Error(`not sent back: ${back.status} ${back.text}`);
  return new URL(back.location);
}

/** What a partner has once a person has allowed it: a code, and what it is redeemed with. */
export async function allowed(
  partner: Partner,
  given: {
    browser?: Browser;
    more?: Record<string, string | null>;
    form?: Record<string, string>;
  } = {},
): Promise<{
  address: URL;
  code: string;
  verifier: string;
  redirectUri: string;
  parameters: URLSearchParams;
}> {
  const { browser = newBrowser(partner.service), more = {}, form = {} } = given;
  const { target, verifier, state } = await startConnecting(partner, more);
  const address = await answerConsent(browser, await openConsent(browser, target), form);
  const parameters = oauth.validateAuthResponse(partner.server, partner.client, address, state);
  const code = parameters.get("code") ?? "";
  return { address, code, verifier, redirectUri: more.redirect_uri ?? callback, parameters };
}

/** Redeems a code; the raw answer. */
export function redeem(
  partner: Partner,
  {
    parameters,
    verifier,
    redirectUri,
  }: Pick<Awaited<ReturnType<typeof allowed>>, "parameters" | "verifier" | "redirectUri">,
): Promise<Response> {
  const { server, client, auth, options } = partner;
  return oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    redirectUri,
    verifier,
    options,
  );
}

export type Tokens = { access: string; refresh: string; scope: string };

/** Connects a partner all the way. */
export async function connect(partner: Partner, given: Parameters<typeof allowed>[1] = {}): Promise<Tokens> {
  const response = await redeem(partner, await allowed(partner, given));
  const { server, client } = partner;
  return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response));
}

export function refresh(partner: Partner, token: string): Promise<Response> {
  const { server, client, auth, options } = partner;
  return oauth.refreshTokenGrantRequest(server, client, auth, token, options);
}

/** Refreshes and expects new tokens. */
export async function refreshed(partner: Partner, token: string): Promise<Tokens> {
  const { server, client } = partner;
  return tokensOf(await oauth.processRefreshTokenResponse(server, client, await refresh(partner, token)));
}

export function revoke(partner: Partner, token: string): Promise<Response> {
  const { server, client, auth, options } = partner;
  return oauth.revocationRequest(server, client, auth, token, options);
}

const tokensOf = (answer: oauth.TokenEndpointResponse): Tokens => ({
  access: answer.access_token,
  refresh: answer.refresh_token ?? "",
  scope: answer.scope ?? "",
});

/**
 * Holds whoever looks a row of this kind up until so many have: all of them then know it as unused, as they would with
 * several processes. Returns what ends that.
 */
export function holdUntil(service: OauthService, model: string, calls: number): () => void {
  const { rows } = service.context.oauth;
  const find = rows.findOauthRow;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  let came = 0;
  rows.findOauthRow = async (asked) => {
    const found = await find(asked);
    if (asked.model !== model) return found;
    came += 1;
    if (came === calls) resolve();
    if (came <= calls) await all;
    return found;
  };
  return () => {
    rows.findOauthRow = find;
  };
}

/** Calls a route of servers with an access token. */
export function callWith(
  service: OauthService,
  access: string,
  path = "/v1/reports/aggregate",
  method = "GET",
) {
  return service.call(path, {
    method,
    origin: null,
    headers: {
      Authorization: `Bearer ${access}`,
      ...(method === "POST" && { "Content-Type": "application/json" }),
    },
    ...(method === "POST" && { body: {} }),
  });
}

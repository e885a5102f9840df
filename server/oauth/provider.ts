import { oauthLifetimes, oauthPaths } from "@offers/contract/oauth";
import { scopes } from "@offers/contract/words";
import Provider, { errors, type KoaContextWithOIDC } from "oidc-provider";
import type { Context } from "../context.ts";
import { formerSecretModel, hashOauthToken, isClientSecret } from "../core/oauth.ts";
import { loggedCall } from "../http/logged-call.ts";
import { callOf } from "../http/node-call.ts";
import { problemOf } from "../http/problem.ts";
import { smallPage } from "../http/small-page.ts";
import { createAdapter } from "./adapter.ts";
import { connectPath } from "./connect-path.ts";
import type { OauthPorts } from "./oauth-ports.ts";
import { wordsOf } from "./trouble-page.ts";

/** What the library signs with, where it signs at all. */
const signature = "EdDSA";

const sessionCookie = "offers_oauth";

/**
 * The library that speaks OAuth 2.0, set up for what the contract promises: codes with PKCE for everybody, opaque tokens,
 * refresh tokens that rotate. Which of its ways are open is decided by whoever calls it (serve-oauth.ts).
 */
export function createProvider({
  baseUrl,
  clock,
  log,
  oauth: { rows, keys },
}: Pick<Context, "baseUrl" | "clock" | "log" | "oauth">): Provider {
  const provider = new Provider(baseUrl, {
    adapter: (model: string) => createAdapter(model, { rows, clock }),
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      revocation: oauthPaths.revoke,
    },
    jwks: { keys: [keys.signingKey] },
    // Every client is taken to want ID tokens, and is refused when there is no key for the usual algorithm.
    clientDefaults: {
      id_token_signed_response_alg: signature,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      // The second one for errors alone (own-request.ts).
      response_modes: ["query", "fragment"],
    },
    enabledJWA: { idTokenSigningAlgValues: [signature] },
    scopes: [...scopes],
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    pkce: { required: () => true },
    // An address that is left out would be guessed.
    allowOmittingSingleRegisteredRedirectUri: false,
    // No page of anybody's may read a token.
    clientBasedCORS: () => false,
    cookies: {
      keys: [...keys.cookieKeys],
      names: { session: sessionCookie, interaction: "offers_connect", resume: "offers_connect_resume" },
    },
    ttl: {
      AuthorizationCode: oauthLifetimes.codeSeconds,
      AccessToken: oauthLifetimes.accessTokenSeconds,
      // The end of the first one is the end of all that follow it.
      RefreshToken: (ctx) =>
        ctx?.oidc.entities.RotatedRefreshToken?.remainingTTL ?? oauthLifetimes.connectionSeconds,
      // Its record is kept with the consent, up to a quarter of an hour before the first token: no refresh outlives it.
      Grant: oauthLifetimes.connectionSeconds,
      Interaction: oauthLifetimes.consentSeconds,
      Session: oauthLifetimes.consentSeconds,
      IdToken: oauthLifetimes.accessTokenSeconds,
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    // Whoever signs out of the dashboard keeps the connections.
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    // Each consent is a connection of its own: another one for another publisher must not end it.
    loadExistingGrant: (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, interaction) => connectPath(interaction.uid) },
    renderError,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      // Without a resource that tokens are for, they could carry no scope of ours.
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== baseUrl) throw new errors.InvalidTarget();
          return {
            scope: scopes.join(" "),
            accessTokenFormat: "opaque",
            accessTokenTTL: oauthLifetimes.accessTokenSeconds,
          };
        },
      },
    },
  });
  // serve-oauth.ts writes the headers that a trusted proxy would.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = async function compare(actual) {
    if (this.clientSecret === undefined) return false;
    if (isClientSecret(actual, this.clientSecret)) return true;
    // One that was replaced a while ago, which some of the partner's servers may still have.
    const former = { model: formerSecretModel, idHash: hashOauthToken(actual), now: clock() };
    return (await rows.findOauthRow(former))?.payload.clientId === this.clientId;
  };
  provider.use(async (ctx, next) => {
    await next();
    const own = ctx as unknown as KoaContextWithOIDC;
    // What the library does itself has an end of its own for what fails.
    await endMisused(own, rows, clock)
      .then(() => tellConnection(own, rows, clock))
      .catch((error: unknown) => answerFailure(own, error, log));
    dropHeaders(own);
  });
  tellTrouble(provider, log);
  return provider;
}

/** Wherever a program asked, it is answered as RFC 6749 says, even if it would take a page. */
const renderError = (ctx: KoaContextWithOIDC, out: { error: string }): void => {
  if (ctx.oidc.route === "token" || ctx.oidc.route === "revocation") {
    ctx.body = out;
    return;
  }
  // What cannot be read or stored now has no word of its own in the library.
  const page = smallPage(wordsOf(ctx.status === 503 ? "unavailable" : out.error), ctx.status);
  for (let at = 0; at < page.headers.length; at += 2) {
    ctx.set(page.headers[at] ?? "", page.headers[at + 1] ?? "");
  }
  ctx.body = page.body;
};

/**
 * Ends the connection of a code that came with a wrong verifier or address: whoever has stolen it gets one guess, and the
 * library would let its holder try again. So it does of a code or refresh token that was used before, which the library looks
 * at last and so never, where anything else of the call is wrong.
 */
const endMisused = async (
  { status, oidc }: KoaContextWithOIDC,
  rows: OauthPorts["rows"],
  clock: () => number,
): Promise<void> => {
  if (oidc?.route !== "token" || status !== 400 || oidc.client === undefined) return;
  const { grant_type: grantType, code, refresh_token: refreshToken } = oidc.params ?? {};
  const isCode = grantType === "authorization_code";
  const presented = isCode ? code : refreshToken;
  if (typeof presented !== "string") return;
  const model = isCode ? "AuthorizationCode" : "RefreshToken";
  const row = await rows.findOauthRow({ model, idHash: hashOauthToken(presented), now: clock() });
  if (row === null || row.grantId === null || row.payload.clientId !== oidc.client.clientId) return;
  if (isCode || row.consumedAt !== null) await rows.endGrant({ grantId: row.grantId, at: clock() });
};

/**
 * Tells with the tokens for whom they are, by further members as RFC 6749 section 5.1 lets us, and how long they are good: with
 * the connection an access token ends too. Where that has ended in this very moment, they open nothing and nothing is added. Nor
 * is it where the database does not answer: what was handed in is used up by now, so the tokens are answered all the same.
 */
const tellConnection = async (
  ctx: KoaContextWithOIDC,
  rows: OauthPorts["rows"],
  clock: () => number,
): Promise<void> => {
  const grantId = ctx.oidc?.entities.AccessToken?.grantId;
  const { body, status } = ctx;
  if (ctx.oidc?.route !== "token" || status !== 200 || grantId === undefined) return;
  if (typeof body !== "object" || body === null) return;
  const now = clock();
  const connection = await rows.findConnection({ grantId, now }).catch((error: unknown) => {
    if (problemOf(error).code !== "unavailable") throw error;
    return null;
  });
  if (connection === null) return;
  const secondsLeft = Math.floor((connection.endsAt - now) / 1000);
  ctx.body = {
    ...body,
    expires_in: Math.min(oauthLifetimes.accessTokenSeconds, secondsLeft),
    refresh_token_expires_in: secondsLeft,
    publisher_id: connection.publisherId,
    publisher_name: connection.publisher,
  };
};

/** Its session is kept nowhere, so its cookie would mean nothing; and no page may read what it answers. */
const dropHeaders = (ctx: KoaContextWithOIDC): void => {
  // Who was told that the answer is late has all that it gets.
  if (ctx.res.headersSent) return;
  const cookies = [ctx.res.getHeader("set-cookie") ?? []].flat().map(String);
  const others = cookies.filter((cookie) => !cookie.startsWith(sessionCookie));
  if (others.length > 0) ctx.res.setHeader("set-cookie", others);
  else ctx.res.removeHeader("set-cookie");
  ctx.remove("Access-Control-Allow-Origin");
};

/** Why a partner was refused: it is told little, so that whoever guesses learns nothing. */
const tellTrouble = (provider: Provider, log: Context["log"]): void => {
  const note = (ctx: KoaContextWithOIDC, error: { error?: string; error_detail?: string | undefined }) => {
    const { error: word, error_detail: detail } = error;
    log(
      { event: "partner_refused", client: ctx.oidc.client?.clientId, error: word, detail },
      callOf(ctx.req),
    );
  };
  provider.on("authorization.error", note);
  provider.on("grant.error", note);
  provider.on("revocation.error", note);
  provider.on("server_error", (ctx, error) => answerFailure(ctx, error, log));
};

const answerFailure = (ctx: KoaContextWithOIDC, error: unknown, log: Context["log"]): void => {
  const problem = problemOf(error);
  ctx.status = problem.status;
  ctx.set("Cache-Control", "no-store");
  if (problem.code !== "unavailable") {
    const call = callOf(ctx.req);
    log({ event: "request_failed", ...loggedCall(call), err: error }, call);
    ctx.body = { error: "server_error" };
    return;
  }
  for (const [name, value] of problem.headers) ctx.set(name, value);
  // The nearest that RFC 6749 has (section 4.1.2.1).
  ctx.body = { error: "temporarily_unavailable", error_description: problem.message };
};

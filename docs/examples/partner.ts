// A partner's application in one file: it connects to a publisher, reads its report, refreshes and ends the connection.
// It keeps everything in memory and has one user, who sits at this machine. See docs/partners.md.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as oauth from "oauth4webapi";

const {
  OFFERS_URL = "http://127.0.0.1:8787",
  CLIENT_ID = "",
  CLIENT_SECRET = "",
  PORT = "9000",
} = process.env;
if (CLIENT_ID === "") throw new Error("CLIENT_ID is what `partner create` has printed");

const here = `http://127.0.0.1:${PORT}`;
const redirectUri = `${here}/callback`;
const client: oauth.Client = { client_id: CLIENT_ID };
const auth = CLIENT_SECRET === "" ? oauth.None() : oauth.ClientSecretBasic(CLIENT_SECRET);
/** A demo on this machine speaks plain http; nothing else may. */
const options = { [oauth.allowInsecureRequests]: new URL(OFFERS_URL).hostname === "127.0.0.1" };

/** Read once: where the service wants to be asked for what. */
const server = await oauth
  .discoveryRequest(new URL(OFFERS_URL), { algorithm: "oauth2", ...options })
  .then((response) => oauth.processDiscoveryResponse(new URL(OFFERS_URL), response))
  .catch((error: Error) => {
    throw new Error(`there is no service at ${OFFERS_URL}`, { cause: error });
  });

/** A visitor who is away at the consent: what came back must be the answer to what was asked here. */
let asked: { verifier: string; state: string } | null = null;

type Tokens = { access: string; refresh: string; endsAt: number };
let tokens: Tokens | null = null;

/** GET /connect: sends the visitor to the service. */
const connect = async (): Promise<Page> => {
  asked = { verifier: oauth.generateRandomCodeVerifier(), state: oauth.generateRandomState() };
  const address = new URL(server.authorization_endpoint ?? "");
  address.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "reports:read",
    code_challenge: await oauth.calculatePKCECodeChallenge(asked.verifier),
    code_challenge_method: "S256",
    state: asked.state,
  }).toString();
  return { to: address.href };
};

/** GET /callback: the visitor is back, with a code or with a no. */
const callback = async (address: URL): Promise<Page> => {
  if (asked === null) return { text: "Nobody was sent away from here." };
  const { verifier, state } = asked;
  // Once is all that it is good for.
  asked = null;
  // Checks `state` and `iss`; throws what the service has refused, such as access_denied.
  const parameters = oauth.validateAuthResponse(server, client, address, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    parameters,
    redirectUri,
    verifier,
    options,
  );
  tokens = kept(await oauth.processAuthorizationCodeResponse(server, client, response));
  return { to: "/" };
};

let refreshing: Promise<Tokens> | null = null;

/**
 * The tokens, renewed a minute before their end. One renewal at a time: a refresh token is good for one use, and whoever
 * uses it a second time, were it in the same moment, ends the whole connection.
 */
const liveTokens = async (current: Tokens): Promise<Tokens> => {
  if (Date.now() < current.endsAt - 60_000) return current;
  refreshing ??= renew(current).finally(() => {
    refreshing = null;
  });
  return refreshing;
};

const renew = async (current: Tokens): Promise<Tokens> => {
  try {
    const response = await oauth.refreshTokenGrantRequest(server, client, auth, current.refresh, options);
    // A program with a database writes both down here, before it goes on.
    tokens = kept(await oauth.processRefreshTokenResponse(server, client, response));
    return tokens;
  } catch (error) {
    // The connection has ended, by the publisher or by its thirty days: these tokens never open anything again.
    if (hasEnded(error)) tokens = null;
    throw error;
  }
};

const hasEnded = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.error === "invalid_grant";

const kept = (answer: oauth.TokenEndpointResponse): Tokens => ({
  access: answer.access_token,
  refresh: answer.refresh_token ?? "",
  endsAt: Date.now() + (answer.expires_in ?? 0) * 1000,
});

const readReport = async ({ access }: Tokens): Promise<Response> =>
  fetch(`${OFFERS_URL}/v1/reports/aggregate?groupBy=date`, {
    headers: { Authorization: `Bearer ${access}` },
  });

/** GET /: the report, or the way to it. */
const home = async (): Promise<Page> => {
  if (tokens === null) return { text: 'Not connected. <a href="/connect">Connect</a>' };
  const current = await liveTokens(tokens);
  let report = await readReport(current);
  // An access token can end before its time; whether the connection has, a refresh tells.
  if (report.status === 401) report = await readReport(await liveTokens({ ...current, endsAt: 0 }));
  if (!report.ok) throw new Error(`the report is answered with ${report.status}`);
  const { totals } = (await report.json()) as { totals: object };
  return {
    text:
      `Connected. The last 30 days: <code>${JSON.stringify(totals)}</code>` +
      `<form method="post" action="/refresh"><button>Refresh</button></form>` +
      `<form method="post" action="/disconnect"><button>Disconnect</button></form>`,
  };
};

/** POST /refresh: at once, for whoever wants to see it work. */
const refreshNow = async (): Promise<Page> => {
  if (tokens !== null) await liveTokens({ ...tokens, endsAt: 0 });
  return { to: "/" };
};

/** POST /disconnect: the service forgets the connection, whichever of its tokens is named. */
const disconnect = async (): Promise<Page> => {
  if (tokens !== null) {
    const response = await oauth.revocationRequest(server, client, auth, tokens.refresh, options);
    await oauth.processRevocationResponse(response);
    tokens = null;
  }
  return { to: "/" };
};

type Page = { text: string } | { to: string };

const pages: Readonly<Record<string, (address: URL) => Promise<Page>>> = {
  "GET /": home,
  "GET /connect": connect,
  "GET /callback": callback,
  "POST /refresh": refreshNow,
  "POST /disconnect": disconnect,
};

const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const address = new URL(req.url ?? "/", here);
  const page = pages[`${req.method} ${address.pathname}`];
  if (page === undefined) return void res.writeHead(404).end();
  const got = await page(address).catch(
    (error: Error): Page =>
      hasEnded(error)
        ? { text: 'The connection was ended. <a href="/connect">Connect again</a>' }
        : { text: `It did not work: ${error.message}` },
  );
  if ("to" in got) return void res.writeHead(303, { Location: got.to }).end();
  res.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
  res.end(`<!doctype html><html lang="en"><title>A partner</title><body>${got.text}`);
};

createServer((req, res) => void answer(req, res)).listen(Number(PORT), "127.0.0.1", () => {
  process.stdout.write(`A partner is at ${here}\n`);
});

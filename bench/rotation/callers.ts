import { setTimeout as pause } from "node:timers/promises";
import type { MadeWebsite } from "../catalogue.ts";
import type { Answer, HttpClient } from "../http-client.ts";
import { followLink, readingMs, reportEvent, visitorAt, visitPage } from "../visitor.ts";

/** What callers prove who they are with. Each may be replaced while they call; the next call has the new one. */
export type Credentials = {
  apiKey: string;
  integrationSecret: string;
  partner: { clientId: string; clientSecret: string; refreshToken: string };
  /** Of somebody who is signed in to the dashboard. */
  cookie: string;
};

export type Callers = {
  credentials: Credentials;
  /** How many calls of each kind were answered as they should be. */
  good: Readonly<Record<string, number>>;
  /** What was answered otherwise, or not at all. */
  failed: readonly string[];
  stop(): Promise<void>;
};

const visitors = 6;
const restMs = 40;

/**
 * Everybody who calls a service in one day, on and on, at one address: visitors, servers, a partner, and who is signed in.
 * `kinds`: those alone.
 */
export function startCallers(
  client: HttpClient,
  website: MadeWebsite,
  credentials: Credentials,
  kinds: readonly Kind[] = ["visit", "key", "decline", "partner", "dashboard"],
): Callers {
  const good: Record<string, number> = {};
  const failed: string[] = [];
  const state = { isOver: false, visitor: 0 };
  const expected = async (kind: string, status: number, pending: Promise<Answer>): Promise<Answer | null> => {
    const answer = await pending.catch((error: unknown) => String(error));
    if (typeof answer !== "string" && answer.status === status) {
      good[kind] = (good[kind] ?? 0) + 1;
      return answer;
    }
    failed.push(`${kind}: ${typeof answer === "string" ? answer : `${answer.status} ${answer.body}`}`);
    return null;
  };
  const caller: Caller = { client, website, credentials, expected, next: () => state.visitor++ };
  const onAndOn = async (call: (caller: Caller) => Promise<void>): Promise<void> => {
    while (!state.isOver) {
      await call(caller).catch((error: unknown) => failed.push(String(error)));
      await pause(restMs);
    }
  };
  const all = [
    ...Array.from({ length: visitors - 1 }, () => onAndOn(visit)),
    ...kinds.map((kind) => onAndOn(callsOf[kind])),
  ];
  return {
    credentials,
    good,
    failed,
    stop: async () => {
      state.isOver = true;
      await Promise.all(all);
      client.close();
    },
  };
}

type Kind = "visit" | "key" | "decline" | "partner" | "dashboard";

type Caller = {
  client: HttpClient;
  website: MadeWebsite;
  credentials: Credentials;
  expected: (kind: string, status: number, pending: Promise<Answer>) => Promise<Answer | null>;
  next: () => number;
};

/** From the page to the advertiser, with what was sealed at the beginning opened at each step. */
const visit = async ({ client, website, expected, next }: Caller): Promise<void> => {
  const visitor = visitorAt(next(), website);
  const { decision, offers } = await visitPage(client, website, visitor);
  const [offer] = offers;
  if (offer === undefined) throw new Error("no offers were handed out");
  await expected(
    "impression",
    204,
    reportEvent(client, "impression", visitor, { requestId: decision.requestId, offer }),
  );
  await pause(readingMs);
  await expected("hop", 302, followLink(client, visitor, offer.url));
};

const askByKey = async ({ client, website, credentials, expected }: Caller): Promise<void> => {
  const path = `/v1/decision?website=${website.websiteKey}&ip=198.18.0.1`;
  await expected("key", 200, client.get(path, { authorization: `Bearer ${credentials.apiKey}` }));
};

const decline = async ({ client, website, credentials, expected, next }: Caller): Promise<void> => {
  const { headers } = visitorAt(next(), website);
  const keys = `pub=${website.publicKey}&website=${website.websiteKey}`;
  const opened = await expected(
    "session",
    201,
    client.post(`/v1/widget-decline/session?${keys}`, "", headers),
  );
  if (opened === null) return;
  const { sessionId } = JSON.parse(opened.body) as { sessionId: string };
  const server = {
    authorization: `Bearer ${credentials.integrationSecret}`,
    "content-type": "application/json",
  };
  await expected(
    "trigger",
    200,
    client.post("/v1/widget-decline/trigger", JSON.stringify({ sessionId }), server),
  );
};

/** One at a time, as partners are told to, and then with the new access token. */
const refresh = async ({ client, credentials: { partner }, expected }: Caller): Promise<void> => {
  const { clientId, clientSecret, refreshToken } = partner;
  const answer = await expected(
    "refresh",
    200,
    refreshWith(client, { clientId, clientSecret, refreshToken }),
  );
  if (answer === null) return;
  const tokens = JSON.parse(answer.body) as { access_token: string; refresh_token: string };
  partner.refreshToken = tokens.refresh_token;
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  await expected("report", 200, client.get("/v1/reports/aggregate", headers));
};

/** What a partner's server asks for new tokens with. */
export function refreshWith(
  client: HttpClient,
  { clientId, clientSecret, refreshToken }: Credentials["partner"],
): Promise<Answer> {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken });
  return client.post("/v1/oauth/token", String(body), {
    authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
    "content-type": "application/x-www-form-urlencoded",
  });
}

const lookAtDashboard = async ({ client, credentials, expected }: Caller): Promise<void> => {
  await expected("dashboard", 200, client.get("/dash/api/me", { cookie: credentials.cookie }));
};

const callsOf: Readonly<Record<Kind, (caller: Caller) => Promise<void>>> = {
  visit,
  key: askByKey,
  decline,
  partner: refresh,
  dashboard: lookAtDashboard,
};
